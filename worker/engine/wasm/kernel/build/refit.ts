/**
 * Refits a tree to moved vertices: it keeps its shape and every triangle4 its triangles; corners are reread and boxes recomputed,
 * with the same bits that a build would give them. `refitBegin` on one thread, `refitHelp` on any number of threads at once,
 * `refitFinish` on one thread after all have returned.
 *
 *     corners and boxes of triangle4s, by all -> these boxes widened by the margin, and those of nodes from the bottom up, with their odds, by one
 *
 * The last step has a seventh of the work.
 */
import { Child, Group, Node, Scene, Triangle4 } from '../records'
import { greatestOfCorners, leastOfCorners, marginOf, sideWidenings } from './boxes'
import { readCorners } from './emit'
import { greatestOfLanes, highestOf, leastOfLanes, lowestOf, storeBox } from './node-box'
import { areaOfTriangles, setOdds } from './odds'
import { buildState, MARGIN, NEXT_WIDE, openState } from './state'

/** Nodes taken by a thread at a time. */
const PART: u32 = 256
/** Odd, with as many ones as zeros: 2^64 over the golden ratio. */
const MIX: u64 = 0x9e3779b97f4a7c15

/** Puts what threads share at `scratch` (a multiple of 128); false if memory cannot grow. The structure is at its address. */
export function refitBegin(scratch: u32): bool {
  return openState(scratch)
}

/** Does what threads can do at the same time. */
export function refitHelp(): void {
  const state = buildState()
  const structure = Scene.structure()
  const nodes = Scene.nodeCount()
  while (true) {
    const from = atomic.add<u32>(state, PART, NEXT_WIDE)
    if (from >= nodes) break
    raise(state + MARGIN, refitLeaves(structure + from * Node.BYTES, structure + min(from + PART, nodes) * Node.BYTES))
  }
}

/** Completes the tree; returns its cost. */
export function refitFinish(): f64 {
  // Does everything if no thread has helped.
  refitHelp()
  const far = f32x4.splat(load<f32>(buildState(), MARGIN))
  setOdds(Scene.structure(), marginOf(far, far))
  return treeCost()
}

/** What a random ray visits in the tree, nodes and triangle4s: the sum of their areas over that of the whole scene. */
export function treeCost(): f64 {
  const structure = Scene.structure()
  const end = structure + Scene.nodeCount() * Node.BYTES
  const whole = v128.andnot(f32x4.sub(highestOf(structure), lowestOf(structure)), i32x4(0, 0, 0, -1))
  const side = v128.shuffle<i32>(whole, whole, 1, 2, 0, 3)
  const products = f32x4.mul(whole, side)
  const area = <f64>f32x4.extract_lane(products, 0) + f32x4.extract_lane(products, 1) + f32x4.extract_lane(products, 2)
  let sum: f64 = 0
  for (let at = structure; at < end; at += PART * Node.BYTES) sum += areasOf(at, min(at + PART * Node.BYTES, end))
  return sum / area
}

/** A hash of the tree's shape: which children its nodes have, and which triangles its triangle4s. Refitting does not change it. */
export function treeShape(): u64 {
  const nodes = Scene.structure()
  const triangle4s = nodes + Scene.nodeCount() * Node.BYTES
  const end = triangle4s + Scene.triangle4Count() * Triangle4.BYTES
  let hash: u64 = 0
  for (let group = nodes; group < triangle4s; group += Group.BYTES) hash = mixed(hash, Group.childrenLanes(group))
  for (let at = triangle4s; at < end; at += Triangle4.BYTES) hash = mixed(hash, Triangle4.idLanes(at))
  return hash
}

@inline
function mixed(hash: u64, words: v128): u64 {
  const half = (hash ^ i64x2.extract_lane(words, 0)) * MIX
  const whole = ((half ^ (half >> 32)) + i64x2.extract_lane(words, 1)) * MIX
  return whole ^ (whole >> 29)
}

/** Half the area of all children of the groups in a range of nodes. */
function areasOf(first: u32, end: u32): f64 {
  let low = f64x2.splat(0)
  let high = f64x2.splat(0)
  for (let group = first; group < end; group += Group.BYTES) {
    const x = f32x4.sub(Group.maxXLanes(group), Group.minXLanes(group))
    const y = f32x4.sub(Group.maxYLanes(group), Group.minYLanes(group))
    const z = f32x4.sub(Group.maxZLanes(group), Group.minZLanes(group))
    const areas = f32x4.add(f32x4.mul(x, y), f32x4.add(f32x4.mul(y, z), f32x4.mul(z, x)))
    const some = i32x4.ne(Group.childrenLanes(group), i32x4.splat(0))
    const counted = v128.and(areas, some)
    low = f64x2.add(low, f64x2.promote_low_f32x4(counted))
    high = f64x2.add(high, f64x2.promote_low_f32x4(v128.shuffle<i32>(counted, counted, 2, 3, 2, 3)))
  }
  const both = f64x2.add(low, high)
  return f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1)
}

/** Raises the float at an address, none of them negative, to at least `value`. */
function raise(at: u32, value: f32): void {
  const bits = reinterpret<u32>(value)
  let before = atomic.load<u32>(at)
  while (before < bits) {
    const found = atomic.cmpxchg<u32>(at, before, bits)
    if (found == before) return
    before = found
  }
}

/** Rereads the corners below a range of nodes, and makes boxes of triangle4s, not yet widened by the margin; returns the largest absolute coordinate. */
function refitLeaves(first: u32, end: u32): f32 {
  let largest = f32x4.splat(0)
  for (let group = first; group < end; group += Group.BYTES) {
    for (let lane: u32 = 0; lane < 16; lane += 4) {
      const child = Group.children(group + lane)
      if ((child & Child.TRIANGLE4) != 0) largest = f32x4.pmax(largest, refitLeaf(group + lane, child - Child.TRIANGLE4))
    }
  }
  largest = f32x4.pmax(largest, v128.shuffle<i32>(largest, largest, 2, 3, 2, 3))
  return max(f32x4.extract_lane(largest, 0), f32x4.extract_lane(largest, 1))
}

/** The same of one triangle4, in a lane of a group; returns the largest absolute coordinates of its triangles. */
@inline
function refitLeaf(lane: u32, triangle4: u32): v128 {
  readCorners(triangle4)
  const lowX = leastOfCorners(triangle4)
  const lowY = leastOfCorners(triangle4 + 16)
  const lowZ = leastOfCorners(triangle4 + 32)
  const highX = greatestOfCorners(triangle4)
  const highY = greatestOfCorners(triangle4 + 16)
  const highZ = greatestOfCorners(triangle4 + 32)
  const wider = sideWidenings(f32x4.sub(highX, lowX), f32x4.sub(highY, lowY), f32x4.sub(highZ, lowZ))
  storeBox(
    lane,
    leastOfLanes(f32x4.sub(lowX, wider), f32x4.sub(lowY, wider), f32x4.sub(lowZ, wider)),
    greatestOfLanes(f32x4.add(highX, wider), f32x4.add(highY, wider), f32x4.add(highZ, wider)),
  )
  Group.setOdds(lane, areaOfTriangles(triangle4))
  const x = f32x4.pmax(f32x4.abs(lowX), f32x4.abs(highX))
  const y = f32x4.pmax(f32x4.abs(lowY), f32x4.abs(highY))
  return f32x4.pmax(f32x4.pmax(x, y), f32x4.pmax(f32x4.abs(lowZ), f32x4.abs(highZ)))
}
