/**
 * What would have been right for the newest frame, will be right for the next. Moved costs are right where the eye turns or
 * draws nearer, and wrong where what costs keeps its place on the screen: silhouettes of what the eye circles. And whatever
 * is wrong with them (surfaces that turn away, things that come into view) is wrong in much the same place a frame later. So
 * the next frame is predicted as
 *
 *     moved + stays · (unmoved − moved) + again · error
 *
 * where `error` is what the newest frame cost beside its own moved costs. The two shares are those that, by least squares,
 * would have predicted the newest frame best from the frames before it; the more they would change now beside what they were
 * tried on, the less they are believed. They are sought over sums of blocks of cells: a balancer has no use for what is right
 * within a tile.
 */
import type { CostMap } from '../cost-map.ts'
import { reprojectedCosts, SEEN_ENOUGH } from '../reprojected-costs.ts'
import type { CostPredictor } from './predictor.ts'

/** Side of a block, px. */
const BLOCK_PX = 40
/** How much what a share would change now counts against what it was tried on. */
const DOUBT = 0.1

export const adaptiveBlend: CostPredictor = {
  name: 'adaptive-blend',
  summary: 'costs moved or not, and errors again, as far as that would have been right for the newest frame',
  predict([newest, before, earlier], camera) {
    if (!newest) return undefined
    const next = reprojectedCosts(newest, camera).costs
    // What does not move costs what it cost.
    if (!before || next === newest.costs) return next
    const expected = reprojectedCosts(before, newest.camera)
    // Of a cut there is nothing to learn.
    if (expected.seen < SEEN_ENOUGH) return next
    const error = difference(newest.costs, expected.costs)
    const earlierExpected = earlier && reprojectedCosts(earlier, before.camera)
    const [stays, again] = bestShares(
      error.blocks,
      trial(difference(before.costs, expected.costs), difference(newest.costs, next)),
      earlierExpected && earlierExpected.seen >= SEEN_ENOUGH
        ? trial(difference(before.costs, earlierExpected.costs), error)
        : undefined,
    )
    return newest.costs.withCosts(i => {
      const cost = next.costs[i]!
      return cost + stays * (newest.costs.costs[i]! - cost) + again * error.cells[i]!
    })
  },
}

/** Differences between two maps, by cell and summed over blocks. */
interface Difference {
  readonly cells: Float64Array
  readonly blocks: Float64Array
}

function difference(a: CostMap, b: CostMap): Difference {
  const { cell, columns, rows } = a
  const side = Math.max(1, Math.round(BLOCK_PX / cell))
  const across = Math.ceil(columns / side)
  const cells = new Float64Array(columns * rows)
  const blocks = new Float64Array(across * Math.ceil(rows / side))
  for (let row = 0; row < rows; row++) {
    const first = Math.floor(row / side) * across
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column
      const value = a.costs[at]! - b.costs[at]!
      cells[at] = value
      blocks[first + Math.floor(column / side)]! += value
    }
  }
  return { cells, blocks }
}

/** A change that a share of is tried: what it was for the newest frame, and how much to doubt what comes of it. */
interface Trial {
  readonly change: Float64Array
  readonly doubt: number
}

const trial = (then: Difference, now: Difference): Trial => ({
  change: then.blocks,
  doubt: DOUBT * product(now.blocks, now.blocks),
})

/** The shares a and b, 0 to 1, for which a·x + b·y is nearest to `goal`; b is 0 where there is no y. */
function bestShares(goal: Float64Array, { change: x, doubt }: Trial, other: Trial | undefined): [a: number, b: number] {
  const [xx, gx] = [product(x, x) + doubt, product(goal, x)]
  const alone = share(gx, xx)
  if (!other) return [alone, 0]
  const y = other.change
  const [yy, gy, xy] = [product(y, y) + other.doubt, product(goal, y), product(x, y)]
  const determinant = xx * yy - xy * xy
  // Two that say the same are one.
  if (!(determinant > 1e-9 * xx * yy)) return xx > 0 ? [alone, 0] : [0, share(gy, yy)]
  // A share that would leave its range stays at its end, and the other follows.
  const b = share(gy - clamp((gx * yy - gy * xy) / determinant) * xy, yy)
  return [share(gx - b * xy, xx), b]
}

const share = (part: number, whole: number): number => (whole > 0 ? clamp(part / whole) : 0)

const clamp = (value: number): number => Math.min(Math.max(value, 0), 1)

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
