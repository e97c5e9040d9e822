/** Materials in the kernel's memory: a record each, and lists of what textures say of them. */

import { cosTurns, sinTurns } from '../../../shared/math/trig.ts'
import { type AmbientMaterial, ambientMaterial } from '../../../shared/scene/ambient-look.ts'
import type { SceneDescription } from '../../../shared/scene/description.ts'
import { MAP_NAMES, type MapName, type Material } from '../../../shared/scene/material.ts'
import type { TextureUse } from '../../../shared/scene/texture.ts'
import { modelOf } from './light/models.ts'
import type { KernelMemory } from './memory.ts'
import { get, put } from './records/access.ts'
import { MAPS, MATERIAL, MATERIAL_KINDS, MODELS, PASSING, TEXTURE_USE, VARIES } from './records/material.ts'
import { textureAt } from './textures.ts'

/** Bytes of the lists of textures. */
export const mapBytes = (materials: readonly Material[]): number =>
  materials.reduce((sum, { maps }) => sum + Object.keys(maps).length * TEXTURE_USE.bytes, 0)

/** What the ambient integrator needs of materials. */
export function putAmbientMaterials(memory: KernelMemory, materials: readonly AmbientMaterial[], at: number): void {
  materials.forEach((material, i) => {
    put(memory, MATERIAL, at + i * MATERIAL.bytes, {
      kind: MATERIAL_KINDS[material.kind],
      clear: Number(material.kind === 'glass'),
      color: material.color,
      open: 1,
      ior: 'ior' in material ? material.ior : 1,
    })
  })
}

/** What else there is of materials but their light. Returns which rays pass any of them, see PASSING. */
export function putMaterials(
  memory: KernelMemory,
  { materials, meshes, instances }: Pick<SceneDescription, 'materials' | 'meshes' | 'instances'>,
  places: { readonly materials: number; readonly maps: number; readonly textures: number },
): number {
  const recordOf = (number: number) => places.materials + number * MATERIAL.bytes
  let list = places.maps
  materials.forEach((material, i) => {
    putMaterial(memory, recordOf(i), material)
    const maps = MAP_NAMES.flatMap((name): [MapName, TextureUse][] => {
      const use = material.maps[name]
      return use ? [[name, use]] : []
    })
    const varies = maps.length > 0 || material.anisotropy > 0 ? VARIES.somehow : 0
    put(memory, MATERIAL, recordOf(i), { maps: list, mapCount: maps.length, varies })
    maps.forEach(([name, use], at) => {
      putMap(memory, list, name, use, places.textures, at > 0 && isSame(use, maps[at - 1]![1]))
      list += TEXTURE_USE.bytes
    })
  })
  for (const { mesh, materials: used } of instances)
    if (meshes[mesh]!.attributes.includes('color'))
      for (const material of used) {
        const at = recordOf(material)
        const varies = get(memory, MATERIAL, at, 'varies') | VARIES.somehow | VARIES.byVertexColors
        put(memory, MATERIAL, at, { varies })
      }
  return materials.reduce((all, material) => all | passingOf(material), 0)
}

function putMaterial(memory: KernelMemory, at: number, material: Material): void {
  const [thinnest, thickest] = material.iridescenceThickness
  put(memory, MATERIAL, at, {
    passing: passingOf(material),
    clear: Number(letsThrough(material)),
    thin: Number(material.thin),
    color: material.color,
    opacity: material.opacity,
    alphaCutoff: material.alphaCutoff,
    metallic: material.metallic,
    roughness: material.roughness,
    transmission: material.transmission,
    specular: material.specular,
    specularColor: material.specularColor,
    occlusion: material.occlusion,
    sheenColor: material.sheenColor,
    sheenRoughness: material.sheenRoughness,
    coat: material.coat,
    coatRoughness: material.coatRoughness,
    anisotropy: material.anisotropy,
    anisotropyDirection: [cosTurns(material.anisotropyRotation), sinTurns(material.anisotropyRotation)],
    iridescence: material.iridescence,
    iridescenceIor: material.iridescenceIor,
    // Without a texture the film is as thick as it may be.
    iridescenceThickness: material.maps.iridescenceThickness ? thinnest : thickest,
    iridescenceRange: thickest - thinnest,
    dispersion: material.dispersion,
    emits: Number(material.emission.some(channel => channel > 0)),
    normalScale: material.normalScale,
    coatNormalScale: material.coatNormalScale,
    label: material.label ?? 0,
  })
}

function passingOf(material: Material): number {
  const { alpha, culled, emission } = material
  // What glows is met wherever it is.
  const isSheet = modelOf(material).model === MODELS.thin && emission.every(channel => channel === 0)
  const some = alpha === 'mask' ? PASSING.mask : alpha === 'blend' ? PASSING.blend : 0
  return some | (culled ? PASSING.backs : 0) | (isSheet ? PASSING.sheet : 0)
}

/** As `clear` of MATERIAL says it. */
export const letsThrough = (material: Material): boolean =>
  material.alpha !== 'opaque' || ambientMaterial(material).kind === 'glass'

function putMap(
  memory: KernelMemory,
  at: number,
  name: MapName,
  use: TextureUse,
  textures: number,
  again: boolean,
): void {
  const [a, b, , d, e] = use.transform
  put(memory, TEXTURE_USE, at, {
    texture: textureAt(textures, use.texture),
    name: MAPS[name],
    set: use.set,
    transform: use.transform,
    stretch: Math.abs(a * e - b * d),
    again: Number(again),
  })
}

const isSame = (a: TextureUse, b: TextureUse): boolean =>
  a.texture === b.texture && a.set === b.set && a.transform.every((factor, i) => factor === b.transform[i])
