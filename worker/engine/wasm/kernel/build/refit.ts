/**
 * Refits a tree to moved vertices: it keeps its shape and every triangle4 its triangles; corners are reread and boxes recomputed,
 * with the same bits that a build would give them. `refitBegin` on one thread, `refitHelp` on any number of threads at once,
 * `refitFinish` on one thread after all have returned.
 *
 *     corners, by all -> boxes of triangle4s, by all -> boxes of nodes from the bottom up, with their odds, by one
 *
 * The last step has a tenth of the work.
 */
import { Child, Group, Node, Scene, Triangle4 } from '../records'
import { greatestOfCorners, leastOfCorners, marginOf, sideWidenings, widenDown, widenUp } from './boxes'
import { readCorners } from './emit'
import { greatestOfLanes, highestOf, leastOfLanes, lowestOf, storeBox } from './node-box'
import { chanceOfTriangle4, setOdds } from './odds'
import { buildState, DONE_RECORDS, FAILED, MARGIN, NEXT_RECORD, NEXT_WIDE, openState, WRITING } from './state'
import { afterPhase, enterPhase } from './tasks'

/** Nodes or triangle4s taken by a thread at a time. */
const PART: u32 = 1024
/** Odd, with as many ones as zeros: 2^64 over the golden ratio. */
const MIX: u64 = 0x9e3779b97f4a7c15

/** Puts what threads share at `scratch` (a multiple of 128); false if memory cannot grow. The structure is at its address. */
export function refitBegin(scratch: u32): bool {
  return openState(scratch)
}

/** Does what threads can do at the same time; waits for the corners that others have taken. */
export function refitHelp(): void {
  const state = buildState()
  const structure = Scene.structure()
  const nodes = Scene.nodeCount()
  const first = structure + nodes * Node.BYTES
  const triangle4s = Scene.triangle4Count()
  while (true) {
    const from = atomic.add<u32>(state, PART, NEXT_RECORD)
    if (from >= triangle4s) break
    const end = min(from + PART, triangle4s)
    raise(state + MARGIN, refitTriangle4s(first + from * Triangle4.BYTES, first + end * Triangle4.BYTES))
    if (atomic.add<u32>(state, end - from, DONE_RECORDS) + end - from == triangle4s) enterPhase(state, WRITING)
  }
  if (afterPhase(state, 0) == FAILED) return
  const far = f32x4.splat(load<f32>(state, MARGIN))
  const margin = f32x4.splat(marginOf(far, far))
  while (true) {
    const from = atomic.add<u32>(state, PART, NEXT_WIDE)
    if (from >= nodes) break
    refitLeaves(structure + from * Node.BYTES, structure + min(from + PART, nodes) * Node.BYTES, margin)
  }
}

/** Completes the tree; returns its cost. */
export function refitFinish(): f64 {
  // Does everything if no thread has helped.
  refitHelp()
  setOdds(Scene.structure())
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

/** Rereads corners; returns the largest absolute coordinate. */
function refitTriangle4s(first: u32, end: u32): f32 {
  let largest = f32x4.splat(0)
  for (let triangle4 = first; triangle4 < end; triangle4 += Triangle4.BYTES) {
    readCorners(triangle4)
    for (let k: u32 = 0; k < Triangle4.ID; k += 16) largest = f32x4.pmax(largest, f32x4.abs(v128.load(triangle4 + k)))
  }
  largest = f32x4.pmax(largest, v128.shuffle<i32>(largest, largest, 2, 3, 2, 3))
  return max(f32x4.extract_lane(largest, 0), f32x4.extract_lane(largest, 1))
}

/** Writes the boxes of triangle4s. Those of nodes are not known yet; where there is no child, nothing changes. */
function refitLeaves(first: u32, end: u32, margin: v128): void {
  for (let group = first; group < end; group += Group.BYTES) {
    for (let lane: u32 = 0; lane < 16; lane += 4) {
      const child = Group.children(group + lane)
      if ((child & Child.TRIANGLE4) == 0) continue
      const triangle4 = child - Child.TRIANGLE4
      const lowX = leastOfCorners(triangle4)
      const lowY = leastOfCorners(triangle4 + 16)
      const lowZ = leastOfCorners(triangle4 + 32)
      const highX = greatestOfCorners(triangle4)
      const highY = greatestOfCorners(triangle4 + 16)
      const highZ = greatestOfCorners(triangle4 + 32)
      const wider = sideWidenings(f32x4.sub(highX, lowX), f32x4.sub(highY, lowY), f32x4.sub(highZ, lowZ))
      const low = leastOfLanes(f32x4.sub(lowX, wider), f32x4.sub(lowY, wider), f32x4.sub(lowZ, wider))
      const high = greatestOfLanes(f32x4.add(highX, wider), f32x4.add(highY, wider), f32x4.add(highZ, wider))
      storeBox(group + lane, widenDown(low, margin), widenUp(high, margin))
      Group.setOdds(group + lane, chanceOfTriangle4(group + lane, triangle4))
    }
  }
}
