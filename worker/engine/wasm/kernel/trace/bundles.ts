/**
 * Streams of bundles: coherent rays share the traversal to their closest hits, BUNDLE_RAYS at a time. This pays off while a
 * bundle is narrow, so a bundle is cut short at a ray whose origin or direction differs too much from its first ray's: at a
 * silhouette, for example, where neighbours belong to different objects.
 */
import { Corner, Node, Ray, Scene, Triangle4 } from '../records'
import {
  workspace,
  AXES_TABLE,
  BUNDLE_CONTEXTS,
  BUNDLES,
  ENDED_LIST,
  ENDS,
  MOVED,
  NODE_LIST,
  OTHER_NODE_LIST,
  OTHER_TRIANGLE4_LIST,
  TRIANGLE4_LIST,
  POPPING_LIST,
  SEVERAL_LIST,
  SINGLE_LIST,
  SORT_TABLE,
  startStep,
  toKeys,
} from './workspace'
import { stepBundleBoxes } from './box-step'
import {
  BUNDLE_BYTES,
  BUNDLE_RAYS,
  bundledRay,
  enterBundle,
  FIRST_RECORD,
  isNarrow,
  measureBundle,
  QUAD_BEST,
  QUAD_BYTES,
  QUAD_CERTAIN,
  QUAD_HIT,
  QUAD_STEPS,
  RAY_COUNT,
} from './bundle-context'
import { stepBundleTriangle4s } from './bundle-step'
import { ENDED, NODES, TRIANGLE4S, POPPING, SEVERAL, SINGLE } from './lists'
import { popBundles } from './pop-step'
import { stepBundlesIntoNearest, stepBundlesIntoSingle } from './push-step'
import { axesOf, STEPS } from './ray-context'
import { traceAgain } from './stream'
import { touchNodes, touchTriangle4s } from './touch'

/** Origins of a bundle are at most this many triangle4s apart … */
const MAX_TRIANGLE4S_APART = 4
/** … and directions differ at most by this fraction of their longest component. */
const MAX_ASTRAY: f32 = 0.25
/** Places of a batch where bundles are tried, and how many rays one must have there on average for bundles to pay off. */
const PROBES: u32 = 4
const WORTHWHILE: u32 = 8
/** Triangle4s sampled for the typical size of triangle4s. */
const SAMPLED_TRIANGLE4S: u32 = 256

let next: u32 = 0
let batchEnd: u32 = 0
/** Rays of the batch that have to be traced again. */
let doubtful: u32 = 0
/** Maximum distance between origins of a bundle, along any axis. */
let reach: f32 = 0

/** Prepares for the scene in the header. */
export function bindBundles(): void {
  reach = <f32>(MAX_TRIANGLE4S_APART * typicalTriangle4())
}

/**
 * Whether bundles pay off for `count` rays, judged by a few of them. Bundles of a few rays each, such as those of an orthographic view in which
 * pixels are farther apart than triangles, cost several times as much as these rays do without.
 */
export function bundlesPayOff(rays: u32, count: u32): bool {
  let bundled: u32 = 0
  for (let probe: u32 = 0; probe < PROBES; probe++) {
    const first = (count * probe) / PROBES
    bundled += countAlike(rays + first * Ray.BYTES, min(BUNDLE_RAYS, count - first))
  }
  return bundled >= PROBES * WORTHWHILE
}

/** Finds the closest hits of `count` rays, of which neighbours are coherent. */
export function traceBundles(rays: u32, count: u32): void {
  let nodes = workspace + NODE_LIST
  let triangle4s = workspace + TRIANGLE4_LIST
  let otherNodes = workspace + OTHER_NODE_LIST
  let otherTriangle4s = workspace + OTHER_TRIANGLE4_LIST
  const ends = workspace + ENDS
  const ended = workspace + ENDED_LIST
  const single = workspace + SINGLE_LIST
  const several = workspace + SEVERAL_LIST
  const popping = workspace + POPPING_LIST
  doubtful = 0
  next = rays
  batchEnd = rays + count * Ray.BYTES
  for (let i: u32 = 0; i < BUNDLES; i++) store<u32>(ended + i * 4, workspace + BUNDLE_CONTEXTS + i * BUNDLE_BYTES)
  let toNodes = refill(ended, ended + BUNDLES * 4, nodes)
  let toTriangle4s = triangle4s
  while (toNodes + toTriangle4s != nodes + triangle4s) {
    startStep(otherNodes, otherTriangle4s)
    stepBundleBoxes(nodes, toNodes, ends)
    stepBundlesIntoSingle(single, load<u32>(ends, SINGLE), ends)
    stepBundlesIntoNearest(several, load<u32>(ends, SEVERAL), ends, toKeys, workspace + SORT_TABLE)
    stepBundleTriangle4s(triangle4s, toTriangle4s, workspace + MOVED)
    popBundles(popping, load<u32>(ends, POPPING), ends, toKeys)
    popBundles(triangle4s, toTriangle4s, ends, toKeys)
    toNodes = load<u32>(ends, NODES)
    toTriangle4s = load<u32>(ends, TRIANGLE4S)
    touchNodes(otherNodes, toNodes)
    touchTriangle4s(otherTriangle4s, toTriangle4s)
    const endedEnd = load<u32>(ends, ENDED)
    if (endedEnd != ended) {
      finish(ended, endedEnd)
      toNodes = refill(ended, endedEnd, toNodes)
    }
    const swapNodes = nodes
    nodes = otherNodes
    otherNodes = swapNodes
    const swapTriangle4s = triangle4s
    triangle4s = otherTriangle4s
    otherTriangle4s = swapTriangle4s
  }
  if (doubtful != 0) traceAgain(rays, count, false)
}

/**
 * Writes the results of the rays of the listed bundles, or leaves those to be traced again that are in doubt (as in `stream.ts`); a bundle's own steps are distributed
 * evenly among its rays.
 */
function finish(list: u32, end: u32): void {
  for (; list < end; list += 4) {
    const bundle = load<u32>(list)
    const count = load<u32>(bundle, RAY_COUNT)
    const share = i32x4.splat((load<u32>(bundle, STEPS) + count - 1) / count)
    let record = load<u32>(bundle, FIRST_RECORD)
    const last = record + count * Ray.BYTES
    for (let quad = bundledRay(bundle, 0); record < last; quad += QUAD_BYTES) {
      v128.store(quad, i32x4.add(v128.load(quad, QUAD_STEPS), share), QUAD_STEPS)
      let certain = i32x4.bitmask(v128.load(quad, QUAD_CERTAIN))
      const end = min(record + 4 * Ray.BYTES, last)
      for (let ray = quad; record < end; ray += 4) {
        if ((certain & 1) == 0) {
          Ray.setSteps(record, 0)
          doubtful++
        } else {
          Ray.setHit(record, load<u32>(ray, QUAD_HIT))
          Ray.setSteps(record, load<u32>(ray, QUAD_STEPS))
          Ray.setTMax(record, load<f32>(ray, QUAD_BEST))
        }
        certain >>= 1
        record += Ray.BYTES
      }
    }
  }
}

/** Assigns the listed contexts to the next bundles of the batch, and appends these at `nodes`; returns the new end. */
function refill(list: u32, end: u32, nodes: u32): u32 {
  const root = Scene.root()
  for (; list < end && next < batchEnd; list += 4) {
    const bundle = load<u32>(list)
    let count = min(BUNDLE_RAYS, (batchEnd - next) / Ray.BYTES)
    measureBundle(bundle, next, count)
    if (!isNarrow(bundle, f32x4.splat(reach), mostAstray(Ray.direction(next)))) {
      count = countAlike(next, count)
      measureBundle(bundle, next, count)
    }
    enterBundle(bundle, next, count, root, workspace + AXES_TABLE)
    store<u32>(nodes, bundle)
    nodes += 4
    next += count * Ray.BYTES
  }
  return nodes
}

/** By how much directions may differ from that of a bundle's first ray, along any axis. */
@inline
function mostAstray(direction: v128): v128 {
  const size = f32x4.abs(direction)
  const x = f32x4.extract_lane(size, 0)
  const y = f32x4.extract_lane(size, 1)
  const z = f32x4.extract_lane(size, 2)
  return f32x4.splat(MAX_ASTRAY * max(max(x, y), z))
}

/** How many of `count` rays, at least one, have origin and direction close to the first's, with the same sign on every axis and the same longest axis. */
function countAlike(rays: u32, count: u32): u32 {
  const origin = Ray.origin(rays)
  // Zero counts as positive, whatever its sign: adding 0 makes it so.
  const zero = f32x4.splat(0)
  const direction = f32x4.add(Ray.direction(rays), zero)
  const astray = mostAstray(direction)
  const mostApart = f32x4.splat(reach)
  const axes = axesOf(direction, 0)
  for (let i: u32 = 1; i < count; i++) {
    rays += Ray.BYTES
    const otherDirection = f32x4.add(Ray.direction(rays), zero)
    const near = f32x4.le(f32x4.abs(f32x4.sub(Ray.origin(rays), origin)), mostApart)
    const along = f32x4.le(f32x4.abs(f32x4.sub(otherDirection, direction)), astray)
    // The sign bit of the XOR is set if signs differ; lane 3 is not a coordinate. NaN is near nothing.
    const alike = v128.andnot(v128.and(near, along), v128.xor(otherDirection, direction))
    if ((i32x4.bitmask(alike) & 7) != 7 || axesOf(otherDirection, 0) != axes) return i
  }
  return count
}

/** The harmonic mean of some triangle4s' longest sides: a few large ones, such as a floor, hardly count. */
function typicalTriangle4(): f64 {
  const triangle4s = Scene.structure() + Scene.nodeCount() * Node.BYTES
  const count = Scene.triangle4Count()
  const sampled = min(count, SAMPLED_TRIANGLE4S)
  let sum: f64 = 0
  for (let i: u32 = 0; i < sampled; i++) {
    const triangle4 = triangle4s + <u32>((<u64>i * count) / sampled) * Triangle4.BYTES
    let side: f32 = 1e-30
    for (let axis: u32 = 0; axis < Corner.BYTES; axis += 16) {
      let low: f32 = Infinity
      let high: f32 = -Infinity
      for (let corner = axis; corner < 3 * Corner.BYTES; corner += Corner.BYTES) {
        for (let lane: u32 = 0; lane < 16; lane += 4) {
          const coordinate = load<f32>(triangle4 + corner + lane)
          low = min(low, coordinate)
          high = max(high, coordinate)
        }
      }
      side = max(side, high - low)
    }
    sum += 1 / <f64>side
  }
  return <f64>sampled / sum
}
