/**
 * Rays to lights, queued to be traced together. Each ray has the light that it contributes if nothing is in its way, f32[3] in 16
 * bytes; its free word is its pixel in the block.
 */
import { RAY_BYTES, RAY_FREE, RAY_HIT, SUM_BYTES } from '../layout'
import { accumulate } from '../surface/accumulate'
import { passShadows } from '../surface/pass'
import { countSteps } from '../surface/steps'
import { sums } from '../surface/workspace'
import { traceShadow } from '../trace/trace'
import { writeRay } from '../trace/write-ray'
import { SHADOW_PASSAGES } from './pass'
import { SHADOW_RAYS, shadows } from './workspace'

const LIGHT_BYTES: u32 = 16

let count: u32 = 0

export function clearShadows(): void {
  count = 0
}

/** Appends a ray; there is room for one of each group of lights for each ray of a queue. */
export function appendShadow(
  ox: f64,
  oy: f64,
  oz: f64,
  dx: f64,
  dy: f64,
  dz: f64,
  reach: f64,
  pixel: u32,
  red: f64,
  green: f64,
  blue: f64,
): void {
  const ray = shadows + count * RAY_BYTES
  writeRay(ray, <f32>ox, <f32>oy, <f32>oz, 0, <f32>dx, <f32>dy, <f32>dz, <f32>reach)
  store<u32>(ray, pixel, RAY_FREE)
  const light = shadows + SHADOW_RAYS * RAY_BYTES + count * LIGHT_BYTES
  store<f32>(light, <f32>red)
  store<f32>(light, <f32>green, 4)
  store<f32>(light, <f32>blue, 8)
  count++
}

/** Traces all rays, and adds the light of those that reach theirs. */
export function flushShadows(): void {
  traceShadow(shadows, count, false)
  passShadows(shadows, count, shadows + SHADOW_RAYS * RAY_BYTES, LIGHT_BYTES, SHADOW_PASSAGES, false)
  let light = shadows + SHADOW_RAYS * RAY_BYTES
  const end = shadows + count * RAY_BYTES
  for (let ray = shadows; ray < end; ray += RAY_BYTES, light += LIGHT_BYTES) {
    const pixel = load<u32>(ray, RAY_FREE)
    countSteps(pixel, ray)
    // Glass is in the way, too: what it bends is found by scattered rays.
    if (load<u32>(ray, RAY_HIT) == 0)
      accumulate(
        sums + pixel * SUM_BYTES,
        <f64>load<f32>(light),
        <f64>load<f32>(light, 4),
        <f64>load<f32>(light, 8),
      )
  }
  count = 0
}
