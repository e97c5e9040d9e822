/**
 * Scattered decomposition: F(i) = i mod p (Lin et al., §II.B, after Salmon, "A Mathematical Analysis of the Scattered
 * Decomposition", 1988), where i counts small tiles, rows or pixels in row-major order. A worker's whole strided pattern
 * is one tile. Faster workers have several turns in a round, and one such tile for each.
 */
import { frameRect, type Size } from '../../shared/frame/rect.ts'
import type { StrategyOptions } from '../../shared/session/strategy-options.ts'
import { type PlannedTile, type Strategy, workingShares } from './strategy.ts'
import { weightedRoundRobin } from './tiles/dealing.ts'

/** Large enough for neighbouring rays to be coherent, small enough for every worker to get some of every part of the picture. */
const SCATTER_TILE_PX = 16

export const scatter: Strategy = {
  name: 'scatter',
  summary: 'F(i) = i mod p: small tiles, rows or pixels of the whole frame dealt out in turn',
  advice:
    'even without any measurements, but each worker’s pixels are spread over the frame, with no contiguous region',
  source: 'Salmon, "A Mathematical Analysis of the Scattered Decomposition", 1988; Lin et al., §II.B',
  reads: ['tile', 'scatter'],
  smallTiles: (options, size) => {
    const [w, h] = cellOf(options, size)
    return { w, h, as: 'rule' }
  },
  plan({ size, workers, options }) {
    const rect = frameRect(size)
    const [cellW, cellH] = cellOf(options, size)
    const columns = Math.ceil(rect.w / cellW)
    const cells = columns * Math.ceil(rect.h / cellH)
    const turns = weightedRoundRobin(workingShares(workers))
    const stride = turns.length
    const tiles = turns.slice(0, cells).map(({ id }, phase): PlannedTile => {
      return { rect, pattern: { kind: 'strided', cellW, cellH, columns, stride, phase }, worker: id }
    })
    return { tiles }
  },
}

function cellOf(
  { scatter: unit, tile = SCATTER_TILE_PX }: StrategyOptions,
  [w]: Size,
): [width: number, height: number] {
  switch (unit) {
    case 'pixel':
      return [1, 1]
    case 'row':
      return [w, 1]
    case 'tile':
      return [tile, tile]
  }
}
