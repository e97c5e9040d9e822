/**
 * What a ray sees that hits nothing: three colours blended by elevation (twin: `shared/sky.ts`), and the sun as a soft glow. Smooth
 * surfaces are never perfectly smooth and the eye is not a perfect lens, so the sun's light is spread as cosine^256 around its
 * direction, about 5 degrees wide. A power of two, so that no power function is needed.
 */
import { SCENE, SCENE_SKY, SCENE_SUN } from '../layout'
import { accumulate } from './accumulate'

const ZENITH: u32 = SCENE + SCENE_SKY
const HORIZON: u32 = ZENITH + 24
const GROUND: u32 = ZENITH + 48
const DIRECTION: u32 = SCENE + SCENE_SUN
const IRRADIANCE: u32 = DIRECTION + 24

/** 257 / 2π: makes the glow's integral over all directions 1, so that it carries the sun's irradiance. */
const GLOW_SCALE: f64 = 257.0 / (2.0 * 3.141592653589793)

/** Adds what is visible in a unit direction, weighted, to a sum. */
export function addSurroundings(sum: u32, dx: f64, dy: f64, dz: f64, red: f64, green: f64, blue: f64): void {
  const cosine = dx * load<f64>(DIRECTION) + dy * load<f64>(DIRECTION, 8) + dz * load<f64>(DIRECTION, 16)
  if (cosine > 0) {
    let glow = cosine * cosine
    glow *= glow
    glow *= glow
    glow *= glow
    glow *= glow
    glow *= glow
    glow *= glow
    glow *= glow
    glow *= GLOW_SCALE
    accumulate(
      sum,
      red * load<f64>(IRRADIANCE) * glow,
      green * load<f64>(IRRADIANCE, 8) * glow,
      blue * load<f64>(IRRADIANCE, 16) * glow,
    )
  }
  addSky(sum, dy, red, green, blue)
}

/** Adds the weighted radiance of the sky to a sum; `y` is the upward component of a unit direction. */
@inline
export function addSky(sum: u32, y: f64, red: f64, green: f64, blue: f64): void {
  const blend = skyBlend(y)
  const far = y >= 0 ? ZENITH : GROUND
  accumulate(sum, red * mixed(far, 0, blend), green * mixed(far, 8, blend), blue * mixed(far, 16, blend))
}

@inline
function skyBlend(y: f64): f64 {
  if (y >= 0) return y * (2 - y)
  const depth = min<f64>(1, -10 * y)
  return depth * depth * (3 - 2 * depth)
}

@inline
function mixed(far: u32, channel: u32, blend: f64): f64 {
  const horizon = load<f64>(HORIZON + channel)
  return horizon + (load<f64>(far + channel) - horizon) * blend
}
