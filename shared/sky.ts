/** Radiance of the surroundings for rays that hit nothing: three colours blended by elevation. World up is +Y. */
import type { Sky } from './scene/environment.ts'

/**
 * Share of `zenith` over `horizon` above the horizon, of `ground` over `horizon` below it, for a unit direction's `y`.
 * Haze thins out quickly with height, 1 - (1 - y)²; the ground takes over within about six degrees below the horizon.
 */
export function skyBlend(y: number): number {
  if (y >= 0) return y * (2 - y)
  const depth = Math.min(1, -10 * y)
  return depth * depth * (3 - 2 * depth)
}

/** Radiance of colour channel 0, 1 or 2 from the unit direction whose upward component is `y`. */
export function skyRadiance(sky: Omit<Sky, 'kind'>, y: number, channel: 0 | 1 | 2): number {
  const horizon = sky.horizon[channel]
  const far = y >= 0 ? sky.zenith[channel] : sky.ground[channel]
  return horizon + (far - horizon) * skyBlend(y)
}
