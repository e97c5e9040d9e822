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
import { BEST } from './ray-context'

/** An entry is a child word and its box: word | 1 if it stays closed | pad[2] | f32 min[3] pad | f32 max[3] pad. */
const ENTRY_BYTES: u32 = 48
const MOST: u32 = 8
/** Two lists of entries: the current level and the next. */
export const ENTRY_SCRATCH_BYTES: u32 = INTERVALS_END + 2 * MOST * ENTRY_BYTES
/**
 * Makes a virtual root at `out` (a node) for `count` rays; begins at node `root`. `scratch` is ENTRY_SCRATCH_BYTES provided
 * by the caller.
 */
export function findEntries(root: u32, rays: u32, count: u32, out: u32, scratch: u32): void {
  measureBeam(rays, count, scratch)
  let level = scratch + INTERVALS_END
  let deeper = level + MOST * ENTRY_BYTES
  // The root itself is the first entry; its box is never read because it is opened immediately.
  store<u32>(level, root)
  store<u32>(level, 0, 4)
  let entries: u32 = 1
  for (;;) {
    let found: u32 = 0
    let opened = false
    for (let i: u32 = 0; i < entries; i++) {
      const entry = level + i * ENTRY_BYTES
      const child = load<u32>(entry)
      // Room left after the entries found and those not examined yet.
      const room = MOST - found - (entries - 1 - i)
      if ((child & (Child.TRIANGLE4 | Child.INSTANCE)) == 0 && load<u32>(entry, 4) == 0) {
        const lanes = enteredLanes(child, scratch)
        if (u32(i32.popcnt(lanes)) <= room) {
          found = open(child, lanes, deeper, found)
          opened = true
          continue
        }
        store<u32>(entry, 1, 4)
      }
      memory.copy(deeper + found * ENTRY_BYTES, entry, ENTRY_BYTES)
      found++
    }
    const swap = level
    level = deeper
    deeper = swap
    entries = found
    if (!opened) break
  }
  writeRoot(level, entries, out)
}

/** Bit i: whether any ray of the beam may enter child i of a node. */
function enteredLanes(node: u32, beam: u32): u32 {
  return 255 ^ (i32x4.bitmask(entriesOf(beam, node)) | (i32x4.bitmask(entriesOf(beam, node + Group.BYTES)) << 4))
}

/** Appends the children of a node in the given lanes to the entries at `list`; returns the new number of entries. */
function open(node: u32, lanes: u32, list: u32, entries: u32): u32 {
  while (lanes != 0) {
    const lane = i32.ctz(lanes)
    lanes &= lanes - 1
    const from = node + (lane >> 2) * Group.BYTES + (lane & 3) * 4
    const entry = list + entries * ENTRY_BYTES
    store<u32>(entry, Group.children(from))
    store<u32>(entry, 0, 4)
    store<f32>(entry, Group.minX(from), 16)
    store<f32>(entry, Group.minY(from), 20)
    store<f32>(entry, Group.minZ(from), 24)
    store<f32>(entry, Group.maxX(from), 32)
    store<f32>(entry, Group.maxY(from), 36)
    store<f32>(entry, Group.maxZ(from), 40)
    entries++
  }
  return entries
}

function writeRoot(list: u32, entries: u32, out: u32): void {
  for (let group = out; group < out + 2 * Group.BYTES; group += Group.BYTES) {
    const nowhere = f32x4.splat(Infinity)
    Group.setMinXLanes(group, nowhere)
    Group.setMinYLanes(group, nowhere)
    Group.setMinZLanes(group, nowhere)
    Group.setChildrenLanes(group, i32x4.splat(0))
    Group.setMaxXLanes(group, f32x4.neg(nowhere))
    Group.setMaxYLanes(group, f32x4.neg(nowhere))
    Group.setMaxZLanes(group, f32x4.neg(nowhere))
  }
  for (let i: u32 = 0; i < entries; i++) {
    const entry = list + i * ENTRY_BYTES
    const to = out + (i >> 2) * Group.BYTES + (i & 3) * 4
    Group.setChildren(to, load<u32>(entry))
    Group.setMinX(to, load<f32>(entry, 16))
    Group.setMinY(to, load<f32>(entry, 20))
    Group.setMinZ(to, load<f32>(entry, 24))
    Group.setMaxX(to, load<f32>(entry, 32))
    Group.setMaxY(to, load<f32>(entry, 36))
    Group.setMaxZ(to, load<f32>(entry, 40))
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
