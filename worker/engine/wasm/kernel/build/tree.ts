/**
 * The binary tree that is built first, in 32 bytes per node; siblings are adjacent.
 *
 *     f32 min[3] | u32 link | f32 max[3] | u32 kind
 *
 * Leaf: kind is LEAF + the number of triangles, link the address of their ids; of an instance, which is alone, kind is
 * LEAF + INSTANCE_LEAF + 1. Otherwise link is the address of its left child, and kind how many rays have visited the node (`visits.ts`), then its choices
 * (`costs.ts`).
 */
import { WORKSPACE_IDS, WORKSPACE_INSTANCES, BOX_HIGH, BOX_LOW, HALVE_FROM_DEPTH } from './workspace'
import { measure, splitByBins } from './binned-split'
import { takePair, TREE_NODE_BYTES } from './chunks'
import { MAX_EXACT, splitExactly } from './exact-split'
import { idOfKey, isInstanceKey, RECORD_BYTES } from './records'
import { THICKNESS } from './sweep'

export const TREE_LINK: u32 = 12
export const TREE_KIND: u32 = 28
export const LEAF: u32 = 0x80000000
export const INSTANCE_LEAF: u32 = 8
export const MAX_LEAF: u32 = 4

/**
 * Lower corner of a node's box, and 0 in the fourth lane: the link that is there is a denormal number to arithmetic, or makes one, which costs some
 * processors as much as a hundred additions.
 */
@inline
export function lowOf(node: u32): v128 {
  return v128.and(v128.load(node), i32x4(-1, -1, -1, 0))
}

/** Upper corner of a node's box, and 0. */
@inline
export function highOf(node: u32): v128 {
  return v128.and(v128.load(node, 16), i32x4(-1, -1, -1, 0))
}

/** Builds the subtree of the records from `first` to `end` (addresses) into `node`. */
export function buildSubtree(workspace: u32, node: u32, first: u32, end: u32, depth: u32): void {
  measure(workspace, first, end)
  const low = v128.load(workspace, BOX_LOW)
  const high = v128.load(workspace, BOX_HIGH)
  const count = (end - first) / RECORD_BYTES
  const instance = count <= MAX_LEAF && hasInstance(workspace, first, end)
  if (count <= MAX_LEAF && (!instance || count == 1)) {
    const place = first / 8 + load<u32>(workspace, WORKSPACE_IDS)
    for (let i: u32 = 0; i < count; i++) store<u32>(place + i * 4, idOfKey(load<u32>(first + i * RECORD_BYTES, 12)))
    v128.store(node, i32x4.replace_lane(low, 3, place))
    v128.store(node, i32x4.replace_lane(high, 3, LEAF | (instance ? INSTANCE_LEAF : 0) | count), 16)
    return
  }
  const middle = splitRange(workspace, first, end, depth)
  const left = takePair(workspace)
  storeInner(node, low, high, left)
  buildSubtree(workspace, left, first, middle, depth + 1)
  buildSubtree(workspace, left + TREE_NODE_BYTES, middle, end, depth + 1)
}

/** Writes an inner node that no ray has visited. */
@inline
export function storeInner(node: u32, low: v128, high: v128, left: u32): void {
  v128.store(node, i32x4.replace_lane(low, 3, left))
  v128.store(node, i32x4.replace_lane(high, 3, 0), 16)
}

/** Whether any of a few records is that of an instance. */
@inline
function hasInstance(workspace: u32, first: u32, end: u32): bool {
  const instances = load<u32>(workspace, WORKSPACE_INSTANCES)
  for (let at = first; at < end; at += RECORD_BYTES) if (isInstanceKey(load<u32>(at, 12), instances)) return true
  return false
}

/** Splits a measured range, of more than MAX_LEAF triangles or with instances, into two nonempty parts. */
export function splitRange(workspace: u32, first: u32, end: u32, depth: u32): u32 {
  const count = (end - first) / RECORD_BYTES
  let middle = first
  if (depth < HALVE_FROM_DEPTH) {
    middle = count <= MAX_EXACT ? splitExactly(workspace, first, end) : splitByBins(workspace, first, end)
  }
  if (middle != first && middle != end) return middle
  // Coincident centroids cannot be separated, and from a certain depth on there is no search: halve in the current order, in
  // full triangle4s if there is more than one.
  if (count <= MAX_LEAF) return first + (count >> 1) * RECORD_BYTES
  return first + (((count + 3) >> 3) << 2) * RECORD_BYTES
}

/** Reciprocal of the largest side of a node's box. */
@inline
export function scaleOf(node: u32): f32 {
  const side = f32x4.sub(highOf(node), lowOf(node))
  return 1 / max(max(f32x4.extract_lane(side, 0), f32x4.extract_lane(side, 1)), f32x4.extract_lane(side, 2))
}

/**
 * Half of a box's surface area with lengths multiplied by `scale`, that of a node around it; more than 0, and finite even if coordinates are so large that their
 * differences are not.
 */
@inline
export function relativeArea(low: v128, high: v128, scale: f32): f32 {
  const scaled = f32x4.pmin(f32x4.splat(2), f32x4.mul(f32x4.sub(high, low), f32x4.splat(scale)))
  const side = f32x4.add(scaled, f32x4.splat(THICKNESS))
  const x = f32x4.extract_lane(side, 0)
  const y = f32x4.extract_lane(side, 1)
  const z = f32x4.extract_lane(side, 2)
  return x * (y + z) + y * z
}
