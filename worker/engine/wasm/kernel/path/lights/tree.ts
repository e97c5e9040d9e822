/**
 * The tree of lights in the scene (`light/light-tree.ts`): chooses one for a point, tells with which probability it would choose a light, and
 * finds the lamps that a ray meets. At a node the choice falls between its children in proportion to the most light that the point may
 * get from them (Conty Estevez and Kulla 2018, §4); one that cannot get any is never chosen.
 */
import { Choosing, LightNode, LitTriangle, Scene, TreeLight } from '../../records'
import { cellAt } from './cells'

/** Points are not closer than this to a light, squared. */
const LEAST_SQUARE: f64 = 1e-30
/** Boxes are this much larger, relative to the coordinates involved: a ray that meets the edge of a lamp meets its box. */
const PAD: f64 = 1e-9

/** Of the choice made last. */
export let chosenNumber: u32 = 0

@inline
function nodeAt(number: u32): u32 {
  return Scene.lightTree() + number * LightNode.BYTES
}

/** The most light that a point gets from the lights of a node, in any unit: 0 if it gets none. */
function importance(node: u32, px: f64, py: f64, pz: f64): f64 {
  const dx = px - LightNode.centreX(node)
  const dy = py - LightNode.centreY(node)
  const dz = pz - LightNode.centreZ(node)
  const hx = LightNode.halfX(node)
  const hy = LightNode.halfY(node)
  const hz = LightNode.halfZ(node)
  const square = dx * dx + dy * dy + dz * dz
  const radius2 = hx * hx + hy * hy + hz * hz
  const power = LightNode.power(node)
  const light = power / max<f64>(LEAST_SQUARE, max<f64>(square, radius2))
  const cone = LightNode.cosine(node)
  // Inside the sphere around the box, any direction is possible.
  if (square <= radius2 || cone <= -1) return light
  let cosine =
    (dx * LightNode.axisX(node) + dy * LightNode.axisY(node) + dz * LightNode.axisZ(node)) / sqrt<f64>(square)
  if (LightNode.isTwoSided(node) != 0) cosine = abs<f64>(cosine)
  if (cosine >= cone) return light
  // The angle beyond the cone of normals, less the one under which the sphere is seen.
  const sine = sqrt<f64>(max<f64>(0, 1 - cosine * cosine))
  const coneSine = LightNode.sine(node)
  const beyond = cosine * cone + sine * coneSine
  const beyondSine = sine * cone - cosine * coneSine
  const seen2 = radius2 / square
  const seen = sqrt<f64>(1 - seen2)
  if (beyond >= seen) return light
  const left = beyond * seen + beyondSine * sqrt<f64>(seen2)
  return left > 0 ? light * left : 0
}

/** Chooses a light for a point: sets its number, and returns the probability of that; 0 if no light reaches the point. */
export function chooseNear(px: f64, py: f64, pz: f64, u: f64): f64 {
  let number: u32 = 0
  let probability: f64 = 1
  let w = u
  let node = nodeAt(0)
  while (LightNode.count(node) == 0) {
    const second = LightNode.second(node)
    const a = importance(nodeAt(number + 1), px, py, pz)
    const b = importance(nodeAt(second), px, py, pz)
    if (!(a + b > 0)) return 0
    const share = a / (a + b)
    if (w < share) {
      number++
      w /= share
      probability *= share
    } else {
      number = second
      w = (w - share) / (1 - share)
      probability *= 1 - share
    }
    node = nodeAt(number)
  }
  let light = Scene.treeLights() + LightNode.first(node) * TreeLight.BYTES
  const last = light + (LightNode.count(node) - 1) * TreeLight.BYTES
  for (; light < last; light += TreeLight.BYTES) {
    const share = TreeLight.power(light)
    if (w < share) break
    w -= share
  }
  chosenNumber = TreeLight.number(light)
  return probability * TreeLight.power(light)
}

/** Probability with which `chooseNear` chooses a light for a point. @param number as in TREE_LIGHT */
export function chanceOf(number: u32, px: f64, py: f64, pz: f64): f64 {
  const leaf = load<u32>(Scene.leaves() + number * 4)
  if (leaf == Choosing.NO_LEAF) return 0
  const node = nodeAt(leaf)
  let light = Scene.treeLights() + LightNode.first(node) * TreeLight.BYTES
  while (TreeLight.number(light) != number) light += TreeLight.BYTES
  return chanceOfNode(leaf, px, py, pz) * TreeLight.power(light)
}

function chanceOfNode(leaf: u32, px: f64, py: f64, pz: f64): f64 {
  let probability: f64 = 1
  for (let number = leaf; number != 0; ) {
    const parent = LightNode.parent(nodeAt(number))
    const isFirst = number == parent + 1
    const other = isFirst ? LightNode.second(nodeAt(parent)) : parent + 1
    const own = importance(nodeAt(number), px, py, pz)
    if (!(own > 0)) return 0
    // As `chooseNear` rounds it.
    const beside = importance(nodeAt(other), px, py, pz)
    const share = isFirst ? own / (own + beside) : beside / (own + beside)
    probability *= isFirst ? share : 1 - share
    number = parent
  }
  return probability
}

/**
 * Density over its area, in units of one over that, with which a point of an emissive triangle is chosen.
 * @param id number of the triangle among those that are baked @param b the point's weight of corner b @param c of corner c
 */
export function triangleChance(id: u32, b: f64, c: f64, px: f64, py: f64, pz: f64): f64 {
  const triangles = Scene.litTriangles()
  let low: u32 = 0
  let high = Scene.litCount()
  while (low < high) {
    const middle = (low + high) >> 1
    if (LitTriangle.triangle(triangles + middle * LitTriangle.BYTES) < id) low = middle + 1
    else high = middle
  }
  if (low >= Scene.litCount()) return 0
  const lit = triangles + low * LitTriangle.BYTES
  if (LitTriangle.triangle(lit) != id) return 0
  const side = LitTriangle.side(lit)
  const cell = LitTriangle.firstCell(lit) + cellAt(side, b, c)
  return chanceOf(Scene.lightCount() + cell, px, py, pz) * <f64>(side * side)
}

/**
 * The node of the tree after number `from`, and itself included, that a ray's part between two distances goes through and that has lamps in it; leaves
 * only. The number of nodes where there is none.
 */
export function nextLampLeaf(from: u32, px: f64, py: f64, pz: f64, dx: f64, dy: f64, dz: f64, near: f64, far: f64): u32 {
  const end = Scene.lightNodes()
  let number = from
  while (number < end) {
    const node = nodeAt(number)
    if (LightNode.hasLamps(node) != 0 && meetsBox(node, px, py, pz, dx, dy, dz, near, far)) {
      if (LightNode.count(node) != 0) return number
      number++
    } else number = LightNode.next(node)
  }
  return end
}

@inline
function meetsBox(node: u32, px: f64, py: f64, pz: f64, dx: f64, dy: f64, dz: f64, near: f64, far: f64): bool {
  const cx = LightNode.centreX(node) - px
  const cy = LightNode.centreY(node) - py
  const cz = LightNode.centreZ(node) - pz
  let hx = LightNode.halfX(node)
  let hy = LightNode.halfY(node)
  let hz = LightNode.halfZ(node)
  const pad = PAD * (abs<f64>(cx) + abs<f64>(cy) + abs<f64>(cz) + hx + hy + hz)
  hx += pad
  hy += pad
  hz += pad
  const ax = abs<f64>(dx)
  const ay = abs<f64>(dy)
  const az = abs<f64>(dz)
  // Separating axes of a line and a box: no division by what may be zero. All at once: which of them separates cannot be foreseen.
  const along = cx * dx + cy * dy + cz * dz
  const extent = hx * ax + hy * ay + hz * az
  return (
    (<i32>(along + extent >= near) &
      <i32>(along - extent <= far) &
      <i32>(abs<f64>(cy * dz - cz * dy) <= hy * az + hz * ay) &
      <i32>(abs<f64>(cz * dx - cx * dz) <= hz * ax + hx * az) &
      <i32>(abs<f64>(cx * dy - cy * dx) <= hx * ay + hy * ax)) !=
    0
  )
}
