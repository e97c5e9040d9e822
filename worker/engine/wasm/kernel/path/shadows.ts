/**
 * Rays to lights, queued to be traced together. Each ray has the light that it contributes if nothing is in its way, f32[3] in 16
 * bytes; its free word is its pixel in the block.
 */
import { Ray, ShadowLight, Sum } from '../records'
import { accumulate } from '../surface/accumulate'
import { passShadows } from '../surface/pass'
import { countSteps } from '../surface/steps'
import { sums } from '../surface/workspace'
import { traceShadow } from '../trace/trace'
import { writeRay } from '../trace/write-ray'
import { SHADOW_PASSAGES } from './pass'
import { SHADOW_RAYS, shadows } from './workspace'

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
  const ray = shadows + count * Ray.BYTES
  writeRay(ray, <f32>ox, <f32>oy, <f32>oz, 0, <f32>dx, <f32>dy, <f32>dz, <f32>reach)
  Ray.setPixel(ray, pixel)
  const light = shadows + SHADOW_RAYS * Ray.BYTES + count * ShadowLight.BYTES
  ShadowLight.setLightRed(light, <f32>red)
  ShadowLight.setLightGreen(light, <f32>green)
  ShadowLight.setLightBlue(light, <f32>blue)
  count++
}

/** Traces all rays, and adds the light of those that reach theirs. */
export function flushShadows(): void {
  traceShadow(shadows, count, false)
  passShadows(shadows, count, shadows + SHADOW_RAYS * Ray.BYTES, ShadowLight.BYTES, SHADOW_PASSAGES, false)
  let light = shadows + SHADOW_RAYS * Ray.BYTES
  const end = shadows + count * Ray.BYTES
  for (let ray = shadows; ray < end; ray += Ray.BYTES, light += ShadowLight.BYTES) {
    const pixel = Ray.pixel(ray)
    countSteps(pixel, ray)
    // Glass is in the way, too: what it bends is found by scattered rays.
    if (Ray.hit(ray) == 0)
      accumulate(
        sums + pixel * Sum.BYTES,
        <f64>ShadowLight.lightRed(light),
        <f64>ShadowLight.lightGreen(light),
        <f64>ShadowLight.lightBlue(light),
      )
  }
  count = 0
}
