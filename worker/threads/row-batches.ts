/**
 * How many rows of a tile a thread takes at once: enough for the counter and the clock to cost nothing, few enough that
 * no thread waits long for the last, that pacing is smooth, and that a tile given up ends soon.
 */
import type { Rect } from '../../shared/rect.ts'
import type { Quality } from '../../shared/view.ts'
import type { EngineGrain } from '../engine/engine.ts'

/** Threads that share a tile take rows at least so often each. */
const LEAST_BATCHES = 4

/** How many rows a thread takes that finds so many from `from` to `end` still wanted. */
export function rowBatches(
  rect: Rect,
  _above: Uint32Array,
  quality: Quality,
  threads: number,
  grain: EngineGrain,
): (from: number, end: number) => number {
  const rows = rowsPerBatch(rect, quality, threads, grain)
  return () => rows
}

export function rowsPerBatch(rect: Rect, quality: Quality, threads: number, grain: EngineGrain): number {
  // A camera ray mostly leads to one shadow ray and its ambient rays.
  const raysPerRow = rect.w * quality.samples * (2 + quality.ambientRays)
  const fair = threads === 1 ? rect.h : Math.floor(rect.h / (threads * LEAST_BATCHES))
  const worthwhile = Math.max(1, Math.round(grain.batchRays / raysPerRow))
  const { blockRows } = grain
  const blocks = Math.max(1, Math.min(Math.round(worthwhile / blockRows), Math.floor(fair / blockRows)))
  // Whole blocks, unless one is far too much at once, or the tile too low to give each thread two.
  if (raysPerRow * blockRows <= grain.mostRays && rect.h >= 2 * threads * blockRows) return blocks * blockRows
  return Math.max(1, Math.min(worthwhile, fair, Math.floor(grain.mostRays / raysPerRow)))
}
