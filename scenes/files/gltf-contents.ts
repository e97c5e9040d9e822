/** What a glTF file contains besides what is drawn of it, for `inspect`. */
import { printable } from '../../shared/printable.ts'
import type { DeclaredContents } from '../scene-source.ts'
import type { Gltf } from './gltf-schema.ts'

/** Extensions of which all is shown that a picture can show. Of the others a part is, or nothing. */
const HONOURED: readonly string[] = [
  'EXT_mesh_gpu_instancing',
  'EXT_meshopt_compression',
  'EXT_texture_avif',
  'EXT_texture_webp',
  'KHR_draco_mesh_compression',
  'KHR_lights_punctual',
  'KHR_materials_anisotropy',
  'KHR_materials_clearcoat',
  'KHR_materials_dispersion',
  'KHR_materials_emissive_strength',
  'KHR_materials_ior',
  'KHR_materials_iridescence',
  'KHR_materials_sheen',
  'KHR_materials_specular',
  'KHR_materials_transmission',
  'KHR_materials_unlit',
  'KHR_materials_volume',
  'KHR_mesh_quantization',
  'KHR_meshopt_compression',
  'KHR_texture_basisu',
  'KHR_texture_transform',
]

export function declaredIn(document: Gltf, textures: DeclaredContents['textures']): DeclaredContents {
  const { extensionsUsed = [], extensionsRequired = [] } = document
  return {
    textures,
    animations: document.animations.map((animation, i) => ({
      name: nameOf(animation) ?? `animation ${i}`,
      seconds: secondsOf(animation, document),
    })),
    extensions: [...new Set([...extensionsUsed, ...extensionsRequired])].map(name => ({
      name: printable(name.slice(0, 200)),
      required: extensionsRequired.includes(name),
      honoured: HONOURED.includes(name),
    })),
  }
}

function nameOf(animation: unknown): string | undefined {
  const name = fieldOf(animation, 'name')
  return typeof name === 'string' && name !== '' ? printable(name.slice(0, 200)) : undefined
}

/** The latest time of its keys, by what the file says of the accessors with their times; 0 if it says nothing. */
function secondsOf(animation: unknown, { accessors }: Gltf): number {
  const samplers = fieldOf(animation, 'samplers')
  if (!Array.isArray(samplers)) return 0
  const ends = samplers.map(sampler => {
    const input = fieldOf(sampler, 'input')
    const most = typeof input === 'number' ? accessors[input]?.max : undefined
    const end: unknown = Array.isArray(most) ? most[0] : undefined
    return typeof end === 'number' && Number.isFinite(end) ? end : 0
  })
  return ends.reduce((latest, end) => Math.max(latest, end), 0)
}

const fieldOf = (of: unknown, field: string): unknown =>
  typeof of === 'object' && of !== null ? (of as Record<string, unknown>)[field] : undefined
