/** What surrounds a scene: what a ray meets that hits nothing. World up is +Y. Linear RGB. */
import type { Vec3 } from '../frame/view.ts'

export type Environment = Sky | EnvironmentMap

/** Radiance by elevation; see `../sky.ts` for how the three blend. */
export interface Sky {
  readonly kind: 'sky'
  readonly zenith: Vec3
  readonly horizon: Vec3
  readonly ground: Vec3
}

/**
 * A photographed environment in equirectangular projection, as three's `EquirectangularReflectionMapping`: the texel column of
 * a unit direction is (atan2(z, x) / 2π + ½) · width, its row from the top is acos(y) / π · height.
 */
export interface EnvironmentMap {
  readonly kind: 'map'
  readonly width: number
  readonly height: number
  /** Radiances, RGB by rows from the top; 0 to 1e12. */
  readonly texels: Float32Array
  /** Multiplies the radiances; 0 to 1e6. */
  readonly intensity: number
  /** Turns around +Y, -1 to 1: the direction is rotated by −rotation before it is looked up. */
  readonly rotation: number
}
