/**
 * Collapses binary trees into a list of wide nodes: which subtrees become the children of which node, as determined by the
 * costs (`costs.ts`), in which lanes, and where nodes and triangle4s are placed. Depth first, a node's children adjacent and its
 * triangle4s too, so that what a ray visits together lies together; parents before children.
 *
 * An entry of the list, 64 bytes:
 *
 *     u32 child[8]: tree nodes by lane, 0 none | first child node's number | first triangle4's number | tree | zeros
 */
import { TREE_NODE_BYTES } from './chunks'
import { share } from './costs'
import { TRIANGLE4S, WIDE_LIST, WIDE_NODES } from './state'
import { highOf, INSTANCE_LEAF, LEAF, lowOf, relativeArea, scaleOf, TREE_KIND, TREE_LINK } from './tree'

export const ENTRY_BYTES: u32 = 64
export const ENTRY_NODE: u32 = 32
export const ENTRY_TRIANGLE4: u32 = 36
export const ENTRY_TREE: u32 = 40

/** Stack entry: a tree node that becomes a wide node, its number, its level. */
const FRAME_BYTES: u32 = 12

/**
 * Appends the nodes below `root` to the list, and counts them and their triangle4s; returns the number of levels. `tree` is the state of the
 * tree, `stack` free memory.
 */
export function collapse(state: u32, tree: u32, root: u32, stack: u32): u32 {
  const list = load<u32>(state, WIDE_LIST)
  const first = load<u32>(state, WIDE_NODES)
  let nodes = first + 1
  let triangle4s = load<u32>(state, TRIANGLE4S)
  let levels: u32 = 1
  let top = stack
  store<u32>(top, root)
  store<u32>(top, first, 4)
  store<u32>(top, 1, 8)
  while (top >= stack) {
    const node = load<u32>(top)
    const entry = list + load<u32>(top, 4) * ENTRY_BYTES
    const level = load<u32>(top, 8)
    top -= FRAME_BYTES
    if (level > levels) levels = level
    memory.fill(entry, 0, ENTRY_BYTES)
    const end = isLeaf(node) ? placed(entry, node) : shareOut(entry, node, 8)
    const scale = scaleOf(node)
    if (end - entry > 16) divide(entry, end, scale)
    const middle = entry + lowerHalf(end - entry)
    order(entry, middle, scale)
    order(middle, end, scale)
    store<u32>(entry, nodes, ENTRY_NODE)
    store<u32>(entry, triangle4s, ENTRY_TRIANGLE4)
    store<u32>(entry, tree, ENTRY_TREE)

    // Number the children in order; push them in reverse, so that the first is popped next.
    let inner: u32 = 0
    for (let at = entry; at < end; at += 4) {
      inner += u32(!isLeaf(load<u32>(at)))
      triangle4s += u32(isLeaf(load<u32>(at)) && !isInstance(load<u32>(at)))
    }
    nodes += inner
    let number = nodes
    for (let at = end; at > entry; ) {
      at -= 4
      const child = load<u32>(at)
      if (isLeaf(child)) continue
      top += FRAME_BYTES
      store<u32>(top, child)
      store<u32>(top, --number, 4)
      store<u32>(top, level + 1, 8)
    }
    if (end - entry > 16) spread(entry, middle, end)
  }
  store<u32>(state, nodes, WIDE_NODES)
  store<u32>(state, triangle4s, TRIANGLE4S)
  return levels
}

@inline
export function isLeaf(node: u32): bool {
  return (load<u32>(node, TREE_KIND) & LEAF) != 0
}

@inline
function isTriangle4(node: u32): bool {
  return (load<u32>(node, TREE_KIND) & (LEAF | INSTANCE_LEAF)) == LEAF
}

/** Whether a leaf is an instance. */
@inline
export function isInstance(leaf: u32): bool {
  return (load<u32>(leaf, TREE_KIND) & INSTANCE_LEAF) != 0
}

/** Distributes `places` places among the subtrees and leaves below `node` and writes them; returns the address after the last. */
function shareOut(to: u32, node: u32, places: u32): u32 {
  const ofLeft = share(load<u32>(node, TREE_KIND), places)
  const left = load<u32>(node, TREE_LINK)
  to = settle(to, left, ofLeft)
  return settle(to, left + TREE_NODE_BYTES, places - ofLeft)
}

function settle(to: u32, node: u32, places: u32): u32 {
  if (isLeaf(node) || places == 1 || share(load<u32>(node, TREE_KIND), places) == 0) return placed(to, node)
  return shareOut(to, node, places)
}

@inline
function placed(to: u32, node: u32): u32 {
  store<u32>(to, node)
  return to + 4
}

/** Of some words, the bytes of those in the first group if they are more than one group has. */
@inline
function lowerHalf(bytes: u32): u32 {
  return bytes > 16 ? ((bytes / 4 + 1) / 2) * 4 : bytes
}

/**
 * Divides more than four children between the groups: along the axis on which the two have the least area, so that rays find most of what is nearest in the group
 * that is nearer. Rays that do not ask for distances go to the second group first (`push-step.ts`), so that has the larger area.
 */
function divide(entry: u32, end: u32, scale: f32): void {
  const middle = entry + lowerHalf(end - entry)
  let best: u32 = 0
  let least: f32 = Infinity
  for (let axis: u32 = 0; axis < 3; axis++) {
    sort(entry, end, axis)
    const cost = areaAround(entry, middle, scale) * <f32>(middle - entry) + areaAround(middle, end, scale) * <f32>(end - middle)
    if (!(cost < least)) continue
    least = cost
    best = axis
  }
  sort(entry, end, best)
  if (areaAround(entry, middle, scale) > areaAround(middle, end, scale)) reverse(entry, end)
}

/** Relative area of the box around some children. */
function areaAround(first: u32, end: u32, scale: f32): f32 {
  let low = f32x4.splat(Infinity)
  let high = f32x4.splat(-Infinity)
  for (let at = first; at < end; at += 4) {
    low = f32x4.pmin(low, lowOf(load<u32>(at)))
    high = f32x4.pmax(high, highOf(load<u32>(at)))
  }
  return relativeArea(low, high, scale)
}

/** Sorts children by their centroids along an axis. */
function sort(first: u32, end: u32, axis: u32): void {
  for (let at = first + 4; at < end; at += 4) {
    const node = load<u32>(at)
    const key = centroidAlong(node, axis)
    let to = at
    for (; to > first; to -= 4) {
      const before = load<u32>(to - 4)
      if (!(key < centroidAlong(before, axis))) break
      store<u32>(to, before)
    }
    store<u32>(to, node)
  }
}

function reverse(first: u32, end: u32): void {
  for (let at = end - 4; first < at; first += 4, at -= 4) {
    const node = load<u32>(first)
    store<u32>(first, load<u32>(at))
    store<u32>(at, node)
  }
}

/** Sorts the children of a group, those last that a ray should try first which does not ask for distances: triangle4s, and then the larger. */
function order(first: u32, end: u32, scale: f32): void {
  for (let at = first + 4; at < end; at += 4) {
    const node = load<u32>(at)
    let to = at
    for (; to > first && isLater(load<u32>(to - 4), node, scale); to -= 4) store<u32>(to, load<u32>(to - 4))
    store<u32>(to, node)
  }
}

@inline
function isLater(child: u32, other: u32, scale: f32): bool {
  if (isTriangle4(child) != isTriangle4(other)) return isTriangle4(child)
  return relativeArea(lowOf(child), highOf(child), scale) > relativeArea(lowOf(other), highOf(other), scale)
}

// Adds halves instead of halving the sum, which would overflow for the largest floats.
@inline
function centroidAlong(node: u32, axis: u32): f32 {
  return load<f32>(node + axis * 4) * 0.5 + load<f32>(node + axis * 4, 16) * 0.5
}

/** Moves the children from `middle` on to the second group's lanes. */
function spread(entry: u32, middle: u32, end: u32): void {
  for (let at = end; at > middle; ) {
    at -= 4
    const child = load<u32>(at)
    store<u32>(at, 0)
    store<u32>(entry + (at - middle), child, 16)
  }
}
