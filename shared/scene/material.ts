/**
 * How a surface scatters and emits light: one record with the properties of glTF's metallic-roughness model and its extensions.
 * Colours are linear RGB, each channel in [0, 1].
 */
import type { Vec3 } from '../view.ts'
import type { TextureUse } from './texture.ts'

export interface Material {
  /** Albedo of a diffuse surface, reflectance of a metal at normal incidence, tint of the light that enters glass. */
  readonly color: Vec3
  /** Multiplies the colour. */
  readonly colorMap?: TextureUse | undefined
  /** Share of the surface that is metal, 0 to 1. */
  readonly metallic: number
  /** Perceived roughness, 0 (perfectly smooth) to 1; α of the GGX distribution is its square. */
  readonly roughness: number
  /** Index of refraction, 1 to 4. */
  readonly ior: number
  /** Share of the light entering a dielectric that passes through instead of being scattered diffusely, 0 to 1. */
  readonly transmission: number
  /** A sheet without inside, like a window pane or a soap bubble: light passes straight through. */
  readonly thin: boolean
  /** Absorption inside, per scene unit: light that has travelled a distance d is dimmed by exp(−absorption · d). */
  readonly absorption: Vec3
  /** Share of the surface under a clear dielectric coat, 0 to 1, and the coat's roughness. */
  readonly coat: number
  readonly coatRoughness: number
  /** Emitted radiance, towards both sides. */
  readonly emission: Vec3
}

/** White, diffuse and dark: what a material has unless it says otherwise. */
export const DEFAULT_MATERIAL: Material = {
  ...{ color: [1, 1, 1], metallic: 0, roughness: 1, ior: 1.5, transmission: 0, thin: false },
  ...{ absorption: [0, 0, 0], coat: 0, coatRoughness: 0, emission: [0, 0, 0] },
}
