/**
 * Rays to lights, queued to be traced together. Each ray has the light that it contributes if nothing is in its way, f32[3] in 16
 * bytes; its free word is its pixel in the block.
 */
import {
  RAY_BYTES,
  RAY_DIRECTION,
  RAY_FREE,
  RAY_HIT,
  RAY_ORIGIN,
  RAY_STEPS,
  RAY_T_MAX,
  RAY_T_MIN,
  SUM_BYTES,
} from '../layout'
import { accumulate } from '../shade/accumulate'
import { QUEUE_RAYS, shadows, steps, sums } from '../shade/workspace'
import { traceShadow } from '../trace/trace'

const LIGHT_BYTES: u32 = 16

let count: u32 = 0

export function clearShadows(): void {
  count = 0
}

/** Appends a ray; there is room for one of each ray of a queue. */
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
  store<f32>(ray, <f32>ox, RAY_ORIGIN)
  store<f32>(ray, <f32>oy, RAY_ORIGIN + 4)
  store<f32>(ray, <f32>oz, RAY_ORIGIN + 8)
  store<f32>(ray, 0, RAY_T_MIN)
  store<f32>(ray, <f32>dx, RAY_DIRECTION)
  store<f32>(ray, <f32>dy, RAY_DIRECTION + 4)
  store<f32>(ray, <f32>dz, RAY_DIRECTION + 8)
  store<f32>(ray, <f32>reach, RAY_T_MAX)
  store<u32>(ray, pixel, RAY_FREE)
  const light = shadows + QUEUE_RAYS * RAY_BYTES + count * LIGHT_BYTES
  store<f32>(light, <f32>red)
  store<f32>(light, <f32>green, 4)
  store<f32>(light, <f32>blue, 8)
  count++
}

/** Traces all rays, and adds the light of those that reach theirs. */
export function flushShadows(): void {
  traceShadow(shadows, count, false)
  let light = shadows + QUEUE_RAYS * RAY_BYTES
  const end = shadows + count * RAY_BYTES
  for (let ray = shadows; ray < end; ray += RAY_BYTES, light += LIGHT_BYTES) {
    const pixel = load<u32>(ray, RAY_FREE)
    const counted = steps + pixel * 4
    store<u32>(counted, load<u32>(counted) + load<u32>(ray, RAY_STEPS))
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
