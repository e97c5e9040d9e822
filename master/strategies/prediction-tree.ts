/**
 * The Prediction Binary Tree: Lin, Ren, Huang & Li, "Dynamic Load Balancing Method Based on PBT Tree", §III. The screen is
 * cut along its longer side where the estimated cost to the left first reaches its share, and so on until every worker
 * has a leaf. The paper cuts in halves and so needs 2ⁿ workers; here a branch over n workers gives ⌊n/2⌋ of them the
 * first part and that part the share of their speeds, so ½ in Eq. (5) and (6) becomes that share.
 */
import { invariant } from '../../shared/errors.ts'
import { type Axis, area, extent, longerAxis, type Rect, splitRect } from '../../shared/rect.ts'
import type { CostField } from '../costs/cost-field.ts'
import type { PlannedTile, WorkerShare } from './strategy.ts'

/** Cuts `rect` among `workers` by the costs. Workers beyond the number of pixels get nothing. */
export function cutScreen(rect: Rect, workers: readonly WorkerShare[], costs: CostField): PlannedTile[] {
  const [first] = workers
  invariant(first, 'a screen cannot be cut for no workers')
  if (workers.length === 1 || area(rect) === 1) return [{ rect, worker: first.id }]
  const count = Math.floor(workers.length / 2)
  const [before, after] = [workers.slice(0, count), workers.slice(count)]
  const axis = longerAxis(rect)
  const ahead = totalSpeed(before)
  const share = ahead / (ahead + totalSpeed(after))
  const lines = withinRoom(firstLines(costs.profile(rect, axis), share), rect, axis, before.length, after.length)
  const [left, right] = splitRect(rect, axis, lines)
  return [...cutScreen(left, before, costs.within(left)), ...cutScreen(right, after, costs.within(right))]
}

/**
 * How many leading columns make up at least `share` of the cost: k + 1 for the k of Eq. (5), E(0, k) ≥ share · E, and
 * Eq. (6), E(0, k − 1) < share · E. Found in one pass over running sums, as the steps at the end of §III.B do. Where
 * nothing costs anything neither equation chooses, and the columns are shared as if each cost the same.
 */
export function firstLines(profile: Float64Array, share: number): number {
  // The total is summed in the same order as the running sum, so that the pass always ends inside the block.
  let total = 0
  for (let k = 0; k < profile.length; k++) total += profile[k]!
  if (total === 0) return Math.round(profile.length * share)
  let sum = 0
  for (let k = 0; k < profile.length; k++) {
    sum += profile[k]!
    if (sum >= share * total) return k + 1
  }
  return profile.length
}

/** Moves a split so that each part has a pixel for each of its workers, as far as there are pixels, and none is empty. */
function withinRoom(lines: number, rect: Rect, axis: Axis, before: number, after: number): number {
  const length = extent(rect, axis)
  const pixelsPerLine = area(rect) / length
  const least = Math.ceil(before / pixelsPerLine)
  const most = length - Math.ceil(after / pixelsPerLine)
  if (least <= most) return Math.min(Math.max(lines, least), most)
  return Math.min(Math.max(lines, 1), length - 1)
}

function totalSpeed(workers: readonly WorkerShare[]): number {
  let total = 0
  for (const { speed } of workers) total += speed
  return total
}
