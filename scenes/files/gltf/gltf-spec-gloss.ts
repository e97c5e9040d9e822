/**
 * Materials of the archived KHR_materials_pbrSpecularGlossiness, in the terms of those that replaced it: what is diffuse, a reflection
 * with a colour, and a roughness.
 */
import type { Gltf } from './gltf-schema.ts'

type GltfMaterial = Gltf['materials'][number]

/** Reflection facing the viewer at an index of 1.5, by which the new colours are multiplied. */
const HEAD = 0.04
const EXTENSION = 'KHR_materials_pbrSpecularGlossiness'

/** Whether a texture says how smooth it is, which is not kept. */
export const isGlossy = ({ extensions }: GltfMaterial): boolean =>
  extensions?.[EXTENSION]?.specularGlossinessTexture !== undefined

export function fromSpecularGlossiness(material: GltfMaterial): GltfMaterial {
  const { [EXTENSION]: old, ...extensions } = material.extensions ?? {}
  if (!old) return material
  const {
    diffuseFactor,
    diffuseTexture,
    specularFactor = [1, 1, 1],
    specularGlossinessTexture,
    glossinessFactor = 1,
  } = old
  return {
    ...material,
    pbrMetallicRoughness: {
      ...(diffuseFactor && { baseColorFactor: diffuseFactor }),
      ...(diffuseTexture && { baseColorTexture: diffuseTexture }),
      metallicFactor: 0,
      roughnessFactor: 1 - glossinessFactor,
    },
    extensions: {
      ...extensions,
      KHR_materials_specular: {
        specularColorFactor: specularFactor.map(channel => channel / HEAD),
        ...(specularGlossinessTexture && { specularColorTexture: specularGlossinessTexture }),
      },
    },
  }
}
