/**
 * Streams of rays through the tree: LANES rays are in flight at once, each with a context in memory, and every step processes
 * one list of them (at a node, at a triangle4, ended). The steps have hardly a branch that depends on a ray, and while one ray
 * waits for memory the next ones proceed. A ray that ends makes room for the next one of the batch.
 *
 * Rays come in beams, each of which has its own entry points, found once (`entry-points.ts`): coherent rays as they are, others by the octant that they go to, where
 * neighbours start close to each other (`order.ts`).
 */
import { Node, Ray, Scene, Shadow } from '../records'
import {
  workspace,
  AXES_TABLE,
  CONTEXTS,
  ENDED_LIST,
  ENDS,
  ENTRY_SCRATCH,
  INSTANCE_LIST,
  LANES,
  NODE_LIST,
  OTHER_NODE_LIST,
  OTHER_TRIANGLE4_LIST,
  PACK_TABLE,
  PLACED,
  TRIANGLE4_LIST,
  POPPING_LIST,
  ORDER,
  ROOTS,
  SEVERAL_LIST,
  SINGLE_LIST,
  SORT_TABLE,
  startStep,
  toKeys,
  VIRTUAL_ROOTS,
  wide,
} from './workspace'
import { stepBoxes, stepBoxesLikely, stepBoxesShadow, stepBoxesShadowWide, stepBoxesWide } from './box-step'
import { findEntries, sidesOf } from './entry-points'
import { enterScene, stepInstances } from './instances'
import { ENDED, INSTANCES, NODES, TRIANGLE4S, POPPING, SEVERAL, SINGLE } from './lists'
import {
  stepTriangle4sClosest,
  stepTriangle4sClosestWide,
  stepTriangle4sShadow,
  stepTriangle4sShadowWide,
} from './triangle4-step'
import { listByOctant, listRays, ORDERED, startClose, stretchEnd } from './order'
import { popAny, popAnyWide, popNearest, popNearestWide } from './pop-step'
import {
  stepIntoAny,
  stepIntoAnyWide,
  stepIntoLikeliest,
  stepIntoNearest,
  stepIntoNearestWide,
  stepIntoSingle,
  stepIntoSingleWide,
} from './push-step'
import { liesInBox } from './own-box'
import { BEST, BLOCKER, CONTEXT_BYTES, enter, ENTRY, HIT, HIT_INSTANCE, RECORD, STEPS } from './ray-context'
import { touchNodes, touchTriangle4s } from './touch'

/** Rays that share entry points: coherent ones, and others. */
const BEAM_RAYS: u32 = 64
const OCTANT_RAYS: u32 = 128
/** Fewer rays do not pay for entry points. */
const LEAST_RAYS: u32 = 8
/** Nor do incoherent rays whose origins are farther apart than this part of the scene: as good as all of them enter what the root has. */
const NARROW: f32 = 1.0 / 32.0
/** What part of that may be between neighbours where rays are ordered for it. */
const ALIKE: f32 = 1.0 / 4.0
/**
 * To look for the likeliest occluder makes steps a tenth dearer, and pays only for shadow rays that are occluded: it is done while one in so many of the rays that have
 * ended is. Coherent rays have few steps to save.
 */
const OCCLUDED: u32 = 5

/** Rays of the batch that are not listed yet, and its end. */
let unlisted: u32 = 0
let batchEnd: u32 = 0
/** In the list: the next ray to start, the ends of the current beam and of the list; the octant that the rays go to. */
let next: u32 = 0
let beamEnd: u32 = 0
let listed: u32 = 0
let octant: u32 = 0
/** Whether listed rays share entry points, and how far apart those that do may start. */
let inBeams: bool = false
let reach: f32 = 0
/** The child word where the rays of the current beam begin. */
let start: u32 = 0
let beams: u32 = 0
/** Rays of the batch that have ended, and how many of them were occluded. */
let done: u32 = 0
let occluded: u32 = 0
/** Rays of the batch that have to be traced again. */
let doubtful: u32 = 0

/** Traces `count` rays: to the closest hit of each, or until something opaque is hit. */
export function traceStream(rays: u32, count: u32, coherent: bool, shadow: bool): void {
  doubtful = 0
  stream(rays, count, coherent, shadow, wide)
  if (doubtful != 0) traceAgain(rays, count, shadow)
}

/** Traces those rays again that have been left in doubt (`leaveInDoubt`), and judges every hit by its triangle's box. */
export function traceAgain(rays: u32, count: u32, shadow: bool): void {
  for (const end = rays + count * Ray.BYTES; rays < end; rays += Ray.BYTES) {
    if (Ray.steps(rays) == 0) stream(rays, 1, false, shadow, true)
  }
}

/** @param careful whether every hit is judged by its triangle's box, and not only what a ray ends with; in scenes with instances it has to be */
function stream(rays: u32, count: u32, coherent: bool, shadow: bool, careful: bool): void {
  let nodes = workspace + NODE_LIST
  let triangle4s = workspace + TRIANGLE4_LIST
  let otherNodes = workspace + OTHER_NODE_LIST
  let otherTriangle4s = workspace + OTHER_TRIANGLE4_LIST
  const ends = workspace + ENDS
  const ended = workspace + ENDED_LIST
  const single = workspace + SINGLE_LIST
  const several = workspace + SEVERAL_LIST
  const popping = workspace + POPPING_LIST
  const instances = workspace + INSTANCE_LIST
  let toInstances = instances
  unlisted = rays
  batchEnd = rays + count * Ray.BYTES
  next = 0
  listed = 0
  beamEnd = 0
  beams = 0
  done = 0
  occluded = 0

  // Initially every context is free.
  for (let lane: u32 = 0; lane < LANES; lane++) store<u32>(ended + lane * 4, workspace + CONTEXTS + lane * CONTEXT_BYTES)
  let toNodes = refill(ended, ended + LANES * 4, nodes, coherent, shadow, careful)
  let toTriangle4s = triangle4s
  while (toNodes + toTriangle4s + toInstances != nodes + triangle4s + instances) {
    startStep(otherNodes, otherTriangle4s)
    if (careful) {
      // Rays that are listed at an instance now are at its root in the same step.
      toNodes = stepInstances(instances, toInstances, ends, toNodes, toKeys)
      stepWide(nodes, toNodes, triangle4s, toTriangle4s, shadow)
      toInstances = load<u32>(ends, INSTANCES)
    } else if (shadow) {
      const likely = !coherent && occluded * OCCLUDED >= done
      if (likely) stepBoxesLikely(nodes, toNodes, ends)
      else stepBoxesShadow(nodes, toNodes, ends)
      stepIntoSingle(single, load<u32>(ends, SINGLE), ends)
      if (likely) stepIntoLikeliest(several, load<u32>(ends, SEVERAL), ends, workspace + PACK_TABLE)
      else stepIntoAny(several, load<u32>(ends, SEVERAL), ends, workspace + PACK_TABLE)
      stepTriangle4sShadow(triangle4s, toTriangle4s)
      popAny(popping, load<u32>(ends, POPPING), ends)
      popAny(triangle4s, toTriangle4s, ends)
    } else {
      stepBoxes(nodes, toNodes, ends)
      stepIntoSingle(single, load<u32>(ends, SINGLE), ends)
      stepIntoNearest(several, load<u32>(ends, SEVERAL), ends, toKeys, workspace + SORT_TABLE)
      stepTriangle4sClosest(triangle4s, toTriangle4s)
      popNearest(popping, load<u32>(ends, POPPING), ends, toKeys)
      popNearest(triangle4s, toTriangle4s, ends, toKeys)
    }
    toNodes = load<u32>(ends, NODES)
    toTriangle4s = load<u32>(ends, TRIANGLE4S)
    if (!coherent) touchNodes(otherNodes, toNodes)
    touchTriangle4s(otherTriangle4s, toTriangle4s)
    const endedEnd = load<u32>(ends, ENDED)
    if (endedEnd != ended) {
      if (shadow) finishShadow(ended, endedEnd, careful)
      else finishClosest(ended, endedEnd, careful)
      toNodes = refill(ended, endedEnd, toNodes, coherent, shadow, careful)
    }
    const swapNodes = nodes
    nodes = otherNodes
    otherNodes = swapNodes
    const swapTriangle4s = triangle4s
    triangle4s = otherTriangle4s
    otherTriangle4s = swapTriangle4s
  }
}

/** A step of the listed rays in a scene with instances, or with care. */
function stepWide(nodes: u32, toNodes: u32, triangle4s: u32, toTriangle4s: u32, shadow: bool): void {
  const ends = workspace + ENDS
  const single = workspace + SINGLE_LIST
  const several = workspace + SEVERAL_LIST
  const popping = workspace + POPPING_LIST
  if (shadow) stepBoxesShadowWide(nodes, toNodes, ends)
  else stepBoxesWide(nodes, toNodes, ends)
  stepIntoSingleWide(single, load<u32>(ends, SINGLE), ends)
  if (shadow) {
    stepIntoAnyWide(several, load<u32>(ends, SEVERAL), ends, workspace + PACK_TABLE)
    stepTriangle4sShadowWide(triangle4s, toTriangle4s, workspace + PLACED)
    popAnyWide(popping, load<u32>(ends, POPPING), ends)
    popAnyWide(triangle4s, toTriangle4s, ends)
  } else {
    stepIntoNearestWide(several, load<u32>(ends, SEVERAL), ends, toKeys, workspace + SORT_TABLE)
    stepTriangle4sClosestWide(triangle4s, toTriangle4s, workspace + PLACED)
    popNearestWide(popping, load<u32>(ends, POPPING), ends, toKeys)
    popNearestWide(triangle4s, toTriangle4s, ends, toKeys)
  }
}

/**
 * Writes the results of the listed rays to their records. The nearest hit of all, judged by the distances that the triangle test computes, is the ray's if it lies in
 * its triangle's box: what comes before it by the distances that count has been met, too, and would have been nearer. Otherwise the ray is traced again.
 */
function finishClosest(list: u32, end: u32, careful: bool): void {
  for (; list < end; list += 4) {
    const ray = load<u32>(list)
    const record = load<u32>(ray, RECORD)
    const hit = load<u32>(ray, HIT)
    if (!careful && hit != 0 && !liesInBox(ray, hit, v128.load(ray, BEST))) {
      Ray.setSteps(record, 0)
      doubtful++
      continue
    }
    Ray.setHit(record, hit)
    Ray.setSteps(record, load<u32>(ray, STEPS))
    Ray.setTMax(record, load<f32>(ray, BEST))
    if (wide) Ray.setInstance(record, load<u32>(ray, HIT_INSTANCE))
  }
}

/** The same for shadow rays: a ray is blocked if some triangle that blocks it does so by the distance that counts. */
function finishShadow(list: u32, end: u32, careful: bool): void {
  done += (end - list) / 4
  for (; list < end; list += 4) {
    const ray = load<u32>(list)
    const record = load<u32>(ray, RECORD)
    const hit = load<u32>(ray, HIT)
    if (!careful && (hit & Shadow.BLOCKED) != 0) {
      const slot = load<u32>(ray, BLOCKER)
      if (!liesInBox(ray, slot, v128.load32_splat(ray + (slot & 15), ENTRY))) {
        Ray.setSteps(record, 0)
        doubtful++
        continue
      }
    }
    occluded += hit & Shadow.BLOCKED
    Ray.setHit(record, hit)
    Ray.setSteps(record, load<u32>(ray, STEPS))
    if (wide) Ray.setInstance(record, load<u32>(ray, HIT_INSTANCE))
  }
}

/** Assigns the listed contexts to the next rays of the batch, and appends these at `nodes`; returns the new end. */
function refill(list: u32, end: u32, nodes: u32, coherent: bool, shadow: bool, careful: bool): u32 {
  for (; list < end; list += 4) {
    if (next == beamEnd) {
      if (next == listed) {
        if (unlisted == batchEnd) break
        listMore(coherent)
      }
      startBeam(shadow)
    }
    const context = load<u32>(list)
    enter(context, load<u32>(next), start, workspace + AXES_TABLE)
    if (careful) enterScene(context)
    store<u32>(nodes, context)
    nodes += 4
    next += 4
  }
  return nodes
}

/** Lists more rays of the batch. */
function listMore(coherent: bool): void {
  const order = workspace + ORDER
  const count = min(coherent ? BEAM_RAYS : ORDERED, (batchEnd - unlisted) / Ray.BYTES)
  if (coherent) reach = Infinity
  else if (count >= LEAST_RAYS) reach = sidesOf(Scene.root()) * NARROW
  const sorted = !coherent && count >= LEAST_RAYS && startClose(unlisted, count, reach * ALIKE)
  inBeams = coherent || sorted
  if (sorted) listByOctant(unlisted, count, order)
  else listRays(unlisted, count, order)
  unlisted += count * Ray.BYTES
  next = order
  listed = order + count * 4
  octant = 0
}

/** Determines where the rays of the next beam begin. */
function startBeam(shadow: bool): void {
  start = Scene.root()
  beamEnd = listed
  if (!inBeams) return
  while (stretchEnd(workspace + ORDER, octant) == next) octant++
  beamEnd = min(next + OCTANT_RAYS * 4, stretchEnd(workspace + ORDER, octant))
  if (beamEnd - next < LEAST_RAYS * 4) return
  const virtualRoot = workspace + ROOTS + (beams++ & (VIRTUAL_ROOTS - 1)) * Node.BYTES
  start = findEntries(start, next, beamEnd, reach, shadow && !wide, virtualRoot, workspace + ENTRY_SCRATCH)
}
