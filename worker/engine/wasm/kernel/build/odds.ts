/**
 * Which child of a node a shadow ray visits first: for it any hit will do, so the best child is the one that is likely to have a hit and takes few
 * steps to find out. Ize and Hansen, "RTSAH Traversal Order for Occlusion Rays", Computer Graphics Forum 30(2), 2011, order children by that for all
 * rays alike; here a ray multiplies the odds of a child by how far it goes through its box (`trace/push-step.ts`).
 *
 * By the surface area heuristic, for rays that enter the box and go on to its other side:
 *
 *     chance(triangle4) = area of its triangles / half the area of its box           at most 1
 *     chance(node)      = 1 - product of (1 - share · chance) over its children       share: area of the child's box over the node's
 *     steps(node)       = 1 + (1 - chance(node) / 2) · sum of share · steps           a hit comes halfway, on average
 *     odds(child)       = chance / (steps · mean chord)                               mean chord: 4 · volume / area of its box
 *
 * Until the odds are in its lane, there is the area of a triangle4's triangles. Odds affect only how many steps a ray takes; where coordinates are so large or so small that
 * areas are not finite or zero, they are 0. In scenes with instances no ray asks for them.
 */
import { Child, Corner, Group, Slab } from '../records'
import { widenDown, widenUp } from './boxes'
import { highestOf, lowestOf, storeBox } from './node-box'

/** A flat box has a mean chord of at least this share of the root of half its area. */
const THINNEST: f32 = 1.0 / 32768.0
const MOST: f32 = 1e30

/**
 * Sets the odds of all children in the tree below a node, which has no instances, and the boxes of nodes. Of triangle4s, boxes and the areas of their triangles must be
 * there.
 * @param margin by which boxes of triangle4s are still to be widened (`boxes.ts`); 0 if they are
 */
export function setOdds(root: u32, margin: f32): void {
  below(root, margin)
}

/** Chance and steps of a node, in lanes 0 and 1. */
function below(node: u32, margin: f32): v128 {
  if (margin > 0) {
    widenLeaves(node, f32x4.splat(margin))
    widenLeaves(node + Group.BYTES, f32x4.splat(margin))
  }
  setChances(node)
  setChances(node + Group.BYTES)
  const a = ofChild(node, margin)
  const b = ofChild(node + 4, margin)
  const c = ofChild(node + 8, margin)
  const d = ofChild(node + 12, margin)
  const e = ofChild(node + Group.BYTES, margin)
  const f = ofChild(node + Group.BYTES + 4, margin)
  const g = ofChild(node + Group.BYTES + 8, margin)
  const h = ofChild(node + Group.BYTES + 12, margin)
  const size = f32x4.sub(highestOf(node), lowestOf(node))
  const x = f32x4.extract_lane(size, 0)
  const y = f32x4.extract_lane(size, 1)
  const z = f32x4.extract_lane(size, 2)
  const perArea = f32x4.splat(1 / (x * y + (y * z + z * x)))
  const first = setGroupOdds(node, perArea, a, b, c, d)
  const second = setGroupOdds(node + Group.BYTES, perArea, e, f, g, h)
  const chance: f32 = <f32>1 - f32x4.extract_lane(first, 0) * f32x4.extract_lane(second, 0)
  const steps: f32 = <f32>1 + (<f32>1 - chance / 2) * (f32x4.extract_lane(first, 1) + f32x4.extract_lane(second, 1))
  return f32x4.replace_lane(f32x4.splat(chance), 1, steps)
}

/** Widens the boxes of a group's triangle4s; where there is none, nothing changes. */
@inline
function widenLeaves(group: u32, margin: v128): void {
  const leaves = i32x4.ne(v128.and(Group.childrenLanes(group), i32x4.splat(Child.TRIANGLE4)), i32x4.splat(0))
  for (let side = group; side < group + Group.CHILDREN; side += 16) {
    const low = v128.load(side)
    const high = v128.load(side, Slab.OTHER_SIDE)
    v128.store(side, v128.bitselect(widenDown(low, margin), low, leaves))
    v128.store(side, v128.bitselect(widenUp(high, margin), high, leaves), Slab.OTHER_SIDE)
  }
}

/** Replaces the areas of a group's triangle4s by chances of a hit, for rays that enter their boxes. In other lanes is then no matter what. */
@inline
function setChances(group: u32): void {
  const x = f32x4.sub(Group.maxXLanes(group), Group.minXLanes(group))
  const y = f32x4.sub(Group.maxYLanes(group), Group.minYLanes(group))
  const z = f32x4.sub(Group.maxZLanes(group), Group.minZLanes(group))
  const area = f32x4.add(f32x4.mul(x, y), f32x4.add(f32x4.mul(y, z), f32x4.mul(z, x)))
  Group.setOddsLanes(group, positive(f32x4.div(Group.oddsLanes(group), area), 1))
}

/**
 * Sets the odds of a group's children. Lane 0: the chance that a ray through the node has no hit in any of them; 1: the steps in those that it enters.
 * @param perArea reciprocal of half the area of the node's box
 * @param a chance and steps of the first child, as of the others
 */
@inline
function setGroupOdds(group: u32, perArea: v128, a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = v128.shuffle<i32>(a, b, 0, 4, 1, 5)
  const cd = v128.shuffle<i32>(c, d, 0, 4, 1, 5)
  const chance = v128.shuffle<i32>(ab, cd, 0, 1, 4, 5)
  const steps = v128.shuffle<i32>(ab, cd, 2, 3, 6, 7)

  const x = f32x4.sub(Group.maxXLanes(group), Group.minXLanes(group))
  const y = f32x4.sub(Group.maxYLanes(group), Group.minYLanes(group))
  const z = f32x4.sub(Group.maxZLanes(group), Group.minZLanes(group))
  const xy = f32x4.mul(x, y)
  const area = f32x4.add(xy, f32x4.add(f32x4.mul(y, z), f32x4.mul(z, x)))
  const chord = meanChords(xy, z, area)
  // Where there is no child, the box is the opposite of one, which a ray goes through by -Infinity: times the odds this must be less than all others.
  const nobody = i32x4.eq(Group.childrenLanes(group), i32x4.splat(0))
  Group.setOddsLanes(group, v128.bitselect(f32x4.splat(1), positive(f32x4.div(chance, f32x4.mul(steps, chord)), MOST), nobody))
  const share = v128.andnot(positive(f32x4.mul(area, perArea), 1), nobody)
  let none = f32x4.sub(f32x4.splat(1), f32x4.mul(share, chance))
  let sum = f32x4.mul(share, steps)
  none = f32x4.mul(none, v128.shuffle<i32>(none, none, 2, 3, 0, 1))
  sum = f32x4.add(sum, v128.shuffle<i32>(sum, sum, 2, 3, 0, 1))
  none = f32x4.mul(none, v128.shuffle<i32>(none, none, 1, 0, 3, 2))
  sum = f32x4.add(sum, v128.shuffle<i32>(sum, sum, 1, 0, 3, 2))
  return v128.shuffle<i32>(none, sum, 0, 4, 0, 4)
}

/** Mean chords of boxes. @param xy product of their sides along x and y @param z the third side @param area half of their surface areas */
@inline
function meanChords(xy: v128, z: v128, area: v128): v128 {
  const thinnest = f32x4.mul(f32x4.sqrt(area), f32x4.splat(THINNEST))
  return f32x4.pmax(f32x4.div(f32x4.mul(f32x4.add(xy, xy), z), area), thinnest)
}

/** Chance per step of a group's children, for rays of which no more is known than that they enter the boxes: odds times mean chord. */
@inline
export function chancesPerStep(group: u32): v128 {
  const x = f32x4.sub(Group.maxXLanes(group), Group.minXLanes(group))
  const y = f32x4.sub(Group.maxYLanes(group), Group.minYLanes(group))
  const z = f32x4.sub(Group.maxZLanes(group), Group.minZLanes(group))
  const xy = f32x4.mul(x, y)
  const area = f32x4.add(xy, f32x4.add(f32x4.mul(y, z), f32x4.mul(z, x)))
  return f32x4.mul(Group.oddsLanes(group), meanChords(xy, z, area))
}

/** Chance and steps of the child in a lane, in lanes 0 and 1; of a node, its box is written. */
function ofChild(lane: u32, margin: f32): v128 {
  const child = Group.children(lane)
  if (child == 0) return f32x4(0, 1, 0, 0)
  if ((child & Child.TRIANGLE4) != 0) return f32x4.replace_lane(f32x4(0, 1, 0, 0), 0, Group.odds(lane))
  const odds = below(child, margin)
  storeBox(lane, lowestOf(child), highestOf(child))
  return odds
}

/** Lanes that are neither negative nor more than `most`, nor NaN. */
@inline
function positive(lanes: v128, most: f32): v128 {
  return f32x4.pmin(f32x4.splat(most), f32x4.pmax(f32x4.splat(0), lanes))
}

/** Of the four triangles of a triangle4, whose unused lanes have none. */
@inline
export function areaOfTriangles(triangle4: u32): f32 {
  const ax = v128.load(triangle4)
  const ay = v128.load(triangle4, 16)
  const az = v128.load(triangle4, 32)
  const bx = f32x4.sub(v128.load(triangle4 + Corner.BYTES), ax)
  const by = f32x4.sub(v128.load(triangle4 + Corner.BYTES, 16), ay)
  const bz = f32x4.sub(v128.load(triangle4 + Corner.BYTES, 32), az)
  const cx = f32x4.sub(v128.load(triangle4 + 2 * Corner.BYTES), ax)
  const cy = f32x4.sub(v128.load(triangle4 + 2 * Corner.BYTES, 16), ay)
  const cz = f32x4.sub(v128.load(triangle4 + 2 * Corner.BYTES, 32), az)
  const nx = f32x4.sub(f32x4.mul(by, cz), f32x4.mul(bz, cy))
  const ny = f32x4.sub(f32x4.mul(bz, cx), f32x4.mul(bx, cz))
  const nz = f32x4.sub(f32x4.mul(bx, cy), f32x4.mul(by, cx))
  const twice = f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(nx, nx), f32x4.mul(ny, ny)), f32x4.mul(nz, nz)))
  const pairs = f32x4.add(twice, v128.shuffle<i32>(twice, twice, 2, 3, 0, 1))
  return f32x4.extract_lane(f32x4.add(pairs, v128.shuffle<i32>(pairs, pairs, 1, 0, 3, 2)), 0) / 2
}
