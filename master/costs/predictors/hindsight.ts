/**
 * What would have been right for the newest frame, will be right for the next. Reprojected costs are right where the eye
 * turns or draws nearer, and wrong where what costs stays in its place on the screen: silhouettes of what the eye circles.
 * And whatever is wrong with them (surfaces that turn away, things that come into view) is wrong in much the same place a
 * frame later. So the next frame is foretold as
 *
 *     moved + stays · (unmoved − moved) + again · error
 *
 * where `error` is what the newest frame cost beside what its own reprojection had foretold. The two shares are those that,
 * by least squares, would have foretold the newest frame best from the frames before it. They are sought over sums of
 * blocks of cells: a balancer has no use for what is right within a tile.
 */
import { combine } from '../combine.ts'
import type { CostMap } from '../cost-map.ts'
import { moved, SEEN_ENOUGH } from '../moved.ts'
import type { CostPredictor } from './predictor.ts'

/** Side of a block, px. */
const BLOCK_PX = 40
/** x */
const DOUBT = 0.1

export const hindsight: CostPredictor = {
  name: 'hindsight',
  summary: 'costs moved or not, and errors repeated, as far as that would have been right for the newest frame',
  predict([newest, before, earlier], camera) {
    if (!newest) return undefined
    const next = moved(newest, camera).costs
    // What does not move costs what it cost.
    if (!before || next === newest.costs) return next
    const expected = moved(before, newest.camera)
    // After a cut there is nothing to learn from what was foretold for it.
    if (expected.seen < SEEN_ENOUGH) return next
    const error = difference(newest.costs, expected.costs)
    const stay = difference(before.costs, expected.costs)
    const earlierExpected = earlier && moved(earlier, before.camera)
    const again =
      earlierExpected && earlierExpected.seen >= SEEN_ENOUGH && difference(before.costs, earlierExpected.costs)
    const goal = blockSums(error, newest.costs)
    const doubt = [difference(newest.costs, next), error].map(change => {
      const sums = blockSums(change, newest.costs)
      return DOUBT * product(sums, sums)
    })
    const [stays, repeats] = bestShares(
      goal,
      { change: blockSums(stay, newest.costs), doubt: doubt[0]! },
      again ? { change: blockSums(again, newest.costs), doubt: doubt[1]! } : undefined,
    )
    return combine(newest.costs, i => {
      const cost = next.costs[i]!
      return cost + stays * (newest.costs.costs[i]! - cost) + repeats * error[i]!
    })
  },
}

const difference = (a: CostMap, b: CostMap): Float64Array => a.costs.map((cost, i) => cost - b.costs[i]!)

function blockSums(values: Float64Array, { cell, columns, rows }: CostMap): Float64Array {
  const cells = Math.max(1, Math.round(BLOCK_PX / cell))
  const across = Math.ceil(columns / cells)
  const sums = new Float64Array(across * Math.ceil(rows / cells))
  for (let row = 0; row < rows; row++) {
    const first = Math.floor(row / cells) * across
    for (let column = 0; column < columns; column++)
      sums[first + Math.floor(column / cells)]! += values[row * columns + column]!
  }
  return sums
}

interface Candidate { readonly change: Float64Array; readonly doubt: number }

/** The shares a and b, 0 to 1, for which a·x + b·y is nearest to `goal`; b is 0 where there is no y. */
function bestShares(goal: Float64Array, { change: x, doubt: dx }: Candidate, other?: Candidate): [a: number, b: number] {
  const [xx, gx] = [product(x, x) + dx, product(goal, x)]
  const alone = share(gx, xx)
  if (!other) return [alone, 0]
  const y = other.change
  const [yy, gy, xy] = [product(y, y) + other.doubt, product(goal, y), product(x, y)]
  const determinant = xx * yy - xy * xy
  // Two that say the same are one.
  if (!(determinant > 1e-6 * xx * yy)) return [alone, xx > 0 ? 0 : share(gy, yy)]
  const a = clamp((gx * yy - gy * xy) / determinant)
  const b = share(gy - a * xy, yy)
  return [share(gx - b * xy, xx), b]
}

const share = (part: number, whole: number): number => (whole > 0 ? clamp(part / whole) : 0)

const clamp = (value: number): number => Math.min(Math.max(value, 0), 1)

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
