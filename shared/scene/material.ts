/**
 * How a surface scatters and emits light: one record with the properties of glTF's metallic-roughness model and its extensions.
 * Colours are linear RGB, each channel in [0, 1] unless it says otherwise.
 */
import type { Vec3 } from '../frame/view.ts'
import type { TextureUse } from './texture.ts'

/** What opacity does: nothing, hide what is below `alphaCutoff`, or let that share of the light through. */
export const ALPHA_MODES = ['opaque', 'mask', 'blend'] as const
export type AlphaMode = (typeof ALPHA_MODES)[number]

/**
 * What textures may say of a material. Each multiplies the property of its name, but `normal` and `coatNormal` (directions in tangent
 * space), `anisotropy` (red and green: a direction that turns that of the material; blue: strength) and `iridescenceThickness`, which
 * chooses between the thinnest and the thickest film.
 */
export const MAP_NAMES = [
  'color',
  'opacity',
  'occlusion',
  'metallic',
  'roughness',
  'normal',
  'emission',
  'specular',
  'specularColor',
  'transmission',
  'coat',
  'coatRoughness',
  'coatNormal',
  'sheenColor',
  'sheenRoughness',
  'anisotropy',
  'iridescence',
  'iridescenceThickness',
] as const
export type MapName = (typeof MAP_NAMES)[number]

export interface Material {
  /** Albedo of a diffuse surface, reflectance of a metal at normal incidence, tint of the light that enters glass. */
  readonly color: Vec3
  /** Shown as it is, whatever light there is: radiance instead of albedo. */
  readonly unlit: boolean
  readonly alpha: AlphaMode
  /** 0 to 1. */
  readonly opacity: number
  readonly alphaCutoff: number
  /** Whether cameras look through its back sides. */
  readonly culled: boolean
  /** Share of the surface that is metal, 0 to 1. */
  readonly metallic: number
  /** Perceived roughness, 0 (perfectly smooth) to 1; α of the GGX distribution is its square. */
  readonly roughness: number
  /** Index of refraction, 1 to 4. */
  readonly ior: number
  /** Strength and colour of the reflection of what is not metal; colours may be above 1. */
  readonly specular: number
  readonly specularColor: Vec3
  /** Share of the light entering a dielectric that passes through instead of being scattered diffusely, 0 to 1. */
  readonly transmission: number
  /** A sheet without inside, like a window pane or a soap bubble: light passes straight through. */
  readonly thin: boolean
  /** Absorption inside, per scene unit: light that has travelled a distance d is dimmed by exp(−absorption · d). */
  readonly absorption: Vec3
  /** How much the index of refraction depends on the wavelength: 20 over the Abbe number; 0 if it does not. */
  readonly dispersion: number
  /** Share of the surface under a clear dielectric coat, 0 to 1, and the coat's roughness. */
  readonly coat: number
  readonly coatRoughness: number
  /** Light that fibres scatter back along the surface, as of velvet; black for none. */
  readonly sheenColor: Vec3
  readonly sheenRoughness: number
  /** How much longer than wide highlights are, 0 to 1, and their direction in turns from the tangent. */
  readonly anisotropy: number
  readonly anisotropyRotation: number
  /** Share of the surface under a film that is as thin as light's wavelength, the film's index, and its least and most thickness in nm. */
  readonly iridescence: number
  readonly iridescenceIor: number
  readonly iridescenceThickness: readonly [number, number]
  /** Factors of the x and y of normals from textures. */
  readonly normalScale: readonly [number, number]
  readonly coatNormalScale: readonly [number, number]
  /** How much of the light from all around an occlusion texture may take away; for the ambient integrator. */
  readonly occlusion: number
  /** Emitted radiance, towards both sides. */
  readonly emission: Vec3
  readonly maps: Readonly<Partial<Record<MapName, TextureUse>>>
  /** Number of its name (`scene-names.ts`). @default 0 */
  readonly label?: number
}

/** Of a coat: as glTF has it, whatever is below it (KHR_materials_clearcoat). */
const COAT_IOR = 1.5

/** Index of refraction of a material's coat: its own, if nothing below the coat has one, as a diffuse body. Textures do not change it. */
export const coatIor = ({ roughness, metallic, transmission, ior }: Material): number =>
  roughness === 1 && metallic === 0 && transmission === 0 ? ior : COAT_IOR

/** White, diffuse and dark: what a material has unless it says otherwise. */
export const DEFAULT_MATERIAL: Material = {
  color: [1, 1, 1],
  unlit: false,
  alpha: 'opaque',
  opacity: 1,
  alphaCutoff: 0.5,
  culled: false,
  metallic: 0,
  roughness: 1,
  ior: 1.5,
  specular: 1,
  specularColor: [1, 1, 1],
  transmission: 0,
  thin: false,
  absorption: [0, 0, 0],
  dispersion: 0,
  coat: 0,
  coatRoughness: 0,
  sheenColor: [0, 0, 0],
  sheenRoughness: 0,
  anisotropy: 0,
  anisotropyRotation: 0,
  iridescence: 0,
  iridescenceIor: 1.3,
  iridescenceThickness: [100, 400],
  normalScale: [1, 1],
  coatNormalScale: [1, 1],
  occlusion: 1,
  emission: [0, 0, 0],
  maps: {},
}
