/** How surfaces scatter light in the first integrator. Colours are linear RGB, each channel in [0, 1]. */
import type { Vec3 } from '../view.ts'

export type Material =
  /** Lambert reflector. */
  | { readonly kind: 'matte'; readonly color: Vec3 }
  /** Lambert reflector under a smooth clear coat: Fresnel reflection on top, matte beneath. */
  | { readonly kind: 'coated'; readonly color: Vec3; readonly ior: number }
  /** Perfect mirror tinted by `color`. */
  | { readonly kind: 'mirror'; readonly color: Vec3 }
  /** Smooth dielectric: reflects and refracts; `color` tints what passes through one surface. */
  | { readonly kind: 'glass'; readonly color: Vec3; readonly ior: number }

/** Radiance of the surroundings by direction; see `sky.ts` for how the three blend. Linear RGB. */
export interface Sky {
  readonly zenith: Vec3
  readonly horizon: Vec3
  readonly ground: Vec3
}

/** One distant light. */
export interface Sun {
  /** Unit vector from the scene towards the sun. */
  readonly direction: Vec3
  /** Irradiance on a surface that faces the sun, linear RGB; zero switches the sun off. */
  readonly irradiance: Vec3
}
