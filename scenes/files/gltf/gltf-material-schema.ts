/** What is read of a glTF material: its factors and textures, and those of the extensions that are known. */
import * as z from 'zod'
import { printable } from '../../../shared/text/printable.ts'

export const index = z.int().min(0).max(0xffffffff)
/** Names appear in messages. */
export const name = z
  .string()
  .overwrite(text => printable(text.slice(0, 200)))
  .exactOptional()
export const numbers = (length: number) => z.array(z.number()).length(length)

const factor = z.number().exactOptional()
const color = numbers(3).exactOptional()

const textureTransform = z.object({
  offset: numbers(2).exactOptional(),
  rotation: factor,
  scale: numbers(2).exactOptional(),
  texCoord: index.exactOptional(),
})

const texture = z
  .object({
    index,
    texCoord: index.exactOptional(),
    scale: factor,
    strength: factor,
    extensions: z.object({ KHR_texture_transform: textureTransform.exactOptional() }).exactOptional(),
  })
  .exactOptional()

const extensions = z.object({
  KHR_materials_anisotropy: z
    .object({ anisotropyStrength: factor, anisotropyRotation: factor, anisotropyTexture: texture })
    .exactOptional(),
  KHR_materials_clearcoat: z
    .object({
      clearcoatFactor: factor,
      clearcoatTexture: texture,
      clearcoatNormalTexture: texture,
      clearcoatRoughnessFactor: factor,
      clearcoatRoughnessTexture: texture,
    })
    .exactOptional(),
  KHR_materials_diffuse_roughness: z
    .object({ diffuseRoughnessFactor: factor, diffuseRoughnessTexture: texture })
    .exactOptional(),
  KHR_materials_dispersion: z.object({ dispersion: factor }).exactOptional(),
  KHR_materials_emissive_strength: z.object({ emissiveStrength: factor }).exactOptional(),
  KHR_materials_ior: z.object({ ior: factor }).exactOptional(),
  KHR_materials_iridescence: z
    .object({
      iridescenceFactor: factor,
      iridescenceTexture: texture,
      iridescenceIor: factor,
      iridescenceThicknessMinimum: factor,
      iridescenceThicknessMaximum: factor,
      iridescenceThicknessTexture: texture,
    })
    .exactOptional(),
  KHR_materials_pbrSpecularGlossiness: z
    .object({
      diffuseFactor: numbers(4).exactOptional(),
      diffuseTexture: texture,
      specularFactor: color,
      glossinessFactor: factor,
      specularGlossinessTexture: texture,
    })
    .exactOptional(),
  KHR_materials_sheen: z
    .object({
      sheenColorFactor: color,
      sheenColorTexture: texture,
      sheenRoughnessFactor: factor,
      sheenRoughnessTexture: texture,
    })
    .exactOptional(),
  KHR_materials_specular: z
    .object({
      specularFactor: factor,
      specularTexture: texture,
      specularColorFactor: color,
      specularColorTexture: texture,
    })
    .exactOptional(),
  KHR_materials_transmission: z.object({ transmissionFactor: factor, transmissionTexture: texture }).exactOptional(),
  KHR_materials_unlit: z.object({}).exactOptional(),
  KHR_materials_volume: z
    .object({
      thicknessFactor: factor,
      thicknessTexture: texture,
      attenuationDistance: factor,
      attenuationColor: color,
    })
    .exactOptional(),
})

export const material = z.object({
  name,
  pbrMetallicRoughness: z
    .object({
      baseColorFactor: numbers(4).exactOptional(),
      metallicFactor: factor,
      roughnessFactor: factor,
      baseColorTexture: texture,
      metallicRoughnessTexture: texture,
    })
    .exactOptional(),
  normalTexture: texture,
  occlusionTexture: texture,
  emissiveTexture: texture,
  emissiveFactor: color,
  alphaMode: z.enum(['OPAQUE', 'MASK', 'BLEND']).exactOptional(),
  alphaCutoff: factor,
  doubleSided: z.boolean().exactOptional(),
  extensions: extensions.exactOptional(),
})
