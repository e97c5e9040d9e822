/**
 * Which of a three material's textures say what of a material here. Those that are not listed, or cannot be used (`obstacleOf`), are
 * told by `unused-look.ts`.
 */
import { Texture, type Material as ThreeMaterial } from 'three'
import type { MapName, Material } from '../../../shared/scene/material.ts'
import type { TextureTable } from './map-texture.ts'

/** By three's property. The thickness of glass is left out: rays find out how far they travel inside. */
export const MAPS: Readonly<Record<string, MapName>> = {
  map: 'color',
  alphaMap: 'opacity',
  metalnessMap: 'metallic',
  roughnessMap: 'roughness',
  normalMap: 'normal',
  aoMap: 'occlusion',
  emissiveMap: 'emission',
  specularIntensityMap: 'specular',
  specularColorMap: 'specularColor',
  transmissionMap: 'transmission',
  clearcoatMap: 'coat',
  clearcoatRoughnessMap: 'coatRoughness',
  clearcoatNormalMap: 'coatNormal',
  sheenColorMap: 'sheenColor',
  sheenRoughnessMap: 'sheenRoughness',
  anisotropyMap: 'anisotropy',
  iridescenceMap: 'iridescence',
  iridescenceThicknessMap: 'iridescenceThickness',
}

/** The textures of a material by its properties, in their order. Most of these are none, and a film has them asked for each frame. */
export function texturesOf(material: ThreeMaterial): [key: string, texture: Texture][] {
  const found: [string, Texture][] = []
  for (const key of Object.keys(material)) {
    const value: unknown = material[key as keyof ThreeMaterial]
    if (typeof value === 'object' && value !== null && value instanceof Texture) found.push([key, value])
  }
  return found
}

export function mapsOf(material: ThreeMaterial, textures: TextureTable): Material['maps'] {
  return Object.fromEntries(
    texturesOf(material).flatMap(([key, texture]) => {
      const name = MAPS[key]
      const use = name && !isMissing(name, texture) ? textures.useOf(texture) : undefined
      return use ? [[name, use]] : []
    }),
  )
}

/** A picture that could not be read is white, which changes nothing; but as a direction it would. */
const isMissing = (name: MapName, { userData }: Texture): boolean =>
  userData.missing === true && DIRECTIONS.includes(name)

const DIRECTIONS: readonly MapName[] = ['normal', 'coatNormal', 'anisotropy']
