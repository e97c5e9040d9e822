/**
 * Entry points: a beam, rays that go much the same way, meets much the same nodes at first. One walk with intervals instead
 * of numbers (all origins and directions of the beam at once) finds at most eight subtrees that can matter to any of its rays,
 * and makes them the children of a virtual root, where all its rays begin. Reshetov, Soupikov and Hurley, "Multi-Level Ray
 * Tracing Algorithm", SIGGRAPH 2005.
 *
 * The walk goes level by level: a node is replaced by those of its children that the beam can enter, as long as all fit.
 */
import {
  CHILD_PACKET,
  GROUP_BYTES,
  GROUP_CHILDREN,
  GROUP_META,
  OTHER_SIDE,
  RAY_BYTES,
  RAY_DIRECTION,
  RAY_ORIGIN,
} from '../layout'

/** An entry is a child word and its box: word | 1 if it stays closed | pad[2] | f32 min[3] pad | f32 max[3] pad. */
const ENTRY_BYTES: u32 = 48
const MOST: u32 = 8
/** Two lists of entries: the level at hand and the next. */
export const ENTRY_SCRATCH_BYTES: u32 = 2 * MOST * ENTRY_BYTES + 128
const LEAST_COMPONENT: f32 = 1e-30
const SLACK: f32 = 1.0 / 524288.0

// The beam's intervals, per axis: the origins that make the near and the far planes' distances extreme, and the inverse directions.
const NEAR_ORIGIN: u32 = 0
const FAR_ORIGIN: u32 = 16
const INVERSE_LOW: u32 = 32
const INVERSE_HIGH: u32 = 48
const NEAR_PLANE: u32 = 64
const T_RANGE: u32 = 80
const BEAM_BYTES: u32 = 128

/**
 * Makes a virtual root at `out` (a node) for `count` rays; begins at node `root`. `scratch` are ENTRY_SCRATCH_BYTES of the
 * caller's.
 */
export function findEntries(root: u32, rays: u32, count: u32, out: u32, scratch: u32): void {
  measureBeam(rays, count, scratch)
  let level = scratch + BEAM_BYTES
  let deeper = level + MOST * ENTRY_BYTES
  // The root itself is the first entry; its box is never looked at because it is opened at once.
  store<u32>(level, root)
  store<u32>(level, 0, 4)
  let entries: u32 = 1
  for (;;) {
    let found: u32 = 0
    let opened = false
    for (let i: u32 = 0; i < entries; i++) {
      const entry = level + i * ENTRY_BYTES
      const child = load<u32>(entry)
      // Room for what is found, and for the entries that have not been looked at yet.
      const room = MOST - found - (entries - 1 - i)
      if ((child & CHILD_PACKET) == 0 && load<u32>(entry, 4) == 0) {
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

/** Bit i: whether some ray of the beam may enter child i of a node. */
function enteredLanes(node: u32, beam: u32): u32 {
  return enteredOfGroup(node, beam) | (enteredOfGroup(node + GROUP_BYTES, beam) << 4)
}

function enteredOfGroup(group: u32, beam: u32): u32 {
  let entry = v128.load32_splat(beam, T_RANGE)
  let exit = v128.load32_splat(beam, T_RANGE + 4)
  for (let axis: u32 = 0; axis < 12; axis += 4) {
    const low = v128.load32_splat(beam + axis, INVERSE_LOW)
    const high = v128.load32_splat(beam + axis, INVERSE_HIGH)
    const plane = group + load<u32>(beam + axis, NEAR_PLANE)
    const near = f32x4.sub(v128.load(plane), v128.load32_splat(beam + axis, NEAR_ORIGIN))
    const far = f32x4.sub(v128.load(plane ^ OTHER_SIDE), v128.load32_splat(beam + axis, FAR_ORIGIN))
    entry = f32x4.pmax(entry, f32x4.pmin(f32x4.mul(near, low), f32x4.mul(near, high)))
    exit = f32x4.pmin(exit, f32x4.pmax(f32x4.mul(far, low), f32x4.mul(far, high)))
  }
  entry = f32x4.mul(entry, f32x4.splat(1 - SLACK))
  exit = f32x4.mul(exit, f32x4.splat(1 + SLACK))
  const absent = i32x4.eq(v128.load(group, GROUP_CHILDREN), i32x4.splat(0))
  return i32x4.bitmask(v128.andnot(f32x4.le(entry, exit), absent))
}

/** Appends the children of a node in the lanes given to the entries at `list`; gives the new number of entries. */
function open(node: u32, lanes: u32, list: u32, entries: u32): u32 {
  while (lanes != 0) {
    const lane = i32.ctz(lanes)
    lanes &= lanes - 1
    const from = node + (lane >> 2) * GROUP_BYTES + (lane & 3) * 4
    const entry = list + entries * ENTRY_BYTES
    store<u32>(entry, load<u32>(from, GROUP_CHILDREN))
    store<u32>(entry, 0, 4)
    store<f32>(entry, load<f32>(from), 16)
    store<f32>(entry, load<f32>(from, 16), 20)
    store<f32>(entry, load<f32>(from, 32), 24)
    store<f32>(entry, load<f32>(from, 64), 32)
    store<f32>(entry, load<f32>(from, 80), 36)
    store<f32>(entry, load<f32>(from, 96), 40)
    entries++
  }
  return entries
}

function writeRoot(list: u32, entries: u32, out: u32): void {
  for (let group = out; group < out + 2 * GROUP_BYTES; group += GROUP_BYTES) {
    const nowhere = f32x4.splat(Infinity)
    v128.store(group, nowhere)
    v128.store(group, nowhere, 16)
    v128.store(group, nowhere, 32)
    v128.store(group, i32x4.splat(0), GROUP_CHILDREN)
    v128.store(group, f32x4.neg(nowhere), 64)
    v128.store(group, f32x4.neg(nowhere), 80)
    v128.store(group, f32x4.neg(nowhere), 96)
    // No axis orders the groups: word 3 of a ray's near planes is 0, which makes the first group the near one.
    v128.store(group, i32x4.splat(3), GROUP_META)
  }
  for (let i: u32 = 0; i < entries; i++) {
    const entry = list + i * ENTRY_BYTES
    const to = out + (i >> 2) * GROUP_BYTES + (i & 3) * 4
    store<u32>(to, load<u32>(entry), GROUP_CHILDREN)
    store<f32>(to, load<f32>(entry, 16))
    store<f32>(to, load<f32>(entry, 20), 16)
    store<f32>(to, load<f32>(entry, 24), 32)
    store<f32>(to, load<f32>(entry, 32), 64)
    store<f32>(to, load<f32>(entry, 36), 80)
    store<f32>(to, load<f32>(entry, 40), 96)
  }
}

/**
 * The intervals of the beam's origins and inverse directions. On an axis along which some rays go up and some down, its
 * planes say nothing: 0 times anything finite is 0, and the far side is made infinitely far.
 */
function measureBeam(rays: u32, count: u32, beam: u32): void {
  // What is no number is neither less nor greater than these, and leaves no trace.
  let lowOrigin = f32x4.splat(Infinity)
  let highOrigin = f32x4.splat(-Infinity)
  let lowDirection = lowOrigin
  let highDirection = highOrigin
  for (let ray = rays, end = rays + count * RAY_BYTES; ray < end; ray += RAY_BYTES) {
    const origin = v128.load(ray, RAY_ORIGIN)
    const direction = v128.load(ray, RAY_DIRECTION)
    lowOrigin = f32x4.pmin(lowOrigin, origin)
    highOrigin = f32x4.pmax(highOrigin, origin)
    lowDirection = f32x4.pmin(lowDirection, direction)
    highDirection = f32x4.pmax(highDirection, direction)
  }
  const zero = f32x4.splat(0)
  const least = f32x4.splat(LEAST_COMPONENT)
  const down = f32x4.lt(highDirection, zero)
  const mixed = v128.andnot(f32x4.le(lowDirection, zero), down)
  // Of one sign, 1 / direction is monotonic: its extremes swap places. Where signs differ a positive stand-in keeps off infinities.
  const one = f32x4.splat(1)
  const low = v128.bitselect(one, lowDirection, mixed)
  const high = v128.bitselect(one, highDirection, mixed)
  const inverseLow = f32x4.div(one, awayFromZero(high, down, least))
  const inverseHigh = f32x4.div(one, awayFromZero(low, down, least))
  // Going up, a near plane is nearest to the highest origin; going down, to the lowest.
  const nearOrigin = v128.bitselect(lowOrigin, highOrigin, down)
  const farOrigin = v128.bitselect(highOrigin, lowOrigin, down)
  const nowhere = f32x4.splat(Infinity)
  v128.store(beam, v128.bitselect(nowhere, nearOrigin, mixed), NEAR_ORIGIN)
  v128.store(beam, v128.bitselect(f32x4.neg(nowhere), farOrigin, mixed), FAR_ORIGIN)
  v128.store(beam, inverseLow, INVERSE_LOW)
  v128.store(beam, inverseHigh, INVERSE_HIGH)
  v128.store(beam, v128.or(v128.and(down, i32x4(64, 64, 64, 0)), i32x4(0, 16, 32, 0)), NEAR_PLANE)
  // Of what lies before tMin little is lost; lane 3 holds tMax.
  store<f32>(beam, 0, T_RANGE)
  store<f32>(beam, f32x4.extract_lane(highDirection, 3), T_RANGE + 4)
}

@inline
function awayFromZero(x: v128, down: v128, least: v128): v128 {
  const length = f32x4.pmax(f32x4.abs(x), least)
  return v128.bitselect(f32x4.neg(length), length, down)
}
