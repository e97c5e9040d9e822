/**
 * Writes the final structure: nodes and triangle4s of a part of the wide list. Parts are independent of one another.
 */
import { Child, Corner, Group, Id, Instance, Node, Scene, Slab, Triangle4, Vertex } from '../records'
import { partsOf } from '../triangle-parts'
import { widenDown, widenUp, writeSides } from './boxes'
import { ENTRY_BYTES, ENTRY_NODE, ENTRY_TREE, ENTRY_TRIANGLE4, isInstance, isLeaf } from './collapse'
import { areaOfTriangles } from './odds'
import { STRUCTURE, WIDE_LIST, WIDE_NODES } from './state'
import { highOf, lowOf, MAX_LEAF, TREE_KIND, TREE_LINK } from './tree'
import { TREE_MARGIN } from './trees'

/** Id of a lane without a triangle. */
export const NO_TRIANGLE: u32 = Id.MASK

/** Writes the nodes `first` to `end` (exclusive) and their triangle4s. Child words are addresses in this memory. */
export function emit(state: u32, first: u32, end: u32): void {
  const structure = load<u32>(state, STRUCTURE)
  const triangle4s = structure + load<u32>(state, WIDE_NODES) * Node.BYTES
  for (let number = first; number < end; number++) {
    const entry = load<u32>(state, WIDE_LIST) + number * ENTRY_BYTES
    const node = structure + number * Node.BYTES
    const margin = v128.load32_splat(load<u32>(entry, ENTRY_TREE), TREE_MARGIN)
    emitGroup(node, entry, margin)
    emitGroup(node + Group.BYTES, entry + 16, margin)

    let child = structure + load<u32>(entry, ENTRY_NODE) * Node.BYTES
    let triangle4 = triangle4s + load<u32>(entry, ENTRY_TRIANGLE4) * Triangle4.BYTES
    for (let lane: u32 = 0; lane < 8; lane++) {
      const from = load<u32>(entry + lane * 4)
      if (from == 0) continue
      const word = node + (lane >> 2) * Group.BYTES + (lane & 3) * 4
      if (!isLeaf(from)) {
        Group.setChildren(word, child)
        child += Node.BYTES
      } else if (isInstance(from)) {
        Group.setChildren(word, instanceAt(load<u32>(load<u32>(from, TREE_LINK))) + Child.INSTANCE)
      } else {
        Group.setChildren(word, triangle4 + Child.TRIANGLE4)
        emitTriangle4(triangle4, load<u32>(from, TREE_LINK), load<u32>(from, TREE_KIND) & 7)
        Group.setOdds(word, areaOfTriangles(triangle4))
        triangle4 += Triangle4.BYTES
      }
    }
  }
}

/** Address of the instance with an id, which follow those of triangles. */
@inline
function instanceAt(id: u32): u32 {
  return Scene.instances() + (id - Scene.triangleCount()) * Instance.BYTES
}

/** Adds a distance to the child words of so many nodes. Instances are not part of the structure. */
export function relocate(structure: u32, nodes: u32, distance: u32): void {
  const by = i32x4.splat(distance)
  for (let group = structure; group < structure + nodes * Node.BYTES; group += Group.BYTES) {
    const words = Group.childrenLanes(group)
    const none = i32x4.eq(words, i32x4.splat(0))
    const instances = i32x4.ne(v128.and(words, i32x4.splat(Child.INSTANCE)), i32x4.splat(0))
    Group.setChildrenLanes(group, i32x4.add(words, v128.andnot(v128.andnot(by, none), instances)))
  }
}

/** Writes the four boxes of a group, and zeros for child words and odds. */
@inline
function emitGroup(group: u32, lanes: u32, margin: v128): void {
  const a = load<u32>(lanes)
  const b = load<u32>(lanes, 4)
  const c = load<u32>(lanes, 8)
  const d = load<u32>(lanes, 12)
  writeSides(group, lowSides(a, margin), lowSides(b, margin), lowSides(c, margin), lowSides(d, margin))
  Group.setChildrenLanes(group, i32x4.splat(0))
  writeSides(group + Slab.OTHER_SIDE, highSides(a, margin), highSides(b, margin), highSides(c, margin), highSides(d, margin))
  Group.setOddsLanes(group, i32x4.splat(0))
}

/** A lane without a child gets a box that nothing enters. */
@inline
function lowSides(node: u32, margin: v128): v128 {
  return node ? widenDown(lowOf(node), margin) : f32x4.splat(Infinity)
}

@inline
function highSides(node: u32, margin: v128): v128 {
  return node ? widenUp(highOf(node), margin) : f32x4.splat(-Infinity)
}

/** Writes a triangle4 of `count` triangles with the given ids. */
function emitTriangle4(triangle4: u32, ids: u32, count: u32): void {
  for (let lane: u32 = 0; lane < MAX_LEAF; lane++) {
    Triangle4.setId(triangle4 + lane * 4, lane < count ? load<u32>(ids + lane * 4) : NO_TRIANGLE)
  }
  readCorners(triangle4)
}

/** Fills in a triangle4's corners according to its ids. Unused lanes get the first triangle's first corner three times. */
@inline
export function readCorners(triangle4: u32): void {
  const triangles = Scene.triangles()
  const first = i32x4.splat(Scene.vertices())
  const a = partsOf(Triangle4.id(triangle4) & Id.MASK, triangles, first)
  const b = lanePartsOf(triangle4, 1, triangles, first, a)
  const c = lanePartsOf(triangle4, 2, triangles, first, a)
  const d = lanePartsOf(triangle4, 3, triangles, first, a)
  writeCorner(triangle4, i32x4.extract_lane(a, 0), i32x4.extract_lane(b, 0), i32x4.extract_lane(c, 0), i32x4.extract_lane(d, 0))
  const second = triangle4 + Corner.BYTES
  writeCorner(second, i32x4.extract_lane(a, 1), i32x4.extract_lane(b, 1), i32x4.extract_lane(c, 1), i32x4.extract_lane(d, 1))
  const third = second + Corner.BYTES
  writeCorner(third, i32x4.extract_lane(a, 2), i32x4.extract_lane(b, 2), i32x4.extract_lane(c, 2), i32x4.extract_lane(d, 2))
}

/** Addresses of the vertices of a lane's triangle. */
@inline
function lanePartsOf(triangle4: u32, lane: u32, triangles: u32, first: v128, a: v128): v128 {
  const id = Triangle4.id(triangle4 + lane * 4) & Id.MASK
  return id == NO_TRIANGLE ? i32x4.shuffle(a, a, 0, 0, 0, 0) : partsOf(id, triangles, first)
}

/** Writes the same corner of four triangles; the fourth lane of a position is no coordinate. */
@inline
function writeCorner(at: u32, a: u32, b: u32, c: u32, d: u32): void {
  writeSides(at, Vertex.position(a), Vertex.position(b), Vertex.position(c), Vertex.position(d))
}
