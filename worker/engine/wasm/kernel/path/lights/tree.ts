/**
 * The tree of lights in the scene (`light/light-tree.ts`): chooses one for a point, tells with which probability it would choose a light, and
 * finds the lamps that a ray meets. At a node the choice falls among its four children in proportion to the most light that the point may
 * get from them (Conty Estevez and Kulla 2018, §4); one that cannot get any is never chosen. In floats, and all four at once.
 */
import { Choosing, LightBox, LightChoice, LightCone, LightNode, Scene, TreeLight } from '../../records'
import { add, div, dot, mul, splat, sub } from '../../surface/math/floats'
import { choices } from '../workspace'

/** Squared distances to a light are at most this, as squared radii are: floats do not overflow. */
const MOST_SQUARE: f32 = 1e24
/** Cosines are off by less: what may get light is never cut off. */
const SLACK: f32 = 1.0 / 512.0
/** Boxes are this much larger, relative to the distances involved: a ray that meets the edge of a lamp meets its box. */
const PAD: f32 = 1.0 / 1048576.0
/** The largest number below 1. */
const BELOW_ONE: f64 = 0.9999999999999999

/** Of the choice made last: the light, and what is left of the number that chose it, uniform in [0, 1) again. */
export let chosenNumber: u32 = 0
export let rest: f64 = 0

@inline
function nodeAt(number: u32): u32 {
  return Scene.lightTree() + number * LightNode.BYTES
}

/** The most light that a point gets from the lights of each child of a node, in any unit: 0 if it gets none. */
@inline
function importances(number: u32, px: v128, py: v128, pz: v128): v128 {
  const node = nodeAt(number)
  const dx = sub(px, LightNode.centreXLanes(node))
  const dy = sub(py, LightNode.centreYLanes(node))
  const dz = sub(pz, LightNode.centreZLanes(node))
  const square = f32x4.pmin(splat(MOST_SQUARE), dot(dx, dy, dz, dx, dy, dz))
  const radius2 = LightNode.squareLanes(node)
  const light = div(LightNode.powerLanes(node), f32x4.pmax(square, radius2))
  if (LightNode.aimed(node) == 0) return light
  const aim = Scene.lightCones() + number * LightCone.BYTES
  const cone = LightCone.cosineLanes(aim)
  const along = dot(dx, dy, dz, LightCone.axisXLanes(aim), LightCone.axisYLanes(aim), LightCone.axisZLanes(aim))
  const oneSided = div(along, f32x4.sqrt(square))
  const cosine = v128.bitselect(f32x4.abs(oneSided), oneSided, LightCone.twoSidedLanes(aim))
  // The angle beyond the cone of normals, less the one under which the sphere around the box is seen.
  const one = splat(1)
  const sine = f32x4.sqrt(f32x4.pmax(splat(0), sub(one, mul(cosine, cosine))))
  const coneSine = LightCone.sineLanes(aim)
  const beyond = add(mul(cosine, cone), mul(sine, coneSine))
  const beyondSine = sub(mul(sine, cone), mul(cosine, coneSine))
  const seen2 = div(radius2, square)
  const seen = f32x4.sqrt(sub(one, seen2))
  const left = add(add(mul(beyond, seen), mul(beyondSine, f32x4.sqrt(seen2))), splat(SLACK))
  // Inside the sphere around the box, any direction is possible.
  const around = v128.or(f32x4.le(square, radius2), f32x4.le(cone, splat(-1)))
  const within = v128.or(f32x4.ge(cosine, cone), f32x4.ge(beyond, seen))
  return mul(light, v128.bitselect(one, f32x4.pmax(splat(0), left), v128.or(around, within)))
}

/** Chooses a light for a point: sets its number, and returns the probability of that; 0 if no light reaches the point. */
export function chooseNear(px: f64, py: f64, pz: f64, u: f64): f64 {
  beginChoice(choices, px, py, pz, u)
  while (goDown(choices)) {}
  return endChoice(choices)
}

/** Begins a choice at the root. @param choice address of LIGHT_CHOICE */
@inline
export function beginChoice(choice: u32, px: f64, py: f64, pz: f64, u: f64): void {
  LightChoice.setX(choice, <f32>px)
  LightChoice.setY(choice, <f32>py)
  LightChoice.setZ(choice, <f32>pz)
  LightChoice.setNumber(choice, 0)
  LightChoice.setRest(choice, u)
  LightChoice.setProbability(choice, 1)
}

/** Reads of every cache line that `goDown` will. */
@inline
export function touchNode(choice: u32): u32 {
  const number = LightChoice.number(choice)
  const node = nodeAt(number)
  const aim = Scene.lightCones() + number * LightCone.BYTES
  const near = reinterpret<u32>(LightNode.centreX(node)) + LightNode.first(node)
  return near + reinterpret<u32>(LightCone.axisX(aim)) + LightCone.twoSided(aim)
}

/**
 * Goes from a node to the child that is chosen, and returns whether that is a node, too. Each step waits for the one before: those of several choices in
 * turn take little longer than those of one.
 */
@inline
export function goDown(choice: u32): bool {
  const number = LightChoice.number(choice)
  const node = nodeAt(number)
  const light = importances(number, splat(LightChoice.x(choice)), splat(LightChoice.y(choice)), splat(LightChoice.z(choice)))
  const a: f64 = f32x4.extract_lane(light, 0)
  const b: f64 = f32x4.extract_lane(light, 1)
  const c: f64 = f32x4.extract_lane(light, 2)
  const d: f64 = f32x4.extract_lane(light, 3)
  const ab = a + b
  const abc = ab + c
  const total = abc + d
  if (!(total > 0)) {
    LightChoice.setProbability(choice, 0)
    return false
  }
  let w = LightChoice.rest(choice)
  const at = w * total
  let lane: u32 = <u32>(at >= a) + <u32>(at >= ab) + <u32>(at >= abc)
  // From memory: which one it is cannot be predicted, and processors choose floats by a branch.
  LightChoice.setOwnLanes(choice, light)
  LightChoice.setBefore(choice, 0, 0)
  LightChoice.setBefore(choice, 1, a)
  LightChoice.setBefore(choice, 2, ab)
  LightChoice.setBefore(choice, 3, abc)
  let own: f64 = LightChoice.each(choice, lane)
  if (!(own > 0)) {
    // Rounded up to the end: the last one that gives light.
    lane = c > 0 ? 2 : b > 0 ? 1 : 0
    own = lane == 2 ? c : lane == 1 ? b : a
    w = BELOW_ONE
  } else w = min<f64>(BELOW_ONE, (at - LightChoice.before(choice, lane)) / own)
  const child = node + lane * 4
  const count = LightNode.count(child)
  LightChoice.setProbability(choice, LightChoice.probability(choice) * (own / total))
  LightChoice.setRest(choice, w)
  LightChoice.setNumber(choice, LightNode.first(child))
  LightChoice.setCount(choice, count)
  return count == 0
}

/** Chooses a light of the leaf, as `chooseNear`. */
@inline
export function endChoice(choice: u32): f64 {
  const probability = LightChoice.probability(choice)
  if (probability == 0) return 0
  let w = LightChoice.rest(choice)
  let entry = Scene.treeLights() + LightChoice.number(choice) * TreeLight.BYTES
  const last = entry + (LightChoice.count(choice) - 1) * TreeLight.BYTES
  for (; entry < last; entry += TreeLight.BYTES) {
    const share = TreeLight.power(entry)
    if (w < share) break
    w -= share
  }
  chosenNumber = TreeLight.number(entry)
  rest = min<f64>(BELOW_ONE, w / TreeLight.power(entry))
  return probability * TreeLight.power(entry)
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
    const light = importances(place >> 2, x, y, z)
    const a: f64 = f32x4.extract_lane(light, 0)
    const b: f64 = f32x4.extract_lane(light, 1)
    const c: f64 = f32x4.extract_lane(light, 2)
    const d: f64 = f32x4.extract_lane(light, 3)
    LightChoice.setOwnLanes(choices, light)
    const own: f64 = LightChoice.each(choices, place & 3)
    if (!(own > 0)) return 0
    // As `chooseNear` adds them.
    probability *= own / (a + b + c + d)
    place = LightNode.parent(node)
  }
  return probability
}

let rayX: v128 = f32x4(0, 0, 0, 0)
let rayY: v128 = f32x4(0, 0, 0, 0)
let rayZ: v128 = f32x4(0, 0, 0, 0)
/** One over the direction, and without its sign. */
let inverseX: v128 = f32x4(0, 0, 0, 0)
let inverseY: v128 = f32x4(0, 0, 0, 0)
let inverseZ: v128 = f32x4(0, 0, 0, 0)
let lengthX: v128 = f32x4(0, 0, 0, 0)
let lengthY: v128 = f32x4(0, 0, 0, 0)
let lengthZ: v128 = f32x4(0, 0, 0, 0)
let nearest: f32 = 0
let farthest: f32 = 0

/** Sets the part of a ray between two distances in which lamps are looked for; its direction is a unit vector. */
@inline
export function setLampRay(px: f64, py: f64, pz: f64, dx: f64, dy: f64, dz: f64, near: f64, far: f64): void {
  rayX = splat(<f32>px)
  rayY = splat(<f32>py)
  rayZ = splat(<f32>pz)
  inverseX = splat(inverse(dx))
  inverseY = splat(inverse(dy))
  inverseZ = splat(inverse(dz))
  lengthX = f32x4.abs(inverseX)
  lengthY = f32x4.abs(inverseY)
  lengthZ = f32x4.abs(inverseZ)
  nearest = <f32>near
  farthest = <f32>far
}

/** Bits of the children of a node that have lamps and whose boxes the ray goes through. */
@inline
export function lanesWithLamps(number: u32): u32 {
  return i32x4.bitmask(meetsBoxes(number))
}

/** What is divided by is at least this: a ray along an axis leaves it by less than any box is padded. */
const LEAST_ALONG: f64 = 1e-20

@inline
function inverse(along: f64): f32 {
  return <f32>(1 / copysign<f64>(max<f64>(LEAST_ALONG, abs<f64>(along)), along))
}

/** Slabs (Kay and Kajiya, SIGGRAPH 1986), by their middles and halves. */
@inline
function meetsBoxes(number: u32): v128 {
  const node = nodeAt(number)
  const box = Scene.lightBoxes() + number * LightBox.BYTES
  const cx = sub(LightNode.centreXLanes(node), rayX)
  const cy = sub(LightNode.centreYLanes(node), rayY)
  const cz = sub(LightNode.centreZLanes(node), rayZ)
  const sizes = add(add(LightBox.halfXLanes(box), LightBox.halfYLanes(box)), LightBox.halfZLanes(box))
  const pad = mul(splat(PAD), add(add(add(f32x4.abs(cx), f32x4.abs(cy)), f32x4.abs(cz)), sizes))
  const x = mul(cx, inverseX)
  const y = mul(cy, inverseY)
  const z = mul(cz, inverseZ)
  const hx = mul(add(LightBox.halfXLanes(box), pad), lengthX)
  const hy = mul(add(LightBox.halfYLanes(box), pad), lengthY)
  const hz = mul(add(LightBox.halfZLanes(box), pad), lengthZ)
  const from = f32x4.pmax(f32x4.pmax(sub(x, hx), sub(y, hy)), f32x4.pmax(sub(z, hz), splat(nearest)))
  const to = f32x4.pmin(f32x4.pmin(add(x, hx), add(y, hy)), f32x4.pmin(add(z, hz), splat(farthest)))
  return v128.and(f32x4.le(from, to), LightBox.lampsLanes(box))
}
