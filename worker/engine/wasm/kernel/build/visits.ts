/**
 * How often rays visit the inner nodes of a binary tree, counted with a few: the area of a box tells how many straight lines meet it, but rays begin and
 * end at surfaces. Bittner and Havran, "RDH: Ray Distribution Heuristics for Construction of Spatial Data Structures", SCCG 2009, build trees for a sample of
 * a picture's rays. Here no picture is known, so the sample leaves the surfaces themselves, as light does: from the front of triangles, cosine-distributed, to
 * the nearest hit.
 *
 * What is counted affects only how many steps rays take.
 */
import { Id, Scene } from '../records'
import { hash32 } from '../surface/math/random'
import { firstParts, partsOf } from '../triangle-parts'
import { TREE_NODE_BYTES } from './chunks'
import { isInstance, isLeaf } from './collapse'
import { highOf, lowOf, TREE_KIND, TREE_LINK } from './tree'

/** No triangle has this number. */
const NONE: u32 = 0xffffffff
/** Stack entry: a node, and the distance at which the ray enters it. There is one at most for each level. */
const FRAME_BYTES: u32 = 8

/** The ray that is cast, and how many random words it has drawn. */
let ray: u32 = 0
let drawn: u32 = 0

/** Adds to the kinds of the inner nodes below `root`, which are 0 before, how many of so many rays visit each. `stack` is free memory. */
export function countVisits(root: u32, rays: u32, stack: u32): void {
  for (ray = 0; ray < rays; ray++) {
    drawn = 0
    const leaf = fairLeaf(root, 31 - clz(rays))
    if (!isInstance(leaf)) castFrom(leaf, root, stack)
  }
}

/**
 * A leaf, found by fair choices on the way down: the last bits of the ray's number, then random ones, so that rays are shared equally among all that is
 * `levels` levels down.
 */
function fairLeaf(root: u32, levels: u32): u32 {
  let choices = <u64>ray ^ (((<u64>draw() << 32) | draw()) << levels)
  let node = root
  while (!isLeaf(node)) {
    node = load<u32>(node, TREE_LINK) + (<u32>choices & 1) * TREE_NODE_BYTES
    choices >>= 1
  }
  return node
}

/** Casts a ray from one of a leaf's triangles. */
function castFrom(leaf: u32, root: u32, stack: u32): void {
  const count = load<u32>(leaf, TREE_KIND) & 7
  if (count == 0) return
  const id = load<u32>(load<u32>(leaf, TREE_LINK) + (draw() % count) * 4) & Id.MASK
  const parts = partsOf(id, Scene.triangles(), firstParts())
  const a = cornerOf(i32x4.extract_lane(parts, 0))
  const ab = f32x4.sub(cornerOf(i32x4.extract_lane(parts, 1)), a)
  const ac = f32x4.sub(cornerOf(i32x4.extract_lane(parts, 2)), a)
  let u = unit()
  let v = unit()
  if (u + v > 1) {
    u = 1 - u
    v = 1 - v
  }
  const origin = f32x4.add(a, f32x4.add(f32x4.mul(ab, f32x4.splat(u)), f32x4.mul(ac, f32x4.splat(v))))
  // A triangle without area faces nowhere, and its direction is that of the sphere.
  cast(origin, f32x4.add(unitVector(cross(ab, ac)), pointOnSphere()), id, root, stack)
}

/** Counts the visits of a ray that leaves the triangle numbered `from`: nearest first, to its hit. */
function cast(origin: v128, direction: v128, from: u32, root: u32, stack: u32): void {
  const inverse = f32x4.div(f32x4(1, 1, 1, 0), f32x4.replace_lane(direction, 3, 1))
  let best: f32 = Infinity
  let top = stack
  let node = root
  while (true) {
    while (node != 0 && !isLeaf(node)) {
      store<u32>(node, load<u32>(node, TREE_KIND) + 1, TREE_KIND)
      const left = load<u32>(node, TREE_LINK)
      const right = left + TREE_NODE_BYTES
      const toLeft = entryOf(left, origin, inverse, best)
      const toRight = entryOf(right, origin, inverse, best)
      const leftFirst = toLeft <= toRight
      const later = leftFirst ? toRight : toLeft
      if (later < Infinity) {
        store<u32>(top, leftFirst ? right : left)
        store<f32>(top, later, 4)
        top += FRAME_BYTES
      }
      node = min(toLeft, toRight) < Infinity ? (leftFirst ? left : right) : 0
    }
    if (node != 0 && !isInstance(node)) best = nearestIn(node, origin, direction, from, best)
    do {
      if (top == stack) return
      top -= FRAME_BYTES
    } while (load<f32>(top, 4) > best)
    node = load<u32>(top)
  }
}

/** Distance at which a ray enters a node's box, Infinity if it does not before `best`. */
@inline
function entryOf(node: u32, origin: v128, inverse: v128, best: f32): f32 {
  const a = f32x4.mul(f32x4.sub(lowOf(node), origin), inverse)
  const b = f32x4.mul(f32x4.sub(highOf(node), origin), inverse)
  const near = f32x4.pmin(a, b)
  const far = f32x4.pmax(a, b)
  const entry = max<f32>(max(f32x4.extract_lane(near, 0), f32x4.extract_lane(near, 1)), max<f32>(f32x4.extract_lane(near, 2), 0))
  const exit = min(min(f32x4.extract_lane(far, 0), f32x4.extract_lane(far, 1)), min(f32x4.extract_lane(far, 2), best))
  return entry <= exit ? entry : Infinity
}

/** The least of `best` and the distances of a leaf's triangles. Möller and Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", JGT 1997. */
function nearestIn(leaf: u32, origin: v128, direction: v128, from: u32, best: f32): f32 {
  const ids = load<u32>(leaf, TREE_LINK)
  const end = ids + (load<u32>(leaf, TREE_KIND) & 7) * 4
  for (let at = ids; at < end; at += 4) {
    const id = load<u32>(at) & Id.MASK
    if (id == from) continue
    const parts = partsOf(id, Scene.triangles(), firstParts())
    const a = cornerOf(i32x4.extract_lane(parts, 0))
    const ab = f32x4.sub(cornerOf(i32x4.extract_lane(parts, 1)), a)
    const ac = f32x4.sub(cornerOf(i32x4.extract_lane(parts, 2)), a)
    const p = cross(direction, ac)
    const perArea: f32 = 1 / dot(ab, p)
    const away = f32x4.sub(origin, a)
    const q = cross(away, ab)
    const u = dot(away, p) * perArea
    const v = dot(direction, q) * perArea
    const t = dot(ac, q) * perArea
    if (u >= 0 && v >= 0 && u + v <= 1 && t > 0 && t < best) best = t
  }
  return best
}

/** Position of a vertex, and 0. */
@inline
function cornerOf(vertex: u32): v128 {
  return v128.and(v128.load(vertex), i32x4(-1, -1, -1, 0))
}

/** The next of the ray's random words. */
function draw(): u32 {
  return hash32(ray, drawn++, 0)
}

/** A random number of [0, 1). */
function unit(): f32 {
  return <f32>(draw() >> 8) * (1.0 / 16777216.0)
}

/** A random point of the unit sphere: those of a cube around it that are inside, but for the centre, are projected onto it. */
function pointOnSphere(): v128 {
  while (true) {
    const point = f32x4(unit() * 2 - 1, unit() * 2 - 1, unit() * 2 - 1, 0)
    const squared = dot(point, point)
    if (squared <= 1 && squared > 1e-6) return unitVector(point)
  }
}

/** A vector of length 1, or 0 if its length is 0 or not finite. */
@inline
function unitVector(vector: v128): v128 {
  const scale: f32 = 1 / sqrt<f32>(dot(vector, vector))
  return scale > 0 && scale < Infinity ? f32x4.mul(vector, f32x4.splat(scale)) : f32x4.splat(0)
}

@inline
function cross(a: v128, b: v128): v128 {
  const turnedA = v128.shuffle<i32>(a, a, 1, 2, 0, 3)
  const turnedB = v128.shuffle<i32>(b, b, 1, 2, 0, 3)
  const turned = f32x4.sub(f32x4.mul(a, turnedB), f32x4.mul(turnedA, b))
  return v128.shuffle<i32>(turned, turned, 1, 2, 0, 3)
}

@inline
function dot(a: v128, b: v128): f32 {
  const products = f32x4.mul(a, b)
  return f32x4.extract_lane(products, 0) + f32x4.extract_lane(products, 1) + f32x4.extract_lane(products, 2)
}
