/**
 * Rays that entered children of a node continue to one of them. A ray that entered one child goes straight there; one that
 * entered several pushes them onto its stack, the farthest first, and takes the nearest. Sorting uses a table: all comparisons
 * of four keys form one index; children that were not entered sort to the end, above the top.
 */
import { Child, Group } from '../records'
import { PLACE } from './bundle-context'
import { BUNDLED, INSTANCES, NARROW, NODES, TRIANGLE4S, WIDE } from './lists'
import { CHILDREN, CURRENT, ENTRY, STEPS, TOP } from './ray-context'

/** Sends the listed rays to the only child that they entered. */
export function stepIntoSingle(list: u32, end: u32, ends: u32): void {
  stepInto(list, end, ends, SINGLE_CHILD, 0, 0, NARROW)
}

/** Sends the listed rays to the nearest child entered and pushes the others; `toKeys` is the offset from children to distances. */
export function stepIntoNearest(list: u32, end: u32, ends: u32, toKeys: u32, sortTable: u32): void {
  stepInto(list, end, ends, NEAREST_CHILD, toKeys, sortTable, NARROW)
}

/** As `stepIntoNearest`, in any order and without distances. */
export function stepIntoAny(list: u32, end: u32, ends: u32, packTable: u32): void {
  stepInto(list, end, ends, ANY_CHILD, 0, packTable, NARROW)
}

/** Sends the listed shadow rays to the child entered that most probably ends them soon, and pushes the others as `stepIntoAny` does. */
export function stepIntoLikeliest(list: u32, end: u32, ends: u32, packTable: u32): void {
  stepInto(list, end, ends, LIKELIEST_CHILD, 0, packTable, NARROW)
}

/** The first two for bundles, whose stacks have places (`PLACE`). */
export function stepBundlesIntoSingle(list: u32, end: u32, ends: u32): void {
  stepInto(list, end, ends, SINGLE_CHILD, 0, 0, BUNDLED)
}

export function stepBundlesIntoNearest(list: u32, end: u32, ends: u32, toKeys: u32, sortTable: u32): void {
  stepInto(list, end, ends, NEAREST_CHILD, toKeys, sortTable, BUNDLED)
}

/** The first three in scenes with instances. */
export function stepIntoSingleWide(list: u32, end: u32, ends: u32): void {
  stepInto(list, end, ends, SINGLE_CHILD, 0, 0, WIDE)
}

export function stepIntoNearestWide(list: u32, end: u32, ends: u32, toKeys: u32, sortTable: u32): void {
  stepInto(list, end, ends, NEAREST_CHILD, toKeys, sortTable, WIDE)
}

export function stepIntoAnyWide(list: u32, end: u32, ends: u32, packTable: u32): void {
  stepInto(list, end, ends, ANY_CHILD, 0, packTable, WIDE)
}

const SINGLE_CHILD: i32 = 0
const NEAREST_CHILD: i32 = 1
const ANY_CHILD: i32 = 2
const LIKELIEST_CHILD: i32 = 3

@inline
function stepInto(list: u32, end: u32, ends: u32, which: i32, toKeys: u32, table: u32, what: i32): void {
  const wide = what == WIDE
  const bundled = what == BUNDLED
  let nodes = load<u32>(ends, NODES)
  let triangle4s = load<u32>(ends, TRIANGLE4S)
  let instances = wide ? load<u32>(ends, INSTANCES) : 0
  for (; list < end; list += 4) {
    const ray = load<u32>(list)
    const node = load<u32>(ray, CURRENT)
    let child: u32
    if (which == SINGLE_CHILD) {
      const place = placeIn(node, i32.ctz(load<u32>(ray, CHILDREN)))
      child = load<u32>(place)
      if (bundled) store<u32>(ray, place, PLACE)
    } else if (which == LIKELIEST_CHILD) {
      const entered = load<u32>(ray, CHILDREN)
      const lane = likeliestLane(ray, node, entered)
      store<u32>(ray, stackPacked(ray, node, entered ^ (1 << lane), table), TOP)
      child = load<u32>(placeIn(node, lane))
    } else {
      const top =
        (which == NEAREST_CHILD ? stackSorted(ray, node, toKeys, table, bundled) : stackPacked(ray, node, load<u32>(ray, CHILDREN), table)) - 4
      child = load<u32>(top)
      store<u32>(ray, top, TOP)
      if (bundled) {
        store<u32>(ray, child, PLACE)
        child = load<u32>(child)
      }
    }
    store<u32>(ray, child, CURRENT)
    store<u32>(ray, load<u32>(ray, STEPS) + 1, STEPS)
    store<u32>(nodes, ray)
    store<u32>(triangle4s, ray)
    if (wide) store<u32>(instances, ray)
    const isTriangle4 = (child & Child.TRIANGLE4) << 2
    const isInstance = wide ? (child & Child.INSTANCE) << 1 : 0
    nodes += 4 - isTriangle4 - isInstance
    triangle4s += isTriangle4
    instances += isInstance
  }
  store<u32>(ends, nodes, NODES)
  store<u32>(ends, triangle4s, TRIANGLE4S)
  if (wide) store<u32>(ends, instances, INSTANCES)
}

/** The address of the word of the child in a lane: lane 4 is lane 0 of the second group. */
@inline
export function placeIn(node: u32, lane: u32): u32 {
  return node + ((lane & 3) << 2) + ((lane & 4) << 5) + Group.CHILDREN
}

/**
 * Pushes the entered children, the nearest on top; returns the new top. The other group goes below, although some of it may be nearer than some of this
 * one: to sort all eight saves no more than one step in a hundred. Which group is first matters more: next to a floor much larger than the things on it, an order
 * along the axis that the groups were divided by takes up to twice the steps.
 */
@inline
function stackSorted(ray: u32, node: u32, toKeys: u32, sortTable: u32, bundled: bool): u32 {
  const near = nearestGroup(v128.load(ray, ENTRY), v128.load(ray, ENTRY + 16))
  const far = near ^ Group.BYTES
  const top = pushSorted(v128.load(ray + (far >> 3), ENTRY), node + far, load<u32>(ray, TOP), toKeys, sortTable, bundled)
  return pushSorted(v128.load(ray + (near >> 3), ENTRY), node + near, top, toKeys, sortTable, bundled)
}

/** Offset of the group that has the nearest child entered. One that was not entered is farther than any, as an unsigned number. */
@inline
function nearestGroup(first: v128, second: v128): u32 {
  const pairs = i32x4.min_u(i32x4.shuffle(first, second, 0, 1, 4, 5), i32x4.shuffle(first, second, 2, 3, 6, 7))
  const least = i32x4.min_u(pairs, i32x4.shuffle(pairs, pairs, 1, 0, 3, 2))
  return select<u32>(Group.BYTES, 0, <u32>i32x4.extract_lane(least, 2) < <u32>i32x4.extract_lane(least, 0))
}

/**
 * Of the children that a shadow ray entered, the one with the highest odds (`build/odds.ts`): those of its box times how far the ray goes through it. Boxes that
 * it starts in have none: what is in there is mostly the surface that it starts on, which takes many steps to leave. The order of the others hardly matters.
 */
@inline
function likeliestLane(ray: u32, node: u32, entered: u32): u32 {
  const first = f32x4.mul(v128.load(ray, ENTRY), Group.oddsLanes(node))
  const second = f32x4.mul(v128.load(ray, ENTRY + 16), Group.oddsLanes(node + Group.BYTES))
  // As integers, positive floats have the same order, and negative ones come before them; the last three bits are replaced by the lane.
  const rest = i32x4.splat(~7)
  const all = i32x4.max_s(v128.or(v128.and(first, rest), i32x4(0, 1, 2, 3)), v128.or(v128.and(second, rest), i32x4(4, 5, 6, 7)))
  const pairs = i32x4.max_s(all, i32x4.shuffle(all, all, 2, 3, 0, 1))
  const lane = i32x4.extract_lane(i32x4.max_s(pairs, i32x4.shuffle(pairs, pairs, 1, 0, 3, 2)), 0) & 7
  // Where distances are not finite, it may be one that was not entered.
  return select<u32>(lane, i32.ctz(entered), ((entered >> lane) & 1) != 0)
}

/** Pushes the entered children as they lie, the last on top (`order` in `build/collapse.ts`); returns the new top. */
@inline
function stackPacked(ray: u32, node: u32, children: u32, packTable: u32): u32 {
  const top = pushPacked(children & 15, node, load<u32>(ray, TOP), packTable)
  return pushPacked(children >> 4, node + Group.BYTES, top, packTable)
}

@inline
function pushSorted(keys: v128, group: u32, top: u32, toKeys: u32, sortTable: u32, bundled: bool): u32 {
  const next = i32x4.gt_s(keys, i32x4.shuffle(keys, keys, 1, 2, 3, 0))
  const afterNext = i32x4.gt_s(keys, i32x4.shuffle(keys, keys, 2, 3, 0, 1))
  const order = v128.load(sortTable + ((i32x4.bitmask(next) | ((i32x4.bitmask(afterNext) & 3) << 4)) << 4))
  const entries = bundled ? i32x4.add(i32x4.splat(group + Group.CHILDREN), i32x4(0, 4, 8, 12)) : Group.childrenLanes(group)
  v128.store(top, i8x16.swizzle(entries, order))
  v128.store(top + toKeys, i8x16.swizzle(keys, order))
  return top + 16 - (i32.popcnt(i32x4.bitmask(keys)) << 2)
}

@inline
function pushPacked(entered: u32, group: u32, top: u32, packTable: u32): u32 {
  v128.store(top, i8x16.swizzle(Group.childrenLanes(group), v128.load(packTable + (entered << 4))))
  return top + (i32.popcnt(entered) << 2)
}
