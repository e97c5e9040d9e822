/**
 * Paths in flight: two queues of rays, which are traced and refilled in turn. A ray's two free words are its pixel in the block and
 * the number of its sample (sampler.ts); beside each ray is the state of its path, 32 bytes:
 *
 *     f32 weight[3] | f32 density | u32 scattered | u32 medium | u32 seed | u32 cone
 *
 * `weight` is the share of the light along the ray that reaches the eye; `density` the density per solid angle with which its
 * direction was chosen, 0 if light arriving along it could not have been found in another way; `scattered` how often it was
 * scattered; `medium` the address of the material that it travels in, or 0; `seed` that of its sample's numbers;
 * `cone` how much of a surface it stands for (`surface/cone.ts`).
 */
import { RAY_BYTES, RAY_FREE } from '../layout'
import { QUEUE_RAYS } from '../surface/workspace'
import { writeRay } from '../trace/write-ray'
import { QUEUE_BYTES, queues } from './workspace'

export const RAY_PIXEL: u32 = RAY_FREE
export const RAY_NUMBER: u32 = RAY_FREE + 4

export const STATE_BYTES: u32 = 32
export const STATE_WEIGHT: u32 = 0
export const STATE_DENSITY: u32 = 12
export const STATE_SCATTERED: u32 = 16
export const STATE_MEDIUM: u32 = 20
export const STATE_SEED: u32 = 24
export const STATE_CONE: u32 = 28

let firstCount: u32 = 0
let secondCount: u32 = 0

/** Rays of queue 0 or 1. */
@inline
export function raysOf(queue: u32): u32 {
  return queues + queue * QUEUE_BYTES
}

/** State of the path of a queue's ray. */
@inline
export function stateOf(queue: u32, ray: u32): u32 {
  return raysOf(queue) + QUEUE_RAYS * RAY_BYTES + ((ray - raysOf(queue)) / RAY_BYTES) * STATE_BYTES
}

@inline
export function countOf(queue: u32): u32 {
  return queue == 0 ? firstCount : secondCount
}

@inline
export function setCount(queue: u32, count: u32): void {
  if (queue == 0) firstCount = count
  else secondCount = count
}

/** Appends a ray to a queue, which must have room, and returns its address. */
export function appendRay(
  queue: u32,
  ox: f64,
  oy: f64,
  oz: f64,
  tMin: f64,
  dx: f64,
  dy: f64,
  dz: f64,
  tMax: f64,
  pixel: u32,
  number: u32,
): u32 {
  const count = countOf(queue)
  setCount(queue, count + 1)
  const ray = raysOf(queue) + count * RAY_BYTES
  writeRay(ray, <f32>ox, <f32>oy, <f32>oz, <f32>tMin, <f32>dx, <f32>dy, <f32>dz, <f32>tMax)
  store<u32>(ray, pixel, RAY_PIXEL)
  store<u32>(ray, number, RAY_NUMBER)
  return ray
}

/** Writes the state of a path. */
export function setState(
  state: u32,
  red: f64,
  green: f64,
  blue: f64,
  density: f64,
  scattered: u32,
  medium: u32,
  seed: u32,
  cone: u32,
): void {
  store<f32>(state, <f32>red, STATE_WEIGHT)
  store<f32>(state, <f32>green, STATE_WEIGHT + 4)
  store<f32>(state, <f32>blue, STATE_WEIGHT + 8)
  store<f32>(state, <f32>density, STATE_DENSITY)
  store<u32>(state, scattered, STATE_SCATTERED)
  store<u32>(state, medium, STATE_MEDIUM)
  store<u32>(state, seed, STATE_SEED)
  store<u32>(state, cone, STATE_CONE)
}
