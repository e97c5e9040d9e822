/**
 * How many rows of a tile a thread takes at once: enough to make the cost of the counter and the clock negligible and to trace
 * many rays together, and fewer towards the end, so that no thread waits long for the last and rows can still be given to
 * another worker. (Polychronopoulos and Kuck, "Guided Self-Scheduling", IEEE Transactions on Computers C-36(12), 1987: a share
 * of what is left.)
 */
import { raysPerPixel } from '../../shared/frame/rays-per-pixel.ts'
import type { Quality } from '../../shared/frame/view.ts'
import type { EngineGrain } from '../engine/engine.ts'

/** A batch is at most this share of what is left per thread, as long as that is worthwhile. */
const SHARE_OF_REST = 1 / 12
/** Threads that share a tile take at least this many batches each, however few rows there are. */
const MIN_BATCHES = 4
/** Parts of a block are powers of two rows high; they may exceed the goal by this factor, since the next smaller has only half. */
const SLACK = 4 / 3

/**
 * Returns a function: how many rows, at least one, a thread takes if the rows `from` to `end` (exclusive) are left. `above`:
 * pixels of the tile above each of its rows, then the total.
 */
export function rowBatches(
  above: Uint32Array,
  quality: Quality,
  threads: number,
  { batchRays, fineRays, mostRays, blockRows }: EngineGrain,
): (from: number, end: number) => number {
  const perPixel = raysPerPixel(quality)
  const rays = (from: number, to: number) => (above[to]! - above[from]!) * perPixel
  const all = rays(0, above.length - 1)
  const most = threads === 1 ? mostRays : Math.min(mostRays, all / (threads * MIN_BATCHES))
  return (from, end) => {
    const share = (rays(from, end) / threads) * SHARE_OF_REST
    const goal = Math.min(most, Math.max(fineRays, Math.min(batchRays, share)))
    const fits = (rows: number, limit: number) => from + rows <= end && rays(from, from + rows) <= limit
    // Far from the end whole blocks are traced, unless one is far too large; a single row is always slow.
    const least = fits(2, Math.min(most, 2 * fineRays)) ? Math.min(2, blockRows) : 1
    let rows = goal >= batchRays && fits(blockRows, most) ? blockRows : least
    while (rows < blockRows && fits(rows * 2, goal * SLACK)) rows *= 2
    if (rows >= blockRows) while (fits(rows + blockRows, goal)) rows += blockRows
    return Math.min(rows, end - from)
  }
}
