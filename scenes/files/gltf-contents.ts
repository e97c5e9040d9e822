/** What a glTF file contains besides what is drawn of it, for `inspect`. */
import { printable } from '../../shared/printable.ts'
import type { DeclaredContents } from '../scene-source.ts'
import { HONOURED } from './gltf-extensions.ts'
import type { Gltf } from './gltf-schema.ts'

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
