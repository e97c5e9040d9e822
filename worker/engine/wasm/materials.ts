/** Materials in the kernel's memory: a record each, and lists of what textures say of them. */

import { cosTurns, sinTurns } from '../../../shared/math/trig.ts'
import { type AmbientMaterial, ambientMaterial } from '../../../shared/scene/ambient-look.ts'
import type { SceneDescription } from '../../../shared/scene/description.ts'
import { MAP_NAMES, type MapName, type Material } from '../../../shared/scene/material.ts'
import type { TextureUse } from '../../../shared/scene/texture.ts'
import {
  COATED,
  GLASS,
  MAP_AGAIN,
  MAP_BYTES,
  MAP_NAME,
  MAP_PLACE,
  MAP_SET,
  MAP_STRETCH,
  MAP_TEXTURE,
  MATERIAL_ANISOTROPY,
  MATERIAL_ANISOTROPY_X,
  MATERIAL_ANISOTROPY_Y,
  MATERIAL_BYTES,
  MATERIAL_CLEAR,
  MATERIAL_COAT,
  MATERIAL_COAT_NORMAL_X,
  MATERIAL_COAT_ROUGHNESS,
  MATERIAL_COLOR,
  MATERIAL_CUTOFF,
  MATERIAL_DISPERSION,
  MATERIAL_EMITS,
  MATERIAL_FILM,
  MATERIAL_FILM_IOR,
  MATERIAL_FILM_RANGE,
  MATERIAL_IOR,
  MATERIAL_IRIDESCENCE,
  MATERIAL_KIND,
  MATERIAL_MAP_COUNT,
  MATERIAL_MAPS,
  MATERIAL_METALLIC,
  MATERIAL_NORMAL_X,
  MATERIAL_OCCLUSION,
  MATERIAL_OPACITY,
  MATERIAL_OPEN,
  MATERIAL_PASSING,
  MATERIAL_ROUGHNESS,
  MATERIAL_SHEEN,
  MATERIAL_SHEEN_ROUGHNESS,
  MATERIAL_SPECULAR,
  MATERIAL_SPECULAR_COLOR,
  MATERIAL_THIN,
  MATERIAL_TRANSMISSION,
  MATERIAL_VARIES,
  MATTE,
  MIRROR,
  MODEL_THIN,
  PASSING_BACKS,
  PASSING_BLEND,
  PASSING_MASK,
  PASSING_SHEET,
  UNLIT,
  VARIES,
  VARIES_VERTEX_COLORS,
} from './kernel/layout.ts'
import { modelOf } from './light/models.ts'
import type { KernelMemory } from './memory.ts'
import { textureAt } from './textures.ts'

const KINDS: Readonly<Record<AmbientMaterial['kind'], number>> = {
  matte: MATTE,
  coated: COATED,
  mirror: MIRROR,
  glass: GLASS,
  unlit: UNLIT,
}

/** Bytes of the lists of textures. */
export const mapBytes = (materials: readonly Material[]): number =>
  materials.reduce((sum, { maps }) => sum + Object.keys(maps).length * MAP_BYTES, 0)

/** What the ambient integrator needs of materials. */
export function putAmbientMaterials(
  { words, floats, doubles }: KernelMemory,
  materials: readonly AmbientMaterial[],
  at: number,
): void {
  materials.forEach((material, i) => {
    const record = at + i * MATERIAL_BYTES
    words[(record + MATERIAL_KIND) >>> 2] = KINDS[material.kind]
    words[(record + MATERIAL_CLEAR) >>> 2] = Number(material.kind === 'glass')
    floats.set(material.color, (record + MATERIAL_COLOR) >>> 2)
    floats[(record + MATERIAL_OPEN) >>> 2] = 1
    doubles[(record + MATERIAL_IOR) >>> 3] = 'ior' in material ? material.ior : 1
  })
}

/** What else there is of materials but their light. Returns which rays pass any of them, see MATERIAL_PASSING. */
export function putMaterials(
  memory: KernelMemory,
  { materials, meshes, instances }: Pick<SceneDescription, 'materials' | 'meshes' | 'instances'>,
  places: { readonly materials: number; readonly maps: number; readonly textures: number },
): number {
  const { words } = memory
  const recordOf = (number: number) => places.materials + number * MATERIAL_BYTES
  let list = places.maps
  materials.forEach((material, i) => {
    putMaterial(memory, recordOf(i), material)
    const maps = MAP_NAMES.flatMap((name): [MapName, TextureUse][] => {
      const use = material.maps[name]
      return use ? [[name, use]] : []
    })
    words[(recordOf(i) + MATERIAL_MAPS) >>> 2] = list
    words[(recordOf(i) + MATERIAL_MAP_COUNT) >>> 2] = maps.length
    if (maps.length > 0 || material.anisotropy > 0) words[(recordOf(i) + MATERIAL_VARIES) >>> 2] = VARIES
    maps.forEach(([name, use], at) => {
      putMap(memory, list, name, use, places.textures)
      words[(list + MAP_AGAIN) >>> 2] = Number(at > 0 && isSame(use, maps[at - 1]![1]))
      list += MAP_BYTES
    })
  })
  for (const { mesh, materials: used } of instances)
    if (meshes[mesh]!.attributes.includes('color'))
      for (const material of used) words[(recordOf(material) + MATERIAL_VARIES) >>> 2]! |= VARIES | VARIES_VERTEX_COLORS
  return materials.reduce((all, material) => all | passingOf(material), 0)
}

function putMaterial({ words, floats }: KernelMemory, at: number, material: Material): void {
  const put = (field: number, ...values: readonly number[]) => {
    floats.set(values, (at + field) >>> 2)
  }
  words[(at + MATERIAL_PASSING) >>> 2] = passingOf(material)
  words[(at + MATERIAL_CLEAR) >>> 2] = Number(letsThrough(material))
  words[(at + MATERIAL_THIN) >>> 2] = Number(material.thin)
  put(MATERIAL_COLOR, ...material.color)
  put(MATERIAL_OPACITY, material.opacity)
  put(MATERIAL_CUTOFF, material.alphaCutoff)
  put(MATERIAL_METALLIC, material.metallic)
  put(MATERIAL_ROUGHNESS, material.roughness)
  put(MATERIAL_TRANSMISSION, material.transmission)
  put(MATERIAL_SPECULAR, material.specular)
  put(MATERIAL_SPECULAR_COLOR, ...material.specularColor)
  put(MATERIAL_OCCLUSION, material.occlusion)
  put(MATERIAL_SHEEN, ...material.sheenColor)
  put(MATERIAL_SHEEN_ROUGHNESS, material.sheenRoughness)
  put(MATERIAL_COAT, material.coat)
  put(MATERIAL_COAT_ROUGHNESS, material.coatRoughness)
  put(MATERIAL_ANISOTROPY, material.anisotropy)
  put(MATERIAL_ANISOTROPY_X, cosTurns(material.anisotropyRotation))
  put(MATERIAL_ANISOTROPY_Y, sinTurns(material.anisotropyRotation))
  const [thinnest, thickest] = material.iridescenceThickness
  put(MATERIAL_IRIDESCENCE, material.iridescence)
  put(MATERIAL_FILM_IOR, material.iridescenceIor)
  // Without a texture the film is as thick as it may be.
  put(MATERIAL_FILM, material.maps.iridescenceThickness ? thinnest : thickest)
  put(MATERIAL_FILM_RANGE, thickest - thinnest)
  put(MATERIAL_DISPERSION, material.dispersion)
  words[(at + MATERIAL_EMITS) >>> 2] = Number(material.emission.some(channel => channel > 0))
  put(MATERIAL_NORMAL_X, ...material.normalScale)
  put(MATERIAL_COAT_NORMAL_X, ...material.coatNormalScale)
}

function passingOf(material: Material): number {
  const { alpha, culled, emission } = material
  // What glows is met wherever it is.
  const isSheet = modelOf(material).model === MODEL_THIN && emission.every(channel => channel === 0)
  const some = alpha === 'mask' ? PASSING_MASK : alpha === 'blend' ? PASSING_BLEND : 0
  return some | (culled ? PASSING_BACKS : 0) | (isSheet ? PASSING_SHEET : 0)
}

/** As MATERIAL_CLEAR says it. */
export const letsThrough = (material: Material): boolean =>
  material.alpha !== 'opaque' || ambientMaterial(material).kind === 'glass'

function putMap({ words, floats }: KernelMemory, at: number, name: MapName, use: TextureUse, textures: number): void {
  const [a, b, , d, e] = use.transform
  words[(at + MAP_TEXTURE) >>> 2] = textureAt(textures, use.texture)
  words[(at + MAP_NAME) >>> 2] = MAP_NAMES.indexOf(name)
  words[(at + MAP_SET) >>> 2] = use.set
  floats.set(use.transform, (at + MAP_PLACE) >>> 2)
  floats[(at + MAP_STRETCH) >>> 2] = Math.abs(a * e - b * d)
}

const isSame = (a: TextureUse, b: TextureUse): boolean =>
  a.texture === b.texture && a.set === b.set && a.transform.every((factor, i) => factor === b.transform[i])
