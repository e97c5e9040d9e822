/**
 * Tiling with random owners: equal square tiles, each given to a worker drawn at random (Lin et al., §II.B, after Wheat,
 * "A Fine-Grained Data Migration Approach to Application Load Balancing on MP MIMD Machines", 1992). A draw, not a
 * shuffle: the number of tiles per worker is random, too. All tiles of a worker travel as one.
 */

import { frameRect } from '../../shared/frame/rect.ts'
import { hash32, unitOf } from '../../shared/math/random.ts'
import { type AreaShare, type PlannedTile, type Strategy, workingShares } from './strategy.ts'
import { TILE_SIDE_PX } from './tiles/tile-grid.ts'

export const randomTiles: Strategy = {
  name: 'random-tiles',
  summary: 'equal square tiles, each assigned once to a random worker',
  advice: 'needs no measurements; even only with many small tiles, and never as even as scatter',
  source: 'Wheat, "A Fine-Grained Data Migration Approach to Application Load Balancing", 1992; Lin et al., §II.B',
  reads: ['tile', 'seed'],
  smallTiles: ({ tile = TILE_SIDE_PX }) => ({ w: tile, h: tile, as: 'list' }),
  plan({ size, workers, options }) {
    const rect = frameRect(size)
    const side = options.tile ?? TILE_SIDE_PX
    const columns = Math.ceil(rect.w / side)
    const owners = workingShares(workers)
    const cellsOf = owners.map((): number[] => [])
    const draw = drawBySpeed(owners)
    const count = columns * Math.ceil(rect.h / side)
    for (let cell = 0; cell < count; cell++) cellsOf[draw(unitOf(hash32(options.seed, cell)))]!.push(cell)
    const tiles = owners.map(({ id }, i): PlannedTile => {
      return { rect, pattern: { kind: 'cells', cellW: side, cellH: side, columns, cells: cellsOf[i]! }, worker: id }
    })
    return { tiles: tiles.filter((_, i) => cellsOf[i]!.length > 0) }
  },
}

/** Maps a number between 0 and 1 to the index of a worker, with probability proportional to speed. */
function drawBySpeed(workers: readonly AreaShare[]): (unit: number) => number {
  let total = 0
  const upTo = workers.map(({ speed }) => {
    total += speed
    return total
  })
  return unit => {
    const goal = unit * total
    let low = 0
    let high = upTo.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (upTo[middle]! > goal) high = middle
      else low = middle + 1
    }
    return low
  }
}
