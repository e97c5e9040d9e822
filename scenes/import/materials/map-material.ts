/**
 * Maps three materials to what is traced, without duplicates.
 *
 * | three | here |
 * |---|---|
 * | Basic | unlit, unless `userData.unlit` is false |
 * | Lambert, others | diffuse: roughness 1 |
 * | Phong | as wide a highlight: α² = 2 / (shininess + 2) (Walter et al., EGSR 2007); none if `specular` is black |
 * | Standard, Physical | the properties of the same names, with their textures (`map-textures.ts`) |
 * | `thickness` 0, with transmission | a thin sheet, as in glTF, unless `userData.thin` (true or false) says otherwise |
 * | `attenuationColor`, `attenuationDistance` | absorption = −ln(color) / distance per channel; none if the distance is infinite |
 * | `emissive` × `emissiveIntensity` | emission |
 * | `alphaTest`; `transparent` or `alphaHash`, and `opacity` | a mask; a blend, if anything of it is not opaque |
 * | `userData.unlit`, `userData.culled` | shown as it is, or not; cameras look through its back sides. Set by `files/gltf-surfaces.ts` |
 *
 * Shares are clamped to [0, 1] and rounded to 1e-6, so that equal colours have equal bytes even if their conversions differ in the
 * last bit.
 */
import {
  Color,
  MeshBasicMaterial,
  MeshPhongMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  Texture,
  type Material as ThreeMaterial,
  type Vector2,
} from 'three'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { MAX_DISPERSION, MAX_FILM, MAX_RADIANCE, MAX_SPECULAR } from '../../../shared/scene/look-schema.ts'
import { DEFAULT_MATERIAL, type Material } from '../../../shared/scene/material.ts'
import { MAX_TEXTURE_FACTOR, type Texture as SceneTexture } from '../../../shared/scene/texture.ts'
import { SceneMeshError } from '../../errors.ts'
import { UnusedLook } from '../../look/unused-look.ts'
import { type TextureMemo, TextureTable } from './map-texture.ts'
import { mapsOf } from './map-textures.ts'
import { unmetOf } from './unmet-material.ts'

const MAX_MATERIALS = 65536

/** Numbers of the names of materials; the real one is NameTable. */
export interface MaterialNames {
  materialOf(material: ThreeMaterial): number
}

/** Collects materials: equal ones of one name share a number, however many three objects describe them. */
export class MaterialTable {
  readonly materials: Material[] = []
  readonly #numbers = new Map<string, number>()
  /** The same of equal ones of any name. */
  readonly #alike = new Map<string, number>()
  readonly #names: MaterialNames | undefined
  /** Of objects that came before: a scene may have a million instances of one. */
  readonly #untinted = new Map<ThreeMaterial, number>()
  readonly #told = new Set<ThreeMaterial>()
  readonly #problems: string[]
  readonly #unused = new UnusedLook()
  readonly #textures: TextureTable

  /** Unsupported features of the materials are reported in `problems`, once each. */
  constructor(problems: string[], memo?: TextureMemo, names?: MaterialNames) {
    this.#problems = problems
    this.#names = names
    this.#textures = new TextureTable(memo)
  }

  /** Those that materials refer to. */
  get textures(): readonly SceneTexture[] {
    return this.#textures.textures
  }

  /** Reports what many materials have, such as textures, in one sentence each: call it after the last material. */
  tellUnused(): void {
    this.#problems.push(...this.#unused.problems())
  }

  /**
   * The number of a material, its colour multiplied by `tint` if given (an instance's colour). `mesh` is used in messages.
   * @throws SceneMeshError for more than 65536 different materials
   */
  numberOf(material: ThreeMaterial, mesh: string, tint?: Color): number {
    const before = tint ? undefined : this.#untinted.get(material)
    if (before !== undefined) return before
    this.#tellOnce(material, mesh)
    const number = this.#numberOfEqual(material, mesh, tint)
    if (!tint) this.#untinted.set(material, number)
    return number
  }

  #numberOfEqual(material: ThreeMaterial, mesh: string, tint: Color | undefined): number {
    const mapped = mapMaterial(material, tint, this.#textures)
    const label = this.#names?.materialOf(material) ?? 0
    const look = JSON.stringify(mapped)
    const key = `${label} ${look}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const alike = this.#alike.get(look)
    if (this.materials.length === MAX_MATERIALS) {
      // A name is worth less than a picture.
      if (alike !== undefined) return alike
      throw new SceneMeshError(mesh, `expected at most ${MAX_MATERIALS} different materials in the scene, got more`)
    }
    this.#numbers.set(key, this.materials.length)
    if (alike === undefined) this.#alike.set(look, this.materials.length)
    return this.materials.push(label === 0 ? mapped : { ...mapped, label }) - 1
  }

  #tellOnce(material: ThreeMaterial, mesh: string): void {
    if (this.#told.has(material)) return
    this.#told.add(material)
    this.#unused.add(material)
    const name = `material '${material.name || material.type}' of ${mesh}`
    for (const problem of unmetOf(material)) this.#problems.push(`${name}: ${problem}`)
  }
}

/** Without a table for them, textures are left out. */
export function mapMaterial(material: ThreeMaterial, tint?: Color, textures?: TextureTable): Material {
  const own = 'color' in material && material.color instanceof Color ? material.color : GREY
  const { metalness, roughness } =
    material instanceof MeshStandardMaterial ? material : { metalness: 0, roughness: roughnessOf(material) }
  const maps = textures ? mapsOf(material, textures) : {}
  const common: Material = {
    ...DEFAULT_MATERIAL,
    ...opacityOf(material, textures),
    color: sharesOf(tint ? own.clone().multiply(tint) : own),
    unlit: isUnlit(material),
    culled: material.userData.culled === true,
    metallic: share(metalness),
    roughness: share(roughness),
    ...(material instanceof MeshStandardMaterial && {
      normalScale: factorsOf(material.normalScale),
      occlusion: share(material.aoMapIntensity),
    }),
    emission: emissionOf(material),
    maps,
  }
  return material instanceof MeshPhysicalMaterial ? { ...common, ...physicalOf(material) } : common
}

function physicalOf(material: MeshPhysicalMaterial): Partial<Material> {
  const thin = material.transmission > 0 && isThin(material)
  const { r, g, b } = material.specularColor
  return {
    ior: indexOfRefraction(material.ior),
    specular: share(material.specularIntensity),
    specularColor: [within(r, MAX_SPECULAR), within(g, MAX_SPECULAR), within(b, MAX_SPECULAR)],
    transmission: share(material.transmission),
    thin,
    absorption: material.transmission > 0 && !thin ? absorptionOf(material) : [0, 0, 0],
    dispersion: within(material.dispersion, MAX_DISPERSION),
    coat: share(material.clearcoat),
    coatRoughness: share(material.clearcoatRoughness),
    coatNormalScale: factorsOf(material.clearcoatNormalScale),
    ...sheenOf(material),
    ...iridescenceOf(material),
    anisotropy: share(material.anisotropy),
    anisotropyRotation: material.anisotropy > 0 ? turnsOf(material.anisotropyRotation) : 0,
  }
}

/** Nothing of a property without strength: materials that look the same are equal. */
function sheenOf({ sheen, sheenColor, sheenRoughness }: MeshPhysicalMaterial): Partial<Material> {
  const color = sharesOf(sheenColor.clone().multiplyScalar(sheen))
  return color.some(channel => channel > 0) ? { sheenColor: color, sheenRoughness: share(sheenRoughness) } : {}
}

function iridescenceOf({
  iridescence,
  iridescenceIOR,
  iridescenceThicknessMinimum: thinnest,
  iridescenceThicknessMaximum: thickest,
}: MeshPhysicalMaterial): Partial<Material> {
  if (!(iridescence > 0)) return {}
  return {
    iridescence: share(iridescence),
    iridescenceIor: indexOfRefraction(iridescenceIOR),
    iridescenceThickness: [within(thinnest, MAX_FILM), within(thickest, MAX_FILM)],
  }
}

const GREY = new Color(0.5, 0.5, 0.5)

const isUnlit = (material: ThreeMaterial): boolean =>
  typeof material.userData.unlit === 'boolean' ? material.userData.unlit : material instanceof MeshBasicMaterial

const isBlack = ({ r, g, b }: Color): boolean => r === 0 && g === 0 && b === 0

/** Written so that NaN becomes 0. */
const share = (value: number): number => (value > 0 ? rounded(Math.min(value, 1)) : 0)

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

const sharesOf = ({ r, g, b }: Color): Vec3 => [share(r), share(g), share(b)]

/** From 0 to `most`; NaN becomes 0. */
const within = (value: number, most: number): number => (value > 0 ? rounded(Math.min(value, most)) : 0)

const factorsOf = ({ x, y }: Vector2): [number, number] => [factor(x), factor(y)]

const factor = (value: number): number =>
  Number.isFinite(value) ? rounded(Math.max(-MAX_TEXTURE_FACTOR, Math.min(value, MAX_TEXTURE_FACTOR))) : 1

/** Whole turns are left out: a share of one remains. */
function turnsOf(radians: number): number {
  const turns = radians / (2 * Math.PI)
  return Number.isFinite(turns) ? rounded(turns - Math.floor(turns)) : 0
}

/** Clamped to what a packed scene allows; `!(…)` also catches NaN. */
const indexOfRefraction = (ior: number): number => (!(ior >= 1) ? 1 : rounded(Math.min(ior, 4)))

/** What lets light through where: nothing does if there is no opacity below 1 anywhere. */
function opacityOf(
  material: ThreeMaterial,
  textures: TextureTable | undefined,
): Pick<Material, 'alpha' | 'opacity' | 'alphaCutoff'> {
  const { alphaTest, alphaHash, transparent, opacity, vertexColors } = material
  // Asked last: it may look at every texel of a map.
  const varies = () =>
    vertexColors ||
    ('alphaMap' in material && material.alphaMap instanceof Texture) ||
    ('map' in material && material.map instanceof Texture && textures?.hasOpacity(material.map) === true)
  const alpha = alphaTest > 0 ? 'mask' : (transparent || alphaHash) && (opacity < 1 || varies()) ? 'blend' : 'opaque'
  return alpha === 'opaque'
    ? { alpha, opacity: 1, alphaCutoff: DEFAULT_MATERIAL.alphaCutoff }
    : { alpha, opacity: share(opacity), alphaCutoff: within(alphaTest, 2) }
}

/** α is the square of roughness. */
const roughnessOf = (material: ThreeMaterial): number =>
  material instanceof MeshPhongMaterial && !isBlack(material.specular) && material.shininess > 0
    ? Math.sqrt(Math.sqrt(2 / (material.shininess + 2)))
    : 1

const isThin = ({ thickness, userData }: MeshPhysicalMaterial): boolean =>
  typeof userData.thin === 'boolean' ? userData.thin : !(thickness > 0)

/** Darkest channel of a colour of attenuation: black would need infinite absorption. */
const DARKEST = 1e-6

/** To nine digits: the platform's logarithms may differ in the last bit. */
function absorptionOf({ attenuationColor: { r, g, b }, attenuationDistance }: MeshPhysicalMaterial): Vec3 {
  const along = (channel: number): number => {
    const passed = channel > DARKEST ? Math.min(channel, 1) : DARKEST
    const absorption = -Math.log(passed) / attenuationDistance
    return absorption > 0 ? Math.min(Number(absorption.toPrecision(9)), MAX_RADIANCE) : 0
  }
  return attenuationDistance > 0 ? [along(r), along(g), along(b)] : [0, 0, 0]
}

function emissionOf(material: ThreeMaterial): Vec3 {
  if (!('emissive' in material) || !(material.emissive instanceof Color)) return [0, 0, 0]
  const { r, g, b } = material.emissive
  const intensity = 'emissiveIntensity' in material ? Number(material.emissiveIntensity) : 1
  const channel = (value: number): number =>
    value * intensity > 0 ? Math.min(rounded(value * intensity), MAX_RADIANCE) : 0
  return [channel(r), channel(g), channel(b)]
}
