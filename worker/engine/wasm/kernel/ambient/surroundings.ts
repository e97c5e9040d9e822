/**
 * What a ray sees that hits nothing: the sky, and the sun as a soft glow. Smooth surfaces are never perfectly smooth and the eye is not a
 * perfect lens, so the sun's light is spread as cosine^256 around its direction, about 5 degrees wide. A power of two, so that no power
 * function is needed.
 */
import { Scene } from '../records'
import { accumulateFloats } from '../surface/accumulate'
import { mul, splat } from '../surface/math/floats'
import { addSky } from '../surface/sky'

/** 257 / 2π: makes the glow's integral over all directions 1, so that it carries the sun's irradiance. */
const GLOW_SCALE: f32 = 257.0 / (2.0 * 3.141592653589793)

/** Adds what is visible in a unit direction to a sum; `weight` in red, green and blue. */
export function addSurroundings(sum: u32, dx: f32, dy: f32, dz: f32, weight: v128): void {
  const cosine = dx * Scene.sunDirectionX() + dy * Scene.sunDirectionY() + dz * Scene.sunDirectionZ()
  if (cosine > 0) {
    let glow = cosine * cosine
    glow *= glow
    glow *= glow
    glow *= glow
    glow *= glow
    glow *= glow
    glow *= glow
    glow *= glow
    accumulateFloats(sum, mul(weight, mul(Scene.sunIrradiance(), splat(glow * GLOW_SCALE))))
  }
  addSky(sum, dy, weight)
}
