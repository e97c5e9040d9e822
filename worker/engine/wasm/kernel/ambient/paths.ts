/**
 * Rays from the eye: camera rays, and the rays that mirrors and glass make of them. One queue per depth, the number of smooth
 * surfaces between a ray and the eye. Each ray has a weight in red, green and blue, f32[4] in 16 bytes.
 *
 * A ray's two free words are its tag, the pixel in its block plus the path times 2^PIXEL_BITS, and its sequence number: the
 * index of its sample among all samples along the Hilbert curve. A path is a position in the ray tree: 1 is the camera ray,
 * 2p the reflected and 2p + 1 the refracted ray of p; so its depth is its logarithm.
 */
import { Ray } from '../records'
import { PIXEL_BITS, PIXEL_MASK, QUEUE_RAYS } from '../surface/workspace'
import { writeRay } from '../trace/write-ray'
import { counts, MAX_DEPTH, paths, QUEUE_BYTES } from './workspace'

export const WEIGHT_BYTES: u32 = 16

@inline
export function pathRays(depth: u32): u32 {
  return paths + depth * QUEUE_BYTES
}

/** Weights of the rays of a depth. */
@inline
export function pathWeights(depth: u32): u32 {
  return paths + depth * QUEUE_BYTES + QUEUE_RAYS * Ray.BYTES
}

@inline
export function pathCount(depth: u32): u32 {
  return load<u32>(counts + depth * 4)
}

@inline
export function setPathCount(depth: u32, count: u32): void {
  store<u32>(counts + depth * 4, count)
}

@inline
export function pixelOfTag(tag: u32): u32 {
  return tag & PIXEL_MASK
}

@inline
export function pathOfTag(tag: u32): u32 {
  return tag >> PIXEL_BITS
}

@inline
export function depthOfTag(tag: u32): u32 {
  return 31 - clz<u32>(tag >> PIXEL_BITS)
}

/** The tag of the reflected (0) or refracted (1) ray of the ray with this tag. */
@inline
export function childTag(tag: u32, refracted: u32): u32 {
  return pixelOfTag(tag) | (((pathOfTag(tag) << 1) | refracted) << PIXEL_BITS)
}

/** Appends a reflected or refracted ray to the queue of its depth, which must have room. */
export function appendPath(
  ox: f32,
  oy: f32,
  oz: f32,
  dx: f32,
  dy: f32,
  dz: f32,
  weight: v128,
  tag: u32,
  sequence: u32,
): void {
  const depth = depthOfTag(tag)
  const count = pathCount(depth)
  setPathCount(depth, count + 1)
  const ray = pathRays(depth) + count * Ray.BYTES
  writeRay(ray, ox, oy, oz, 0, dx, dy, dz, Infinity)
  Ray.setTag(ray, tag)
  Ray.setSequence(ray, sequence)
  v128.store(pathWeights(depth) + count * WEIGHT_BYTES, weight)
}

/** Empties all queues, and sets the weight that all camera rays share. */
export function startPaths(share: f32): void {
  memory.fill(counts, 0, (MAX_DEPTH + 1) * 4)
  v128.store(pathWeights(0), f32x4.splat(share))
}
