/**
 * The tree of lights in the scene (`light/light-tree.ts`): chooses one for a point, tells with which probability it would choose a light, and
 * finds the lamps that a ray meets. At a node the choice falls among its four children in proportion to the most light that the point may
 * get from them (Conty Estevez and Kulla 2018, §4); one that cannot get any is never chosen. In floats, and all four at once.
 */
import { Choosing, LightNode, LitTriangle, Scene, TreeLight } from '../../records'
import { add, div, dot, mul, splat, sub } from '../../surface/math/floats'
import { cellAt } from './cells'

/** Squared distances to a light are between these: floats neither overflow nor underflow. */
const LEAST_SQUARE: f32 = 1e-24
const MOST_SQUARE: f32 = 1e24
/** Cosines are off by less: what may get light is never cut off. */
const SLACK: f32 = 1.0 / 512.0
/** Boxes are this much larger, relative to the distances involved: a ray that meets the edge of a lamp meets its box. */
const PAD: f32 = 1.0 / 1048576.0
/** The largest number below 1. */
const BELOW_ONE: f64 = 0.9999999999999999

/** Of the choice made last. */
export let chosenNumber: u32 = 0

@inline
function nodeAt(number: u32): u32 {
  return Scene.lightTree() + number * LightNode.BYTES
}

/** The most light that a point gets from the lights of each child of a node, in any unit: 0 if it gets none. */
@inline
function importances(node: u32, px: v128, py: v128, pz: v128): v128 {
  const dx = sub(px, LightNode.centreXLanes(node))
  const dy = sub(py, LightNode.centreYLanes(node))
  const dz = sub(pz, LightNode.centreZLanes(node))
  const hx = LightNode.halfXLanes(node)
  const hy = LightNode.halfYLanes(node)
  const hz = LightNode.halfZLanes(node)
  const square = f32x4.min(dot(dx, dy, dz, dx, dy, dz), splat(MOST_SQUARE))
  const radius2 = f32x4.min(dot(hx, hy, hz, hx, hy, hz), splat(MOST_SQUARE))
  const light = div(LightNode.powerLanes(node), f32x4.max(f32x4.max(square, radius2), splat(LEAST_SQUARE)))
  if (LightNode.aimed(node) == 0) return light
  const cone = LightNode.cosineLanes(node)
  const along = dot(dx, dy, dz, LightNode.axisXLanes(node), LightNode.axisYLanes(node), LightNode.axisZLanes(node))
  const oneSided = div(along, f32x4.sqrt(square))
  const cosine = v128.bitselect(f32x4.abs(oneSided), oneSided, LightNode.twoSidedLanes(node))
  // The angle beyond the cone of normals, less the one under which the sphere around the box is seen.
  const one = splat(1)
  const sine = f32x4.sqrt(f32x4.max(splat(0), sub(one, mul(cosine, cosine))))
  const coneSine = LightNode.sineLanes(node)
  const beyond = add(mul(cosine, cone), mul(sine, coneSine))
  const beyondSine = sub(mul(sine, cone), mul(cosine, coneSine))
  const seen2 = div(radius2, square)
  const seen = f32x4.sqrt(sub(one, seen2))
  const left = add(add(mul(beyond, seen), mul(beyondSine, f32x4.sqrt(seen2))), splat(SLACK))
  // Inside the sphere around the box, any direction is possible.
  const around = v128.or(f32x4.le(square, radius2), f32x4.le(cone, splat(-1)))
  const within = v128.or(f32x4.ge(cosine, cone), f32x4.ge(beyond, seen))
  return mul(light, v128.bitselect(one, f32x4.max(splat(0), left), v128.or(around, within)))
}

/** Chooses a light for a point: sets its number, and returns the probability of that; 0 if no light reaches the point. */
export function chooseNear(px: f64, py: f64, pz: f64, u: f64): f64 {
  const x = splat(<f32>px)
  const y = splat(<f32>py)
  const z = splat(<f32>pz)
  let probability: f64 = 1
  let w = u
  let number: u32 = 0
  for (;;) {
    const node = nodeAt(number)
    const light = importances(node, x, y, z)
    const a: f64 = f32x4.extract_lane(light, 0)
    const b: f64 = f32x4.extract_lane(light, 1)
    const c: f64 = f32x4.extract_lane(light, 2)
    const d: f64 = f32x4.extract_lane(light, 3)
    const ab = a + b
    const abc = ab + c
    const total = abc + d
    if (!(total > 0)) return 0
    const at = w * total
    let lane: u32 = <u32>(at >= a) + <u32>(at >= ab) + <u32>(at >= abc)
    let own = lane == 0 ? a : lane == 1 ? b : lane == 2 ? c : d
    let before = lane == 0 ? 0 : lane == 1 ? a : lane == 2 ? ab : abc
    if (!(own > 0)) {
      // Rounded up to the end: the last one that gives light.
      lane = c > 0 ? 2 : b > 0 ? 1 : 0
      own = lane == 2 ? c : lane == 1 ? b : a
      before = 0
      w = BELOW_ONE
    } else w = min<f64>(BELOW_ONE, (at - before) / own)
    probability *= own / total
    const child = node + lane * 4
    number = LightNode.first(child)
    const count = LightNode.count(child)
    if (count == 0) continue
    let entry = Scene.treeLights() + number * TreeLight.BYTES
    const last = entry + (count - 1) * TreeLight.BYTES
    for (; entry < last; entry += TreeLight.BYTES) {
      const share = TreeLight.power(entry)
      if (w < share) break
      w -= share
    }
    chosenNumber = TreeLight.number(entry)
    return probability * TreeLight.power(entry)
  }
}

/** Probability with which `chooseNear` chooses a light for a point. @param number as in TREE_LIGHT */
export function chanceOf(number: u32, px: f64, py: f64, pz: f64): f64 {
  let place = load<u32>(Scene.leaves() + number * 4)
  if (place == Choosing.NO_LEAF) return 0
  const leaf = nodeAt(place >> 2) + (place & 3) * 4
  let light = Scene.treeLights() + LightNode.first(leaf) * TreeLight.BYTES
  while (TreeLight.number(light) != number) light += TreeLight.BYTES
  let probability = TreeLight.power(light)
  const x = splat(<f32>px)
  const y = splat(<f32>py)
  const z = splat(<f32>pz)
  while (place != Choosing.NO_LEAF) {
    const node = nodeAt(place >> 2)
    const light = importances(node, x, y, z)
    const a: f64 = f32x4.extract_lane(light, 0)
    const b: f64 = f32x4.extract_lane(light, 1)
    const c: f64 = f32x4.extract_lane(light, 2)
    const d: f64 = f32x4.extract_lane(light, 3)
    const lane = place & 3
    const own = lane == 0 ? a : lane == 1 ? b : lane == 2 ? c : d
    if (!(own > 0)) return 0
    // As `chooseNear` adds them.
    probability *= own / (a + b + c + d)
    place = LightNode.parent(node)
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

let rayX: v128 = splat(0)
let rayY: v128 = splat(0)
let rayZ: v128 = splat(0)
let alongX: v128 = splat(0)
let alongY: v128 = splat(0)
let alongZ: v128 = splat(0)
let nearest: f32 = 0
let farthest: f32 = 0

/** Sets the part of a ray between two distances in which lamps are looked for; its direction is a unit vector. */
@inline
export function setLampRay(px: f64, py: f64, pz: f64, dx: f64, dy: f64, dz: f64, near: f64, far: f64): void {
  rayX = splat(<f32>px)
  rayY = splat(<f32>py)
  rayZ = splat(<f32>pz)
  alongX = splat(<f32>dx)
  alongY = splat(<f32>dy)
  alongZ = splat(<f32>dz)
  nearest = <f32>near
  farthest = <f32>far
}

/** Bits of the children of a node that have lamps and whose boxes the ray goes through. */
@inline
export function lanesWithLamps(node: u32): u32 {
  return i32x4.bitmask(meetsBoxes(node))
}

/** Separating axes of a line and boxes: no division by what may be zero. */
@inline
function meetsBoxes(node: u32): v128 {
  const cx = sub(LightNode.centreXLanes(node), rayX)
  const cy = sub(LightNode.centreYLanes(node), rayY)
  const cz = sub(LightNode.centreZLanes(node), rayZ)
  const sizes = add(add(LightNode.halfXLanes(node), LightNode.halfYLanes(node)), LightNode.halfZLanes(node))
  const pad = mul(splat(PAD), add(add(add(f32x4.abs(cx), f32x4.abs(cy)), f32x4.abs(cz)), sizes))
  const hx = add(LightNode.halfXLanes(node), pad)
  const hy = add(LightNode.halfYLanes(node), pad)
  const hz = add(LightNode.halfZLanes(node), pad)
  const ax = f32x4.abs(alongX)
  const ay = f32x4.abs(alongY)
  const az = f32x4.abs(alongZ)
  const along = dot(cx, cy, cz, alongX, alongY, alongZ)
  const extent = dot(hx, hy, hz, ax, ay, az)
  const inside = v128.and(
    f32x4.ge(add(along, extent), splat(nearest)),
    f32x4.le(sub(along, extent), splat(farthest)),
  )
  const x = f32x4.le(f32x4.abs(sub(mul(cy, alongZ), mul(cz, alongY))), add(mul(hy, az), mul(hz, ay)))
  const y = f32x4.le(f32x4.abs(sub(mul(cz, alongX), mul(cx, alongZ))), add(mul(hz, ax), mul(hx, az)))
  const z = f32x4.le(f32x4.abs(sub(mul(cx, alongY), mul(cy, alongX))), add(mul(hx, ay), mul(hy, ax)))
  return v128.and(v128.and(inside, LightNode.lampsLanes(node)), v128.and(x, v128.and(y, z)))
}
