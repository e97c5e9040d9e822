/**
 * Streams of rays through the tree: LANES rays are in flight at once, each with a context in memory, and every step processes
 * one list of them (at a node, at a packet, ended). The steps have hardly a branch that depends on a ray, and while one ray
 * waits for memory the next ones proceed. A ray that ends makes room for the next one of the batch.
 *
 * Coherent rays come in beams of BEAM_RAYS; each beam has its own entry points, found once (`entry-points.ts`).
 */
import { NODE_BYTES, RAY_BYTES, RAY_HIT, RAY_STEPS, RAY_T_MAX, SCENE, SCENE_ROOT } from '../layout'
import {
  area,
  AXES_TABLE,
  CONTEXTS,
  ENDED_LIST,
  ENDS,
  ENTRY_SCRATCH,
  LANES,
  NODE_LIST,
  OTHER_NODE_LIST,
  OTHER_PACKET_LIST,
  PACK_TABLE,
  PACKET_LIST,
  POPPING_LIST,
  ROOTS,
  SEVERAL_LIST,
  SINGLE_LIST,
  SORT_TABLE,
  startStep,
  toKeys,
  VIRTUAL_ROOTS,
} from './area'
import { stepBoxes } from './box-step'
import { findEntries } from './entry-points'
import { ENDED, NODES, PACKETS, POPPING, SEVERAL, SINGLE } from './lists'
import { stepPacketsClosest, stepPacketsShadow } from './packet-step'
import { popAny, popNearest } from './pop-step'
import { stepIntoAny, stepIntoNearest, stepIntoSingle } from './push-step'
import { BEST, CONTEXT_BYTES, enter, HIT, RECORD, STEPS } from './ray-context'
import { touchNodes, touchPackets } from './touch'

/** Rays that share entry points. */
const BEAM_RAYS: u32 = 64

/** The next ray to start, the end of the batch; the end of the current beam, and the child word where its rays begin. */
let next: u32 = 0
let batchEnd: u32 = 0
let beamEnd: u32 = 0
let start: u32 = 0
let beams: u32 = 0

/** Traces `count` rays: to the closest hit of each, or until something opaque is hit. */
export function traceStream(rays: u32, count: u32, coherent: bool, shadow: bool): void {
  let nodes = area + NODE_LIST
  let packets = area + PACKET_LIST
  let otherNodes = area + OTHER_NODE_LIST
  let otherPackets = area + OTHER_PACKET_LIST
  const ends = area + ENDS
  const ended = area + ENDED_LIST
  const single = area + SINGLE_LIST
  const several = area + SEVERAL_LIST
  const popping = area + POPPING_LIST
  next = rays
  batchEnd = rays + count * RAY_BYTES
  beamEnd = rays
  beams = 0

  // Initially every context is free.
  for (let lane: u32 = 0; lane < LANES; lane++) store<u32>(ended + lane * 4, area + CONTEXTS + lane * CONTEXT_BYTES)
  let toNodes = refill(ended, ended + LANES * 4, nodes, coherent)
  let toPackets = packets
  while (toNodes + toPackets != nodes + packets) {
    startStep(otherNodes, otherPackets)
    stepBoxes(nodes, toNodes, ends)
    stepIntoSingle(single, load<u32>(ends, SINGLE), ends)
    if (shadow) {
      stepIntoAny(several, load<u32>(ends, SEVERAL), ends, area + PACK_TABLE)
      stepPacketsShadow(packets, toPackets)
      popAny(popping, load<u32>(ends, POPPING), ends)
      popAny(packets, toPackets, ends)
    } else {
      stepIntoNearest(several, load<u32>(ends, SEVERAL), ends, toKeys, area + SORT_TABLE)
      stepPacketsClosest(packets, toPackets)
      popNearest(popping, load<u32>(ends, POPPING), ends, toKeys)
      popNearest(packets, toPackets, ends, toKeys)
    }
    toNodes = load<u32>(ends, NODES)
    toPackets = load<u32>(ends, PACKETS)
    if (!coherent) touchNodes(otherNodes, toNodes)
    touchPackets(otherPackets, toPackets)
    const endedEnd = load<u32>(ends, ENDED)
    if (endedEnd != ended) {
      finish(ended, endedEnd, shadow)
      toNodes = refill(ended, endedEnd, toNodes, coherent)
    }
    const swapNodes = nodes
    nodes = otherNodes
    otherNodes = swapNodes
    const swapPackets = packets
    packets = otherPackets
    otherPackets = swapPackets
  }
}

/** Writes the results of the listed rays to their records. */
function finish(list: u32, end: u32, shadow: bool): void {
  for (; list < end; list += 4) {
    const ray = load<u32>(list)
    const record = load<u32>(ray, RECORD)
    store<u32>(record, load<u32>(ray, HIT), RAY_HIT)
    store<u32>(record, load<u32>(ray, STEPS), RAY_STEPS)
    if (!shadow) store<f32>(record, load<f32>(ray, BEST), RAY_T_MAX)
  }
}

/** Assigns the listed contexts to the next rays of the batch, and appends these at `nodes`; returns the new end. */
function refill(list: u32, end: u32, nodes: u32, coherent: bool): u32 {
  for (; list < end && next < batchEnd; list += 4) {
    if (next == beamEnd) startBeam(coherent)
    const context = load<u32>(list)
    enter(context, next, start, area + AXES_TABLE)
    store<u32>(nodes, context)
    nodes += 4
    next += RAY_BYTES
  }
  return nodes
}

/** Determines where the rays of the next beam begin. */
function startBeam(coherent: bool): void {
  const root = load<u32>(SCENE, SCENE_ROOT)
  if (!coherent) {
    start = root
    beamEnd = batchEnd
    return
  }
  const count = min(BEAM_RAYS, (batchEnd - next) / RAY_BYTES)
  start = area + ROOTS + (beams & (VIRTUAL_ROOTS - 1)) * NODE_BYTES
  beams++
  findEntries(root, next, count, start, area + ENTRY_SCRATCH)
  beamEnd = next + count * RAY_BYTES
}
