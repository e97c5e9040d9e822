/**
 * Which of a three material's textures say what of a material here. Those that are not listed, or cannot be used (`obstacleOf`), are
 * told by `unused-look.ts`.
 */
import { Texture, type Material as ThreeMaterial } from 'three'
import type { MapName, Material } from '../shared/scene/material.ts'
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

export function mapsOf(material: ThreeMaterial, textures: TextureTable): Material['maps'] {
  return Object.fromEntries(
    Object.entries(material).flatMap(([key, value]) => {
      const name = MAPS[key]
      const use = name && value instanceof Texture && !isMissing(name, value) ? textures.useOf(value) : undefined
      return use ? [[name, use]] : []
    }),
  )
}

/** A picture that could not be read is white, which changes nothing; but as a direction it would. */
const isMissing = (name: MapName, { userData }: Texture): boolean =>
  userData.missing === true && DIRECTIONS.includes(name)

const DIRECTIONS: readonly MapName[] = ['normal', 'coatNormal', 'anisotropy']
