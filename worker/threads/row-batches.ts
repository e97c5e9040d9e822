/**
 * How many rows of a tile a thread takes at once: enough for the counter and the clock to cost nothing and for rays to keep
 * each other company, and fewer towards the end, so that no thread waits long for the last and that rows can still be given
 * to another worker. (Polychronopoulos and Kuck, "Guided Self-Scheduling", IEEE Transactions on Computers C-36(12), 1987: a
 * share of what is left.)
 */
import { raysPerPixel } from '../../shared/rays-per-pixel.ts'
import type { Quality } from '../../shared/view.ts'
import type { EngineGrain } from '../engine/engine.ts'

/** A batch is at most this share of what is left for each thread, while that is worth being asked for. */
const SHARE_OF_REST = 1 / 12
/** Threads that share a tile take rows at least so often each, however few there are. */
const MIN_BATCHES = 4
/** Parts of a block are powers of two rows high; they may have so much more than was meant, for the next lower has half of it. */
const SLACK = 4 / 3

/**
 * How many rows, at least one, a thread takes that finds those from `from` to `end` (exclusive) left. `above`: pixels of the
 * tile above each of its rows, and then all of them.
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
    // Far from the end a block is traced whole, unless it is far too much at once; a row alone is slow in any case.
    const least = fits(2, Math.min(most, 2 * fineRays)) ? Math.min(2, blockRows) : 1
    let rows = goal >= batchRays && fits(blockRows, most) ? blockRows : least
    while (rows < blockRows && fits(rows * 2, goal * SLACK)) rows *= 2
    if (rows >= blockRows) while (fits(rows + blockRows, goal)) rows += blockRows
    return Math.min(rows, end - from)
  }
}
