/**
 * The order in which workers take turns when equal items are dealt out. Workers of equal speed have one turn per round; if
 * speeds differ, a round is longer, fast workers have more turns in it, and each worker's turns are spread over the round.
 */
import type { AreaShare } from '../strategy.ts'

/** Maximum average number of turns per worker in a round: with scatter, every turn is a tile to send. */
const MAX_TURNS = 16
/** Tolerated excess of the worst-off worker over its share of a round; above it, a longer round is tried. */
const GOOD_ENOUGH = 0.01

/** One round: the worker of each turn. `workers` has at least one, all faster than 0. */
export function weightedRoundRobin(workers: readonly AreaShare[]): AreaShare[] {
  const counts = turnCounts(workers.map(worker => worker.speed))
  const turns = workers.flatMap((worker, number) =>
    Array.from({ length: counts[number]! }, (_, turn) => ({ worker, number, at: (turn + 0.5) / counts[number]! })),
  )
  return turns.sort((a, b) => a.at - b.at || a.number - b.number).map(turn => turn.worker)
}

/** Small integers in proportion to the speeds, 0 for workers that are too slow for a turn. */
function turnCounts(speeds: readonly number[]): number[] {
  const total = speeds.reduce((sum, speed) => sum + speed, 0)
  const mostTurns = MAX_TURNS * speeds.length
  const slowest = speeds.reduce((least, speed) => Math.min(least, speed))
  // A worker slower than one turn of the longest round cannot be the unit.
  const unit = Math.max(slowest, total / mostTurns)
  // In steps of 1/8, because rounding errors vary with the length.
  let best: number[] = []
  let bestExcess = Number.POSITIVE_INFINITY
  for (let factor = 1; factor === 1 || (factor * total) / unit <= mostTurns; factor += 1 / 8) {
    const counts = speeds.map(speed => Math.round((factor * speed) / unit))
    const turns = counts.reduce((sum, count) => sum + count, 0)
    const excess = counts.reduce((most, count, i) => Math.max(most, (count * total) / (turns * speeds[i]!)), 0) - 1
    if (excess < bestExcess) [best, bestExcess] = [counts, excess]
    if (excess <= GOOD_ENOUGH) break
  }
  return best
}
