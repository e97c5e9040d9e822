/** The sky's radiance: three colours blended by elevation (twin: `shared/sky.ts`). */
import { Scene } from '../records'
import { accumulateFloats } from './accumulate'
import { add, mul, splat, sub } from './math/floats'

/** Radiance of the sky; `y` is the upward component of a unit direction. */
@inline
export function skyAt(y: f32): v128 {
  const horizon = Scene.skyHorizon()
  const far = v128.load(y >= 0 ? Scene.skyZenithAddress() : Scene.skyGroundAddress())
  return add(horizon, mul(sub(far, horizon), splat(skyBlend(y))))
}

/** Adds the weighted radiance of the sky to a sum; `y` is the upward component of a unit direction. */
@inline
export function addSky(sum: u32, y: f32, weight: v128): void {
  accumulateFloats(sum, mul(weight, skyAt(y)))
}

@inline
function skyBlend(y: f32): f32 {
  if (y >= 0) return y * (<f32>2 - y)
  const depth = min<f32>(1, <f32>-10 * y)
  return depth * depth * (<f32>3 - <f32>2 * depth)
}
