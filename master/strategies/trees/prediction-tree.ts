/**
 * The Prediction Binary Tree: Lin, Ren, Huang & Li, "Dynamic Load Balancing Method Based on PBT Tree", §III. The screen
 * is cut across its longer side where the estimated cost to the left first reaches its share, recursively until every
 * worker has a leaf. The paper cuts in halves and so needs 2ⁿ workers; here a branch over n workers gives the first part
 * to ⌊n/2⌋ of them, with a share equal to that of their speeds, which replaces ½ in Eq. (5) and (6).
 */
import { invariant } from '../../../shared/errors.ts'
import { type Axis, area, extent, longerAxis, type Rect, splitRect } from '../../../shared/frame/rect.ts'
import type { AreaId } from '../../../shared/ids.ts'
import type { CostField } from '../../costs/cost-field.ts'
import type { AreaShare, PlannedTile } from '../strategy.ts'
import { FREE_SPLITS, type SplitRules, settleSplit } from './split-rules.ts'

/** A tree of cuts as plain data; its leaves, from left to right, are the resulting tiles. */
export type SplitTree = SplitLeaf | SplitBranch

export interface SplitLeaf {
  readonly worker: AreaId
}

export interface SplitBranch {
  readonly axis: Axis
  /** First column or row of the second part, px of the frame. */
  readonly at: number
  readonly parts: readonly [SplitTree, SplitTree]
}

export interface CutScreen {
  readonly tiles: PlannedTile[]
  readonly tree: SplitTree
}

/** Cuts `rect` among `workers` by the costs. Workers beyond the number of pixels get nothing. */
export const cutScreen = (rect: Rect, workers: readonly AreaShare[], costs: CostField): PlannedTile[] =>
  cutTree(rect, workers, costs).tiles

/**
 * The same, with splits that obey `rules` and follow those in the tree of the previous frame, `before`. A split between
 * other workers or along the other axis than before is unconstrained: its old position says nothing about it. `linesFor`
 * returns how many leading columns of a profile make up a share.
 */
export function cutTree(
  rect: Rect,
  workers: readonly AreaShare[],
  costs: CostField,
  rules: SplitRules = FREE_SPLITS,
  before?: SplitTree,
  linesFor: (profile: Float64Array, share: number) => number = firstLines,
): CutScreen {
  const tiles: PlannedTile[] = []
  const cut = (
    rect: Rect,
    workers: readonly AreaShare[],
    costs: CostField,
    before: SplitTree | undefined,
  ): SplitTree => {
    const [first] = workers
    invariant(first, 'a screen cannot be split for zero workers')
    if (workers.length === 1 || area(rect) === 1) {
      tiles.push({ rect, worker: first.id })
      return { worker: first.id }
    }
    const count = Math.floor(workers.length / 2)
    const [ahead, behind] = [workers.slice(0, count), workers.slice(count)]
    const axis = longerAxis(rect)
    const start = rect[axis]
    const old = before && 'parts' in before ? before : undefined
    const last = old?.axis === axis && isTreeOf(old, workers) ? old.at : undefined
    const goal = start + linesFor(costs.profile(rect, axis), shareOf(ahead, behind))
    const lines = withinRoom(settleSplit(goal, last, rules) - start, rect, axis, ahead.length, behind.length)
    const [left, right] = splitRect(rect, axis, lines)
    const parts = [
      cut(left, ahead, costs.within(left), old?.parts[0]),
      cut(right, behind, costs.within(right), old?.parts[1]),
    ] as const
    return { axis, at: start + lines, parts }
  }
  const tree = cut(rect, workers, costs, before)
  return { tiles, tree }
}

/**
 * How many leading columns make up at least `share` of the cost: k + 1 for the k of Eq. (5), E(0, k) ≥ share · E, and Eq. (6),
 * E(0, k − 1) < share · E. Found in one pass over running sums, as the steps at the end of §III.B do. (Eq. (7) moves k by at
 * most one column for each column added, and so falls behind if the cost is in the last columns; with "while" instead of "if" it
 * finds the same k.) If the total cost is 0, neither equation decides, and the columns are shared as if each cost the same.
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

/** Moves a split so that each part has a pixel for each of its workers, as far as there are enough pixels, and none is empty. */
function withinRoom(lines: number, rect: Rect, axis: Axis, before: number, after: number): number {
  const length = extent(rect, axis)
  const pixelsPerLine = area(rect) / length
  const least = Math.ceil(before / pixelsPerLine)
  const most = length - Math.ceil(after / pixelsPerLine)
  if (least <= most) return Math.min(Math.max(lines, least), most)
  return Math.min(Math.max(lines, 1), length - 1)
}

/** Whether a tree's leaves belong to these workers, in this order. */
function isTreeOf(tree: SplitTree, workers: readonly AreaShare[]): boolean {
  let next = 0
  const matches = (node: SplitTree): boolean =>
    'parts' in node ? node.parts.every(matches) : workers[next++]?.id === node.worker
  return matches(tree) && next === workers.length
}

function shareOf(ahead: readonly AreaShare[], behind: readonly AreaShare[]): number {
  const speed = totalSpeed(ahead)
  return speed / (speed + totalSpeed(behind))
}

function totalSpeed(workers: readonly AreaShare[]): number {
  let total = 0
  for (const { speed } of workers) total += speed
  return total
}
