/**
 * Refits the tree to moved vertices: it keeps its shape and every triangle4 its triangles; corners are reread and boxes
 * recomputed from the bottom up, with the same bits that a build would give them. Parents precede their children, so a single
 * backward loop suffices.
 */
import {
  CHILD_TRIANGLE4,
  GROUP_BYTES,
  GROUP_CHILDREN,
  NODE_BYTES,
  OTHER_SIDE,
  TRIANGLE4_BYTES,
  TRIANGLE4_CORNER,
  SCENE,
  SCENE_NODES,
  SCENE_TRIANGLE4S,
  SCENE_STRUCTURE,
} from '../layout'
import { marginOf, sideWidenings, widenDown, widenUp, writeSides } from './boxes'
import { readCorners } from './emit'

/** Nodes or triangle4s per call of a loop, for the reason given in `binned-split.ts`. */
const PART: u32 = 1024

export function refit(): void {
  const structure = load<u32>(SCENE, SCENE_STRUCTURE)
  const triangle4s = structure + load<u32>(SCENE, SCENE_NODES) * NODE_BYTES
  const end = triangle4s + load<u32>(SCENE, SCENE_TRIANGLE4S) * TRIANGLE4_BYTES
  let largest: f32 = 0
  for (let at = triangle4s; at < end; at += PART * TRIANGLE4_BYTES) {
    largest = max(largest, refitTriangle4s(at, min(at + PART * TRIANGLE4_BYTES, end)))
  }
  const far = f32x4.splat(largest)
  const margin = f32x4.splat(marginOf(far, far))
  for (let at = triangle4s; at > structure; ) {
    const from = at - min(PART * NODE_BYTES, at - structure)
    refitNodes(from, at, margin)
    at = from
  }
}

/** Rereads corners; returns the largest absolute coordinate. */
function refitTriangle4s(first: u32, end: u32): f32 {
  let largest = f32x4.splat(0)
  for (let triangle4 = first; triangle4 < end; triangle4 += TRIANGLE4_BYTES) {
    readCorners(triangle4)
    for (let k: u32 = 0; k < 144; k += 16) largest = f32x4.pmax(largest, f32x4.abs(v128.load(triangle4 + k)))
  }
  largest = f32x4.pmax(largest, v128.shuffle<i32>(largest, largest, 2, 3, 2, 3))
  return max(f32x4.extract_lane(largest, 0), f32x4.extract_lane(largest, 1))
}

function refitNodes(first: u32, end: u32, margin: v128): void {
  for (let group = end; group > first; ) {
    group -= GROUP_BYTES
    const a = load<u32>(group, GROUP_CHILDREN)
    const b = load<u32>(group, GROUP_CHILDREN + 4)
    const c = load<u32>(group, GROUP_CHILDREN + 8)
    const d = load<u32>(group, GROUP_CHILDREN + 12)
    writeSides(group, lowest(a, margin), lowest(b, margin), lowest(c, margin), lowest(d, margin))
    writeSides(group + OTHER_SIDE, highest(a, margin), highest(b, margin), highest(c, margin), highest(d, margin))
  }
}

/** Lower sides of a child: widened for a triangle4, the minimum over its children for a node, infinite for none. */
function lowest(child: u32, margin: v128): v128 {
  if (child == 0) return f32x4.splat(Infinity)
  if (child & CHILD_TRIANGLE4) {
    const triangle4 = child - CHILD_TRIANGLE4
    const wider = widenings(triangle4)
    const x = f32x4.sub(leastOfCorners(triangle4), wider)
    const y = f32x4.sub(leastOfCorners(triangle4 + 16), wider)
    const z = f32x4.sub(leastOfCorners(triangle4 + 32), wider)
    return widenDown(leastOfLanes(x, y, z), margin)
  }
  return leastOfLanes(
    f32x4.pmin(v128.load(child), v128.load(child, 128)),
    f32x4.pmin(v128.load(child, 16), v128.load(child, 144)),
    f32x4.pmin(v128.load(child, 32), v128.load(child, 160)),
  )
}

function highest(child: u32, margin: v128): v128 {
  if (child == 0) return f32x4.splat(-Infinity)
  if (child & CHILD_TRIANGLE4) {
    const triangle4 = child - CHILD_TRIANGLE4
    const wider = widenings(triangle4)
    const x = f32x4.add(greatestOfCorners(triangle4), wider)
    const y = f32x4.add(greatestOfCorners(triangle4 + 16), wider)
    const z = f32x4.add(greatestOfCorners(triangle4 + 32), wider)
    return widenUp(greatestOfLanes(x, y, z), margin)
  }
  const other = child + OTHER_SIDE
  return greatestOfLanes(
    f32x4.pmax(v128.load(other), v128.load(other, 128)),
    f32x4.pmax(v128.load(other, 16), v128.load(other, 144)),
    f32x4.pmax(v128.load(other, 32), v128.load(other, 160)),
  )
}

/** How much the boxes of a triangle4's triangles are widened. */
@inline
function widenings(triangle4: u32): v128 {
  return sideWidenings(sidesOf(triangle4), sidesOf(triangle4 + 16), sidesOf(triangle4 + 32))
}

@inline
function sidesOf(coordinates: u32): v128 {
  return f32x4.sub(greatestOfCorners(coordinates), leastOfCorners(coordinates))
}

/** For one coordinate of four triangles, the minimum over the three corners. */
@inline
function leastOfCorners(coordinates: u32): v128 {
  const ab = f32x4.pmin(v128.load(coordinates), v128.load(coordinates, TRIANGLE4_CORNER))
  return f32x4.pmin(ab, v128.load(coordinates, 2 * TRIANGLE4_CORNER))
}

@inline
function greatestOfCorners(coordinates: u32): v128 {
  const ab = f32x4.pmax(v128.load(coordinates), v128.load(coordinates, TRIANGLE4_CORNER))
  return f32x4.pmax(ab, v128.load(coordinates, 2 * TRIANGLE4_CORNER))
}

/** The minimum lane of each of three vectors, as xyz. */
@inline
function leastOfLanes(x: v128, y: v128, z: v128): v128 {
  const xy = f32x4.pmin(v128.shuffle<i32>(x, y, 0, 4, 1, 5), v128.shuffle<i32>(x, y, 2, 6, 3, 7))
  const zz = f32x4.pmin(z, v128.shuffle<i32>(z, z, 2, 3, 2, 3))
  return f32x4.pmin(v128.shuffle<i32>(xy, zz, 0, 1, 4, 4), v128.shuffle<i32>(xy, zz, 2, 3, 5, 5))
}

@inline
function greatestOfLanes(x: v128, y: v128, z: v128): v128 {
  const xy = f32x4.pmax(v128.shuffle<i32>(x, y, 0, 4, 1, 5), v128.shuffle<i32>(x, y, 2, 6, 3, 7))
  const zz = f32x4.pmax(z, v128.shuffle<i32>(z, z, 2, 3, 2, 3))
  return f32x4.pmax(v128.shuffle<i32>(xy, zz, 0, 1, 4, 4), v128.shuffle<i32>(xy, zz, 2, 3, 5, 5))
}
