/**
 * Work stealing: every worker begins with an equal block of the frame, cut into small tiles; one that finishes its own
 * takes the later half of the longest queue (Lin et al., §II.C, after Blumofe & Leiserson, "Scheduling Multithreaded
 * Computations by Work Stealing", JACM 46(5), 1999; they steal from a random victim, but here the master knows every
 * queue). A block's tiles run row by row, so both the stolen and the remaining tiles stay contiguous.
 */
import { equalBlocks } from './static-blocks.ts'
import { type PlannedTile, type Strategy, workingShares } from './strategy.ts'
import { smallTiles, TILE_SIDE_PX } from './tiles/tile-grid.ts'

export const workStealing: Strategy = {
  name: 'work-stealing',
  summary: 'equal blocks of small tiles; an idle worker takes half of the tiles waiting at the busiest',
  advice:
    'good on any scene and with workers of unknown speed; neighbouring tiles mostly stay together; a message per tile',
  source: 'Blumofe & Leiserson, "Scheduling Multithreaded Computations by Work Stealing", 1999; Lin et al., §II.C',
  reads: ['tile', 'ahead'],
  smallTiles: ({ tile = TILE_SIDE_PX }) => ({ w: tile, h: tile, as: 'orders' }),
  plan: ({ size, workers, options }) => ({
    tiles: equalBlocks(size, workingShares(workers)).flatMap(({ rect, worker }) =>
      smallTiles(rect, options.tile ?? TILE_SIDE_PX).map((tile): PlannedTile => ({ rect: tile, worker })),
    ),
    stealing: 'tiles',
    ahead: options.ahead,
    duplicates: true,
  }),
}
