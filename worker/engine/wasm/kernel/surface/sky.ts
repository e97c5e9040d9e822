/** The sky's radiance: three colours blended by elevation (twin: `shared/sky.ts`). */
import { SCENE, SCENE_SKY } from '../layout'
import { accumulateFloats } from './accumulate'
import { add, mul, splat, sub } from './math/floats'

const ZENITH: u32 = SCENE + SCENE_SKY
const HORIZON: u32 = ZENITH + 16
const GROUND: u32 = ZENITH + 32

/** Adds the weighted radiance of the sky to a sum; `y` is the upward component of a unit direction. */
@inline
export function addSky(sum: u32, y: f32, weight: v128): void {
  const horizon = v128.load(HORIZON)
  const far = v128.load(y >= 0 ? ZENITH : GROUND)
  accumulateFloats(sum, mul(weight, add(horizon, mul(sub(far, horizon), splat(skyBlend(y))))))
}

@inline
function skyBlend(y: f32): f32 {
  if (y >= 0) return y * (<f32>2 - y)
  const depth = min<f32>(1, <f32>-10 * y)
  return depth * depth * (<f32>3 - <f32>2 * depth)
}
