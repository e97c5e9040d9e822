/**
 * Memory layout of the reference engine's structure: a BVH with two children per node over a copy of the triangles in
 * leaf order, in one shared buffer that every thread reads. No other file knows an offset.
 *
 *     header, 64 bytes:     u32 magic 'SFB2' | u32 nodes | u32 triangles | zeros
 *     nodes, 32 bytes each: f32 min[3] | u32 left-or-first | f32 max[3] | u32 count
 *     triangles, 36 each:   f32 a[3] | f32 b[3] | f32 c[3]      in leaf order: "slots"
 *     ids, 4 each:          u32 number of the slot's triangle in the scene
 *
 * count > 0: a leaf with slots first .. first + count - 1. Otherwise the children are nodes left and left + 1.
 * Node 0 is the root. Boxes are slightly wider than their triangles, see `widenDown`.
 */
import { invariant } from '../../../shared/errors.ts'

/** Views of a structure's sections. */
export interface Bvh {
  /** Two views of the nodes: their boxes as floats and their links as integers, NODE_WORDS words per node. */
  readonly nodeBounds: Float32Array
  readonly nodeLinks: Uint32Array
  /** SLOT_FLOATS coordinates per slot. */
  readonly triangles: Float32Array
  readonly triangleIds: Uint32Array
}

export const NODE_WORDS = 8
/** Word offsets in a node: its corners, `left` or `first`, and `count`. */
export const NODE_MIN = 0
export const NODE_LINK = 3
export const NODE_MAX = 4
export const NODE_COUNT = 7
export const SLOT_FLOATS = 9

/**
 * Bound of the number of nodes on a path from the root to a leaf. The builder guarantees it, so a traversal that pushes at
 * most one node per level never needs a deeper stack.
 */
export const MAX_DEPTH = 96

const MAGIC = 0x32424653
const HEADER_BYTES = 64

/** Allocates a structure for so many nodes and triangles, zero except for the header. */
export function allocateStructure(nodes: number, triangles: number): SharedArrayBuffer {
  const bytes = HEADER_BYTES + nodes * NODE_WORDS * 4 + triangles * (SLOT_FLOATS + 1) * 4
  const structure = new SharedArrayBuffer(bytes)
  new Uint32Array(structure).set([MAGIC, nodes, triangles])
  return structure
}

/** Views of a structure, without copying. */
export function openStructure(structure: SharedArrayBuffer): Bvh {
  const [magic, nodes, triangles] = new Uint32Array(structure, 0, 3) as unknown as [number, number, number]
  invariant(magic === MAGIC, 'not a structure of the reference engine')
  const afterNodes = HEADER_BYTES + nodes * NODE_WORDS * 4
  return {
    nodeBounds: new Float32Array(structure, HEADER_BYTES, nodes * NODE_WORDS),
    nodeLinks: new Uint32Array(structure, HEADER_BYTES, nodes * NODE_WORDS),
    triangles: new Float32Array(structure, afterNodes, triangles * SLOT_FLOATS),
    triangleIds: new Uint32Array(structure, afterNodes + triangles * SLOT_FLOATS * 4, triangles),
  }
}
