/**
 * Master-slave: small tiles wait in one queue, and an idle worker takes the next (Lin et al., §II.C). The queue runs from the
 * centre of the frame outwards: the centre shows what people look at and is the most expensive part of most pictures, and the
 * less the last tiles cost, the shorter the wait at the end (longest first: Graham 1969). While a worker traces one tile, the
 * next is on its way to it, as any implementation would do; tiles that it has not started when other workers run dry go to them.
 */
import { frameRect, type Size } from '../../shared/frame/rect.ts'
import type { Strategy } from './strategy.ts'
import { smallTiles, TILE_SIDE_PX } from './tiles/tile-grid.ts'

export const demandDriven: Strategy = {
  name: 'demand-driven',
  summary: 'one queue of small tiles from the centre outwards; an idle worker takes the next one',
  advice: 'good on any scene and with workers of unknown speed; costs a message each way for every small tile',
  source: 'Lin et al., "Dynamic Load Balancing Method Based on PBT Tree", §II.C, master-slave',
  reads: ['tile', 'ahead'],
  smallTiles: ({ tile = TILE_SIDE_PX }) => ({ w: tile, h: tile, as: 'orders' }),
  plan: ({ size, options }) => ({
    tiles: smallTiles(frameRect(size), options.tile ?? TILE_SIDE_PX)
      .map(rect => ({ rect, distance: fromCentre(rect, size) }))
      .sort((a, b) => a.distance - b.distance)
      .map(({ rect }) => ({ rect })),
    ahead: options.ahead,
    duplicates: true,
  }),
}

/** (Twice the) distance between the centres of tile and frame, squared: integers, so that ties are ties on every machine. */
const fromCentre = ({ x, y, w, h }: { x: number; y: number; w: number; h: number }, [width, height]: Size): number =>
  (2 * x + w - width) ** 2 + (2 * y + h - height) ** 2
