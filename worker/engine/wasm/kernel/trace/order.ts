/**
 * The order in which a stream takes up the rays of a batch, as a list of their addresses: coherent rays as they come, others by the octant of their directions, ORDERED
 * at a time. So neighbours in the list go the same way along every axis, and may begin at common entry points. The rays themselves stay where they are.
 */
import { Ray } from '../records'

/** Rays that are ordered at a time: enough for a few full beams in each octant, and few enough to start close to each other. */
export const ORDERED: u32 = 1024
/** The list, and where the stretch of each octant ends in it. */
const LIST_BYTES: u32 = ORDERED * 4
export const ORDER_BYTES: u32 = LIST_BYTES + 32

/** Pairs of rays that tell whether those of a batch start close to each other; those of a pair are at most a beam apart. */
const PAIRS: u32 = 8
const MOST_APART: u32 = 64

/** Address of the end of an octant's stretch; of coherent rays, all are in the first. */
@inline
export function stretchEnd(order: u32, octant: u32): u32 {
  return load<u32>(order + LIST_BYTES + octant * 4)
}

/** Lists rays from `rays` on at `order`, at most ORDERED, as they come. */
export function listRays(rays: u32, count: u32, order: u32): void {
  for (let i: u32 = 0; i < count; i++) store<u32>(order + i * 4, rays + i * Ray.BYTES)
  const end = i32x4.splat(order + count * 4)
  v128.store(order, end, LIST_BYTES)
  v128.store(order, end, LIST_BYTES + 16)
}

/** The same by octant, by a counting sort. */
export function listByOctant(rays: u32, count: u32, order: u32): void {
  const ends = order + LIST_BYTES
  v128.store(ends, i32x4.splat(0))
  v128.store(ends, i32x4.splat(0), 16)
  const end = rays + count * Ray.BYTES
  for (let ray = rays; ray < end; ray += Ray.BYTES) {
    const octant = ends + octantOf(ray) * 4
    store<u32>(octant, load<u32>(octant) + 4)
  }
  let first = order
  for (let octant = ends; octant < ends + 32; octant += 4) {
    const bytes = load<u32>(octant)
    store<u32>(octant, first)
    first += bytes
  }
  for (let ray = rays; ray < end; ray += Ray.BYTES) {
    const octant = ends + octantOf(ray) * 4
    const at = load<u32>(octant)
    store<u32>(at, ray)
    store<u32>(octant, at + 4)
  }
}

/**
 * Whether rays that follow each other start within `reach`, along the three axes together: judged by a few of at least PAIRS. A pair that does not is
 * a sign of rays that have been scattered more than once: beams of these save less than it costs to order them.
 */
export function startClose(rays: u32, count: u32, reach: f32): bool {
  const stride = count / PAIRS
  const apart = min(stride - 1, MOST_APART) * Ray.BYTES
  for (let pair: u32 = 0; pair < PAIRS; pair++) {
    const ray = rays + pair * stride * Ray.BYTES
    const between = f32x4.abs(f32x4.sub(Ray.origin(ray), Ray.origin(ray + apart)))
    if (!(f32x4.extract_lane(between, 0) + f32x4.extract_lane(between, 1) + f32x4.extract_lane(between, 2) <= reach)) return false
  }
  return true
}

/** Which components of a ray's direction are negative. */
@inline
function octantOf(ray: u32): u32 {
  return i32x4.bitmask(f32x4.lt(Ray.direction(ray), f32x4.splat(0))) & 7
}
