/**
 * Entry points: the rays of a beam, which are coherent, visit mostly the same nodes at first. One traversal with interval
 * arithmetic (all origins and directions of the beam at once) finds at most eight subtrees that can matter to any of its rays,
 * and makes them the children of a virtual root, where all its rays begin. Reshetov, Soupikov and Hurley, "Multi-Level Ray
 * Tracing Algorithm", SIGGRAPH 2005.
 *
 * The traversal goes level by level: a node is replaced by those of its children that the beam can enter, as long as all fit.
 */
import { Child, Group, Ray } from '../records'
import { entriesOf, INTERVALS_END, storeIntervals } from './intervals'
import { placeIn } from './push-step'
import { BEST } from './ray-context'

/** Children of a virtual root. */
const MOST: u32 = 8
/** In the scratch, after the beam's intervals: lists of places (`bundle-context.ts`), those of a level, of the next, and those found; the root's; a group without children. */
const LEVEL: u32 = INTERVALS_END
const DEEPER: u32 = LEVEL + 4 * MOST
const ENTRIES: u32 = DEEPER + 4 * MOST
const ROOT: u32 = ENTRIES + 4 * MOST
const NOWHERE: u32 = ROOT + 16
export const ENTRY_SCRATCH_BYTES: u32 = NOWHERE + Group.BYTES

/**
 * Makes a virtual root at `out` (a node) for `count` rays; begins at node `root`. `scratch` is ENTRY_SCRATCH_BYTES provided
 * by the caller.
 */
export function findEntries(root: u32, rays: u32, count: u32, out: u32, scratch: u32): void {
  measureBeam(rays, count, scratch)
  let level = scratch + LEVEL
  let deeper = scratch + DEEPER
  const entries = scratch + ENTRIES
  // The root's box is never read because it is opened immediately.
  store<u32>(scratch, root, ROOT)
  store<u32>(level, scratch + ROOT)
  let some: u32 = 1
  let found: u32 = 0
  while (some != 0) {
    let next: u32 = 0
    for (let i: u32 = 0; i < some; i++) {
      const place = load<u32>(level + i * 4)
      const child = load<u32>(place)
      if ((child & (Child.TRIANGLE4 | Child.INSTANCE)) == 0) {
        const lanes = enteredLanes(child, scratch)
        // Room left after the entries found, and those not examined yet.
        if (u32(i32.popcnt(lanes)) <= MOST - found - next - (some - 1 - i)) {
          next = open(child, lanes, deeper, next)
          continue
        }
      }
      store<u32>(entries + found * 4, place)
      found++
    }
    const swap = level
    level = deeper
    deeper = swap
    some = next
  }
  writeNowhere(scratch + NOWHERE)
  for (; found < MOST; found++) store<u32>(entries + found * 4, scratch + NOWHERE + Group.CHILDREN)
  copyChildren(entries, out)
  copyChildren(entries + 16, out + Group.BYTES)
}

/** Bit i: whether any ray of the beam may enter child i of a node. */
function enteredLanes(node: u32, beam: u32): u32 {
  return 255 ^ (i32x4.bitmask(entriesOf(beam, node)) | (i32x4.bitmask(entriesOf(beam, node + Group.BYTES)) << 4))
}

/** Appends the places of a node's children in the given lanes to a list of `count`; returns their new number. */
@inline
function open(node: u32, lanes: u32, list: u32, count: u32): u32 {
  for (; lanes != 0; lanes &= lanes - 1) {
    store<u32>(list + count * 4, placeIn(node, i32.ctz(lanes)))
    count++
  }
  return count
}

/** Makes a group whose first lane has no child, and a box that nothing enters. */
@inline
function writeNowhere(group: u32): void {
  Group.setMinX(group, Infinity)
  Group.setMinY(group, Infinity)
  Group.setMinZ(group, Infinity)
  Group.setChildren(group, 0)
  Group.setMaxX(group, -Infinity)
  Group.setMaxY(group, -Infinity)
  Group.setMaxZ(group, -Infinity)
}

/** Fills a group with the children in four places, and their boxes. */
@inline
function copyChildren(places: u32, group: u32): void {
  const a = load<u32>(places) - Group.CHILDREN
  const b = load<u32>(places, 4) - Group.CHILDREN
  const c = load<u32>(places, 8) - Group.CHILDREN
  const d = load<u32>(places, 12) - Group.CHILDREN
  for (let field: u32 = 0; field < Group.ODDS; field += 16) {
    let lanes = v128.load32_zero(a + field)
    lanes = v128.load_lane<u32>(b + field, lanes, 1)
    lanes = v128.load_lane<u32>(c + field, lanes, 2)
    v128.store(group + field, v128.load_lane<u32>(d + field, lanes, 3))
  }
}

/** Computes the intervals of the beam, and the largest tMax of its rays. */
function measureBeam(rays: u32, count: u32, beam: u32): void {
  // NaN is neither less nor greater than these, and has no effect.
  let lowOrigin = f32x4.splat(Infinity)
  let highOrigin = f32x4.splat(-Infinity)
  let lowDirection = lowOrigin
  let highDirection = highOrigin
  for (let ray = rays, end = rays + count * Ray.BYTES; ray < end; ray += Ray.BYTES) {
    const origin = Ray.origin(ray)
    const direction = Ray.direction(ray)
    lowOrigin = f32x4.pmin(lowOrigin, origin)
    highOrigin = f32x4.pmax(highOrigin, origin)
    lowDirection = f32x4.pmin(lowDirection, direction)
    highDirection = f32x4.pmax(highDirection, direction)
  }
  storeIntervals(beam, lowOrigin, highOrigin, lowDirection, highDirection)
  // Lane 3 is tMax.
  v128.store(beam, i32x4.shuffle(highDirection, highDirection, 3, 3, 3, 3), BEST)
}
