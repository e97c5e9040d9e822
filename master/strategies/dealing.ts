/**
 * Whose turn it is when equal things are dealt out in turn. Among equals everybody has one turn in a round; among workers
 * of unequal speed a round is longer, the fast have more turns in it, and each worker's turns are spread over the round.
 */
import type { AreaShare } from './strategy.ts'

/** A round has at most so many turns for each worker on average: a turn of scatter is a tile to send. */
const MAX_TURNS = 16
/** How far above its share of a round the worst-off worker may be before a longer round is looked for. */
const GOOD_ENOUGH = 0.01

/** One round: the worker of each turn. `workers` has at least one, all faster than 0. */
export function weightedRoundRobin(workers: readonly AreaShare[]): AreaShare[] {
  const counts = turnCounts(workers.map(worker => worker.speed))
  const turns = workers.flatMap((worker, number) =>
    Array.from({ length: counts[number]! }, (_, turn) => ({ worker, number, at: (turn + 0.5) / counts[number]! })),
  )
  return turns.sort((a, b) => a.at - b.at || a.number - b.number).map(turn => turn.worker)
}

/** Small whole numbers in proportion to the speeds, 0 for workers that are too slow for a turn. */
function turnCounts(speeds: readonly number[]): number[] {
  const total = speeds.reduce((sum, speed) => sum + speed, 0)
  const mostTurns = MAX_TURNS * speeds.length
  const slowest = speeds.reduce((least, speed) => Math.min(least, speed))
  // Who is slower than a turn's worth of the longest round cannot be the measure of it.
  const unit = Math.max(slowest, total / mostTurns)
  // In steps of an eighth, as rounding is kinder to one length than to the next.
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
