/** Properties of glTF materials that animations may move, in three's materials. Textures: by their transforms. */
import { Color, type Material, Texture, Vector2 } from 'three'
import { ROUGHEST } from './gltf-surfaces.ts'

/** A property, its name after `/materials/0/`. */
interface Property {
  readonly size: 1 | 2 | 3 | 4
  /** Does nothing for a material without it. */
  set(material: Fields, value: Float64Array): void
}

type Fields = Record<string, unknown>

export function materialProperty(name: string): Property | undefined {
  const found = TRANSFORM.exec(name)
  if (found) return transformOf(found[1]!, found[2] as keyof typeof TRANSFORMS)
  return Object.hasOwn(PROPERTIES, name) ? PROPERTIES[name] : undefined
}

/** Gives materials textures of their own where these are moved: others may share them. */
export function prepareMaterial(material: Material, name: string): void {
  const found = TRANSFORM.exec(name)
  const fields = material as unknown as Fields
  for (const key of found ? (TEXTURES[found[1]!] ?? []) : []) {
    const texture = fields[key]
    if (texture instanceof Texture) fields[key] = texture.clone()
  }
}

const number = (key: string, from: (value: number) => number = value => value): Property => ({
  size: 1,
  set(material, [value]) {
    if (typeof material[key] === 'number') material[key] = from(value!)
  },
})

const color = (key: string): Property => ({
  size: 3,
  set: (material, value) => paint(material[key], value),
})

const scale = (key: string): Property => ({
  size: 1,
  set(material, [value]) {
    if (material[key] instanceof Vector2) material[key].setScalar(value!)
  },
})

/** Linear: not three's `setRGB`, which may convert. */
function paint(to: unknown, [r, g, b]: Float64Array): void {
  if (to instanceof Color) Object.assign(to, { r, g, b })
}

const EXTENSION = 'extensions/KHR_materials_'

const PROPERTIES: Readonly<Record<string, Property>> = {
  'pbrMetallicRoughness/baseColorFactor': {
    size: 4,
    set(material, value) {
      paint(material.color, value)
      material.opacity = value[3]!
    },
  },
  'pbrMetallicRoughness/metallicFactor': number('metalness'),
  'pbrMetallicRoughness/roughnessFactor': number('roughness', value => Math.min(value, ROUGHEST)),
  'normalTexture/scale': scale('normalScale'),
  'occlusionTexture/strength': number('aoMapIntensity'),
  emissiveFactor: color('emissive'),
  alphaCutoff: {
    size: 1,
    set(material, [value]) {
      // Of a mask: others have none.
      if (Number(material.alphaTest) > 0) material.alphaTest = Math.max(value!, 1e-6)
    },
  },
  [`${EXTENSION}anisotropy/anisotropyStrength`]: number('anisotropy'),
  [`${EXTENSION}anisotropy/anisotropyRotation`]: number('anisotropyRotation'),
  [`${EXTENSION}clearcoat/clearcoatFactor`]: number('clearcoat'),
  [`${EXTENSION}clearcoat/clearcoatRoughnessFactor`]: number('clearcoatRoughness'),
  [`${EXTENSION}clearcoat/clearcoatNormalTexture/scale`]: scale('clearcoatNormalScale'),
  [`${EXTENSION}dispersion/dispersion`]: number('dispersion'),
  [`${EXTENSION}emissive_strength/emissiveStrength`]: number('emissiveIntensity'),
  [`${EXTENSION}ior/ior`]: number('ior'),
  [`${EXTENSION}iridescence/iridescenceFactor`]: number('iridescence'),
  [`${EXTENSION}iridescence/iridescenceIor`]: number('iridescenceIOR'),
  [`${EXTENSION}iridescence/iridescenceThicknessMinimum`]: number('iridescenceThicknessMinimum'),
  [`${EXTENSION}iridescence/iridescenceThicknessMaximum`]: number('iridescenceThicknessMaximum'),
  [`${EXTENSION}sheen/sheenColorFactor`]: color('sheenColor'),
  [`${EXTENSION}sheen/sheenRoughnessFactor`]: number('sheenRoughness'),
  [`${EXTENSION}specular/specularFactor`]: number('specularIntensity'),
  [`${EXTENSION}specular/specularColorFactor`]: color('specularColor'),
  [`${EXTENSION}transmission/transmissionFactor`]: number('transmission'),
  [`${EXTENSION}volume/thicknessFactor`]: number('thickness'),
  [`${EXTENSION}volume/attenuationDistance`]: number('attenuationDistance', value => value || Number.POSITIVE_INFINITY),
  [`${EXTENSION}volume/attenuationColor`]: color('attenuationColor'),
}

/** The name of a texture, and what of its transform. */
const TRANSFORM = /^(.+)\/extensions\/KHR_texture_transform\/(offset|rotation|scale)$/

const TRANSFORMS = {
  offset: (texture: Texture, [x, y]: Float64Array) => void texture.offset.set(x!, y!),
  scale: (texture: Texture, [x, y]: Float64Array) => void texture.repeat.set(x!, y!),
  rotation: (texture: Texture, [angle]: Float64Array) => {
    texture.rotation = angle!
  },
}

/** three's textures by glTF's. */
const TEXTURES: Readonly<Record<string, readonly string[]>> = {
  'pbrMetallicRoughness/baseColorTexture': ['map'],
  'pbrMetallicRoughness/metallicRoughnessTexture': ['metalnessMap', 'roughnessMap'],
  normalTexture: ['normalMap'],
  occlusionTexture: ['aoMap'],
  emissiveTexture: ['emissiveMap'],
  [`${EXTENSION}anisotropy/anisotropyTexture`]: ['anisotropyMap'],
  [`${EXTENSION}clearcoat/clearcoatTexture`]: ['clearcoatMap'],
  [`${EXTENSION}clearcoat/clearcoatRoughnessTexture`]: ['clearcoatRoughnessMap'],
  [`${EXTENSION}clearcoat/clearcoatNormalTexture`]: ['clearcoatNormalMap'],
  [`${EXTENSION}iridescence/iridescenceTexture`]: ['iridescenceMap'],
  [`${EXTENSION}iridescence/iridescenceThicknessTexture`]: ['iridescenceThicknessMap'],
  [`${EXTENSION}sheen/sheenColorTexture`]: ['sheenColorMap'],
  [`${EXTENSION}sheen/sheenRoughnessTexture`]: ['sheenRoughnessMap'],
  [`${EXTENSION}specular/specularTexture`]: ['specularIntensityMap'],
  [`${EXTENSION}specular/specularColorTexture`]: ['specularColorMap'],
  [`${EXTENSION}transmission/transmissionTexture`]: ['transmissionMap'],
  [`${EXTENSION}volume/thicknessTexture`]: ['thicknessMap'],
}

function transformOf(name: string, what: keyof typeof TRANSFORMS): Property | undefined {
  if (!Object.hasOwn(TEXTURES, name)) return undefined
  return {
    size: what === 'rotation' ? 1 : 2,
    set(material, value) {
      for (const key of TEXTURES[name]!) {
        const texture = material[key]
        if (!(texture instanceof Texture)) continue
        TRANSFORMS[what](texture, value)
        place(texture)
      }
    },
  }
}

/** As glTF has it, and three's loader: first scaled, then turned. three itself would turn first. */
function place(texture: Texture): void {
  const { offset, repeat, rotation } = texture
  const [c, s] = [Math.cos(rotation), Math.sin(rotation)]
  texture.matrixAutoUpdate = false
  texture.matrix.set(repeat.x * c, repeat.y * s, offset.x, -repeat.x * s, repeat.y * c, offset.y, 0, 0, 1)
}
