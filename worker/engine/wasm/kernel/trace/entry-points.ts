/**
 * Entry points: the rays of a beam, which start close to each other and go the same way along each axis, visit mostly the same nodes at first. One traversal with
 * interval arithmetic (all origins and directions of the beam at once) finds at most eight subtrees that can matter to any of its rays,
 * and makes them the children of a virtual root, where all its rays begin. Reshetov, Soupikov and Hurley, "Multi-Level Ray
 * Tracing Algorithm", SIGGRAPH 2005.
 *
 * The traversal goes level by level: a node is replaced by those of its children that the beam can enter, as long as all fit. In which order they are found says nothing about
 * them, so those of shadow rays, which take the last first, are sorted by what is known of their hits (`build/odds.ts`).
 */
import { chancesPerStep } from '../build/odds'
import { Child, Group, Ray } from '../records'
import { entriesOf, INTERVALS_END, storeIntervals } from './intervals'
import { placeIn } from './push-step'
import { BEST } from './ray-context'

/** Children of a virtual root. */
const MOST: u32 = 8
/** In the scratch, after the beam's intervals: lists of places (`bundle-context.ts`), those of a level, of the next, and those found; a group without children. */
const LEVEL: u32 = INTERVALS_END
const DEEPER: u32 = LEVEL + 4 * MOST
const ENTRIES: u32 = DEEPER + 4 * MOST
const NOWHERE: u32 = ENTRIES + 4 * MOST
export const ENTRY_SCRATCH_BYTES: u32 = NOWHERE + Group.BYTES

/**
 * Determines where the rays of a list begin, below the node `root`: there, or at a virtual root, which is made at `out` (a node). `scratch` is
 * ENTRY_SCRATCH_BYTES provided by the caller.
 * @param reach rays whose origins lie farther apart, along the three axes together, begin at `root`
 * @param byOdds whether what most probably ends rays soon comes last
 */
export function findEntries(root: u32, list: u32, end: u32, reach: f32, byOdds: bool, out: u32, scratch: u32): u32 {
  if (measureBeam(list, end, scratch) > reach) return root
  let level = scratch + LEVEL
  let deeper = scratch + DEEPER
  const entries = scratch + ENTRIES
  let some = open(root, enteredLanes(root, scratch), level, 0)
  let found: u32 = 0
  let isRoot = true
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
          isRoot = false
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
  // It would be a copy of the root.
  if (isRoot) return root
  writeNowhere(scratch + NOWHERE)
  for (let i = found; i < MOST; i++) store<u32>(entries + i * 4, scratch + NOWHERE + Group.CHILDREN)
  copyNode(entries, out)
  if (byOdds) {
    // Both levels are done with, and have room for chances.
    v128.store(level, chancesAhead(out, scratch))
    v128.store(level, chancesAhead(out + Group.BYTES, scratch), 16)
    sort(entries, found, level)
    copyNode(entries, out)
  }
  return out
}

/** The sides of the box around all children of a node, added up. */
export function sidesOf(node: u32): f32 {
  let sides: f32 = 0
  for (let axis: u32 = 0; axis < 48; axis += 16) {
    let low: f32 = Infinity
    let high: f32 = -Infinity
    for (let lane: u32 = 0; lane < MOST; lane++) {
      const at = placeIn(node, lane) - Group.CHILDREN + axis
      low = min(low, Group.minX(at))
      high = max(high, Group.maxX(at))
    }
    sides += high - low
  }
  return sides
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

/** Chances of a group's children. Boxes that the beam starts in have none, as for single rays (`push-step.ts`). */
@inline
function chancesAhead(group: u32, beam: u32): v128 {
  return v128.and(chancesPerStep(group), f32x4.gt(entriesOf(beam, group), f32x4.splat(0)))
}

/** Sorts `count` places by their chances, the highest last. */
function sort(places: u32, count: u32, chances: u32): void {
  for (let i: u32 = 4; i < count * 4; i += 4) {
    const place = load<u32>(places + i)
    const chance = load<f32>(chances + i)
    let to = i
    for (; to > 0 && load<f32>(chances + to - 4) > chance; to -= 4) {
      store<u32>(places + to, load<u32>(places + to - 4))
      store<f32>(chances + to, load<f32>(chances + to - 4))
    }
    store<u32>(places + to, place)
    store<f32>(chances + to, chance)
  }
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

/** Fills a node with the children in eight places, and their boxes. */
function copyNode(places: u32, node: u32): void {
  copyChildren(places, node)
  copyChildren(places + 16, node + Group.BYTES)
}

/** Fills a group with the children in four places, and their boxes. */
@inline
function copyChildren(places: u32, group: u32): void {
  const a = load<u32>(places) - Group.CHILDREN
  const b = load<u32>(places, 4) - Group.CHILDREN
  const c = load<u32>(places, 8) - Group.CHILDREN
  const d = load<u32>(places, 12) - Group.CHILDREN
  for (let field: u32 = 0; field < Group.BYTES; field += 16) {
    let lanes = v128.load32_zero(a + field)
    lanes = v128.load_lane<u32>(b + field, lanes, 1)
    lanes = v128.load_lane<u32>(c + field, lanes, 2)
    v128.store(group + field, v128.load_lane<u32>(d + field, lanes, 3))
  }
}

/** Computes the intervals of the beam, and the largest tMax of its rays; returns how far its origins lie apart along the three axes together. */
function measureBeam(list: u32, end: u32, beam: u32): f32 {
  // NaN is neither less nor greater than these, and has no effect.
  let lowOrigin = f32x4.splat(Infinity)
  let highOrigin = f32x4.splat(-Infinity)
  let lowDirection = lowOrigin
  let highDirection = highOrigin
  for (; list < end; list += 4) {
    const ray = load<u32>(list)
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
  const apart = f32x4.sub(highOrigin, lowOrigin)
  return f32x4.extract_lane(apart, 0) + f32x4.extract_lane(apart, 1) + f32x4.extract_lane(apart, 2)
}
