/**
 * Paths in flight: two queues of rays, which are traced and refilled in turn. A ray's `pixel` is that in the block, its `number` that of its
 * sample (`sampler.ts`); beside each ray is the state of its path.
 */
import { Path, Ray } from '../records'
import { QUEUE_RAYS } from '../surface/workspace'
import { writeRay } from '../trace/write-ray'
import { QUEUE_BYTES, queues } from './workspace'

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
  return raysOf(queue) + QUEUE_RAYS * Ray.BYTES + ((ray - raysOf(queue)) / Ray.BYTES) * Path.BYTES
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
  const ray = raysOf(queue) + count * Ray.BYTES
  writeRay(ray, <f32>ox, <f32>oy, <f32>oz, <f32>tMin, <f32>dx, <f32>dy, <f32>dz, <f32>tMax)
  Ray.setPixel(ray, pixel)
  Ray.setNumber(ray, number)
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
  facing: u32,
  media: u32,
  seed: u32,
  cone: u32,
): void {
  Path.setWeightRed(state, <f32>red)
  Path.setWeightGreen(state, <f32>green)
  Path.setWeightBlue(state, <f32>blue)
  Path.setDensity(state, <f32>density)
  Path.setScattered(state, <u16>scattered)
  Path.setFacing(state, <u16>facing)
  Path.setMedia(state, media)
  Path.setSeed(state, seed)
  Path.setCone(state, cone)
}
