/**
 * Builds the reference engine's BVH top-down: each range of triangles is split where the surface area heuristic,
 * evaluated at the borders of 16 bins per axis, is minimal. Wald, "On fast Construction of SAH-based Bounding Volume
 * Hierarchies", RT 2007. One thread, no recursion, no randomness: same scene, same bytes.
 */
import { invariant } from '../../../shared/errors.ts'
import type { Triangles } from '../../../shared/scene/bake.ts'
import {
  allocateStructure,
  type Bvh,
  MAX_DEPTH,
  NODE_COUNT,
  NODE_LINK,
  NODE_MAX,
  NODE_MIN,
  NODE_WORDS,
  openStructure,
  SLOT_FLOATS,
} from './bvh-layout.ts'
import { BinnedSplit, boxArea } from './bvh-split.ts'
import { makeRecords, RECORD_ID, RECORD_WORDS, type Records } from './triangle-records.ts'

/** Ranges of at most this many triangles may become leaves. */
const MAX_LEAF = 4
/** Cost of visiting a node, in triangle tests. */
const NODE_COST = 2
/** How much wider than its triangles a box is made: 2^-23 of its coordinates (one or two ulps)… */
const RELATIVE_WIDENING = 1 / 8388608
/** … 2^-20 of its longest side… */
const SIDE_WIDENING = 1 / 1048576
/** … and 2^-40 of the scene's largest coordinate, which counts for sides at or near zero. */
const MIN_WIDENING = 1 / 1099511627776
/** Replaces the largest coordinate of a scene that lies entirely at the origin. */
const MIN_SIZE = 1e-24
/** From this depth on ranges are halved, which ends within 32 more levels because a range has fewer than 2^32 triangles. */
const HALVE_FROM_DEPTH = MAX_DEPTH - 33

/**
 * The structure of a scene, in a new shared buffer.
 * @throws InvariantError for a scene without triangles
 */
export function buildBvh(scene: Triangles): SharedArrayBuffer {
  const triangles = scene.indices.length / 3
  invariant(triangles > 0, 'expected at least one triangle, got none')
  const records = makeRecords(scene)
  const nodes = splitRanges(records, triangles)
  const structure = allocateStructure(nodes.length / NODE_WORDS, triangles)
  const bvh = openStructure(structure)
  bvh.nodeBounds.set(new Float32Array(nodes.buffer, 0, nodes.length))
  copyTriangles(scene, records, bvh)
  return structure
}

/** Sorts the records into leaf order; returns the words of the nodes, links and boxes interleaved as in the layout. */
function splitRanges(records: Records, triangles: number): Uint32Array {
  const links = new Uint32Array((2 * triangles - 1) * NODE_WORDS)
  const bounds = new Float32Array(links.buffer)
  const split = new BinnedSplit(records)
  const margin = boundsMargin(records, triangles)
  // One pending sibling per level and the current range: node, first, end, depth of each.
  const stack = new Uint32Array((MAX_DEPTH + 1) * 4)
  let top = 4
  stack[2] = triangles
  let used = 1
  while (top > 0) {
    top -= 4
    const node = stack[top]!
    const first = stack[top + 1]!
    const end = stack[top + 2]!
    const depth = stack[top + 3]!
    const count = end - first
    split.measure(first, end)
    const at = node * NODE_WORDS
    const wider = margin + SIDE_WIDENING * longestSide(split.box)
    for (let axis = 0; axis < 3; axis++) {
      bounds[at + NODE_MIN + axis] = widenDown(split.box[axis]!, wider)
      bounds[at + NODE_MAX + axis] = -widenDown(-split.box[axis + 3]!, wider)
    }

    // Split where the expected cost is minimal; a small range becomes a leaf if no split beats testing all of it.
    let middle = first
    if (depth < HALVE_FROM_DEPTH && count > 1) {
      const cost = split.search(first, end)
      if (count > MAX_LEAF || cost + NODE_COST * boxArea(split.box) < count * boxArea(split.box)) {
        middle = split.partition(first, end)
      }
    }
    // Coincident centroids cannot be separated, and below a certain depth there is no search: halve in the current order.
    if (middle === first && count > MAX_LEAF) middle = first + (count >>> 1)
    if (middle === first) {
      links[at + NODE_LINK] = first
      links[at + NODE_COUNT] = count
      continue
    }
    links[at + NODE_LINK] = used
    // The left child is processed next, so that a subtree's nodes lie together.
    top = push(stack, top, used + 1, middle, end, depth + 1)
    top = push(stack, top, used, first, middle, depth + 1)
    used += 2
  }
  return links.subarray(0, used * NODE_WORDS)
}

function push(stack: Uint32Array, top: number, node: number, first: number, end: number, depth: number): number {
  stack[top] = node
  stack[top + 1] = first
  stack[top + 2] = end
  stack[top + 3] = depth
  return top + 4
}

/**
 * Lower side of a box, moved outwards. The triangle test rounds the position of a hit to about 2^-24 of the distance to the
 * corners, even for a triangle next to the ray's origin: with boxes wider by that the slab test never loses a hit, and no box
 * is flat. Monotonic, so a parent still contains its children.
 */
const widenDown = (low: number, margin: number): number => Math.fround(low - Math.abs(low) * RELATIVE_WIDENING - margin)

const longestSide = (box: Float64Array): number => Math.max(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!)

/** Minimum widening of this scene's boxes. */
function boundsMargin(records: Records, triangles: number): number {
  const { floats } = records
  let largest = MIN_SIZE
  for (let i = 0; i < triangles * RECORD_WORDS; i++) {
    if (i % RECORD_WORDS === RECORD_ID) continue
    largest = Math.max(largest, Math.abs(floats[i]!))
  }
  return largest * MIN_WIDENING
}

/** Copies the triangles in leaf order, so that a leaf's triangles are read without an indirection. */
function copyTriangles(scene: Triangles, records: Records, bvh: Bvh): void {
  const { positions, indices } = scene
  const { triangles, triangleIds } = bvh
  for (let slot = 0; slot < triangleIds.length; slot++) {
    const id = records.words[slot * RECORD_WORDS + RECORD_ID]!
    triangleIds[slot] = id
    for (let corner = 0; corner < 3; corner++) {
      const from = indices[id * 3 + corner]! * 3
      const to = slot * SLOT_FLOATS + corner * 3
      triangles[to] = positions[from]!
      triangles[to + 1] = positions[from + 1]!
      triangles[to + 2] = positions[from + 2]!
    }
  }
}
