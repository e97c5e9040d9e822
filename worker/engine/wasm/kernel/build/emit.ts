/**
 * Writes the final structure: nodes and triangle4s of a part of the wide list. Parts are independent of one another.
 */
import {
  CHILD_INSTANCE,
  CHILD_TRIANGLE4,
  GROUP_BYTES,
  GROUP_CHILDREN,
  GROUP_META,
  ID_MASK,
  NODE_BYTES,
  OTHER_SIDE,
  TRIANGLE4_BYTES,
  TRIANGLE4_CORNER,
  TRIANGLE4_IDS,
  SCENE,
  SCENE_TRIANGLES,
  SCENE_TRIANGLES_AT,
  SCENE_VERTICES_AT,
  TRIANGLE_BYTES,
  VERTEX_BYTES,
} from '../layout'
import { INSTANCE_BYTES, SCENE_INSTANCES } from '../instance-layout'
import { widenDown, widenUp, writeSides } from './boxes'
import { ENTRY_AXIS, ENTRY_BYTES, ENTRY_NODE, ENTRY_TREE, ENTRY_TRIANGLE4, isInstance, isLeaf } from './collapse'
import { STRUCTURE, WIDE_LIST, WIDE_NODES } from './state'
import { MAX_LEAF, TREE_KIND, TREE_LINK } from './tree'
import { TREE_MARGIN } from './trees'

/** Id of a lane without a triangle. */
export const NO_TRIANGLE: u32 = ID_MASK

/** Writes the nodes `first` to `end` (exclusive) and their triangle4s. Child words are addresses in this memory. */
export function emit(state: u32, first: u32, end: u32): void {
  const structure = load<u32>(state, STRUCTURE)
  const triangle4s = structure + load<u32>(state, WIDE_NODES) * NODE_BYTES
  for (let number = first; number < end; number++) {
    const entry = load<u32>(state, WIDE_LIST) + number * ENTRY_BYTES
    const node = structure + number * NODE_BYTES
    const margin = v128.load32_splat(load<u32>(entry, ENTRY_TREE), TREE_MARGIN)
    emitGroup(node, entry, margin)
    emitGroup(node + GROUP_BYTES, entry + 16, margin)
    store<u32>(node, load<u32>(entry, ENTRY_AXIS), GROUP_META)

    let child = structure + load<u32>(entry, ENTRY_NODE) * NODE_BYTES
    let triangle4 = triangle4s + load<u32>(entry, ENTRY_TRIANGLE4) * TRIANGLE4_BYTES
    for (let lane: u32 = 0; lane < 8; lane++) {
      const from = load<u32>(entry + lane * 4)
      if (from == 0) continue
      const word = node + (lane >> 2) * GROUP_BYTES + (lane & 3) * 4
      if (!isLeaf(from)) {
        store<u32>(word, child, GROUP_CHILDREN)
        child += NODE_BYTES
      } else if (isInstance(from)) {
        store<u32>(word, instanceAt(load<u32>(load<u32>(from, TREE_LINK))) + CHILD_INSTANCE, GROUP_CHILDREN)
      } else {
        store<u32>(word, triangle4 + CHILD_TRIANGLE4, GROUP_CHILDREN)
        emitTriangle4(triangle4, load<u32>(from, TREE_LINK), load<u32>(from, TREE_KIND) & 7)
        triangle4 += TRIANGLE4_BYTES
      }
    }
  }
}

/** Address of the instance with an id, which follow those of triangles. */
@inline
function instanceAt(id: u32): u32 {
  return load<u32>(SCENE, SCENE_INSTANCES) + (id - load<u32>(SCENE, SCENE_TRIANGLES)) * INSTANCE_BYTES
}

/** Adds a distance to the child words of so many nodes. Instances are not part of the structure. */
export function relocate(structure: u32, nodes: u32, distance: u32): void {
  const by = i32x4.splat(distance)
  for (let group = structure; group < structure + nodes * NODE_BYTES; group += GROUP_BYTES) {
    const words = v128.load(group, GROUP_CHILDREN)
    const none = i32x4.eq(words, i32x4.splat(0))
    const instances = i32x4.ne(v128.and(words, i32x4.splat(CHILD_INSTANCE)), i32x4.splat(0))
    v128.store(group, i32x4.add(words, v128.andnot(v128.andnot(by, none), instances)), GROUP_CHILDREN)
  }
}

/** Writes the four boxes of a group, and zeros for child words and meta. */
@inline
function emitGroup(group: u32, lanes: u32, margin: v128): void {
  const a = load<u32>(lanes)
  const b = load<u32>(lanes, 4)
  const c = load<u32>(lanes, 8)
  const d = load<u32>(lanes, 12)
  writeSides(group, lowSides(a, margin), lowSides(b, margin), lowSides(c, margin), lowSides(d, margin))
  v128.store(group, i32x4.splat(0), GROUP_CHILDREN)
  writeSides(group + OTHER_SIDE, highSides(a, margin), highSides(b, margin), highSides(c, margin), highSides(d, margin))
  v128.store(group, i32x4.splat(0), GROUP_META)
}

/** A lane without a child gets a box that nothing enters. */
@inline
function lowSides(node: u32, margin: v128): v128 {
  return node ? widenDown(v128.load(node), margin) : f32x4.splat(Infinity)
}

@inline
function highSides(node: u32, margin: v128): v128 {
  return node ? widenUp(v128.load(node, 16), margin) : f32x4.splat(-Infinity)
}

/** Writes a triangle4 of `count` triangles with the given ids. */
function emitTriangle4(triangle4: u32, ids: u32, count: u32): void {
  for (let lane: u32 = 0; lane < MAX_LEAF; lane++) {
    store<u32>(triangle4 + lane * 4, lane < count ? load<u32>(ids + lane * 4) : NO_TRIANGLE, TRIANGLE4_IDS)
  }
  readCorners(triangle4)
}

/** Fills in a triangle4's corners according to its ids. Unused lanes get the first triangle's first corner three times. */
@inline
export function readCorners(triangle4: u32): void {
  const vertices = load<u32>(SCENE, SCENE_VERTICES_AT)
  const triangles = load<u32>(SCENE, SCENE_TRIANGLES_AT)
  const first = triangles + (load<u32>(triangle4, TRIANGLE4_IDS) & ID_MASK) * TRIANGLE_BYTES
  const b = trianglePlace(triangle4, 1, triangles)
  const c = trianglePlace(triangle4, 2, triangles)
  const d = trianglePlace(triangle4, 3, triangles)
  for (let corner: u32 = 0; corner < 3; corner++) {
    const own = corner * 4
    writeSides(
      triangle4 + corner * TRIANGLE4_CORNER,
      cornerAt(vertices, first + own),
      cornerAt(vertices, b ? b + own : first),
      cornerAt(vertices, c ? c + own : first),
      cornerAt(vertices, d ? d + own : first),
    )
  }
}

/** Address of the record of a lane's triangle, 0 if the lane is unused. */
@inline
function trianglePlace(triangle4: u32, lane: u32, triangles: u32): u32 {
  const id = load<u32>(triangle4 + lane * 4, TRIANGLE4_IDS) & ID_MASK
  return id == NO_TRIANGLE ? 0 : triangles + id * TRIANGLE_BYTES
}

/** Position of the vertex whose number is at `number`; the fourth lane is no coordinate. */
@inline
function cornerAt(vertices: u32, number: u32): v128 {
  return v128.load(vertices + load<u32>(number) * VERTEX_BYTES)
}
