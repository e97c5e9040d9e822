/**
 * Predicts the next frame in the way that would have been right for the newest one. Moved (reprojected) costs are right
 * where the camera turns or approaches, and wrong where costs keep their place on the screen: silhouettes of an object
 * that it circles. Their errors (surfaces that turn away, things that come into view) recur in much the same place a
 * frame later. So the prediction is
 *
 *     moved + stays · (unmoved − moved) + again · error
 *
 * where `error` is the newest frame's costs minus the moved costs predicted for it. By least squares, the two shares
 * would have predicted the newest frame best from the frames before it; the more they would change now compared with the
 * change they were tried on, the less they are trusted. They are fitted to sums over blocks of cells: precision within a
 * tile is of no use to a balancer.
 */
import type { CostMap } from '../cost-map.ts'
import { reprojectedCosts, SEEN_ENOUGH, sight } from '../reprojected-costs.ts'
import type { CostPredictor } from './predictor.ts'

/** Side of a block, px. */
const BLOCK_PX = 40
/** Weight of the change that a share would make now against the change that it was tried on. */
const DOUBT = 0.1

export const adaptiveBlend: CostPredictor = {
  name: 'adaptive-blend',
  summary: 'the blend of unmoved and reprojected costs and repeated errors that would have fit the newest frame best',
  predict([newest, before, earlier], camera, bodies) {
    if (!newest) return undefined
    const next = reprojectedCosts(newest, sight(camera, bodies)).costs
    // Where nothing moves, costs stay the same.
    if (!before || next === newest.costs) return next
    const expected = reprojectedCosts(before, newest)
    // Nothing can be learned across a camera cut.
    if (expected.seen < SEEN_ENOUGH) return next
    const error = difference(newest.costs, expected.costs)
    const earlierExpected = earlier && reprojectedCosts(earlier, before)
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

/** A change of which a share is tried: its value for the newest frame, and how much to doubt the result. */
interface Trial {
  readonly change: Float64Array
  readonly doubt: number
}

const trial = (then: Difference, now: Difference): Trial => ({
  change: then.blocks,
  doubt: DOUBT * product(now.blocks, now.blocks),
})

/** The shares a and b, 0 to 1, for which a·x + b·y is closest to `goal`; b is 0 without y. */
function bestShares(goal: Float64Array, { change: x, doubt }: Trial, other: Trial | undefined): [a: number, b: number] {
  const [xx, gx] = [product(x, x) + doubt, product(goal, x)]
  const alone = share(gx, xx)
  if (!other) return [alone, 0]
  const y = other.change
  const [yy, gy, xy] = [product(y, y) + other.doubt, product(goal, y), product(x, y)]
  const determinant = xx * yy - xy * xy
  // Linearly dependent changes count as one.
  if (!(determinant > 1e-9 * xx * yy)) return xx > 0 ? [alone, 0] : [0, share(gy, yy)]
  // A share outside its range is clamped, and the other is fitted to it.
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
