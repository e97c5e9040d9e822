/**
 * Master and slaves: small tiles wait in one queue, and whoever is idle is given the next (Lin et al., §II.C). The queue
 * runs from the centre of the frame outwards: what people look at is there, and costs the most in most pictures, and the
 * less the last tiles cost the less there is to wait for at the end (longest first: Graham 1969). While a worker traces one
 * tile the next is on its way to it, as any implementation would have it; what it has not begun with when others run dry
 * is theirs.
 */
import { frameRect, type Size } from '../../shared/rect.ts'
import type { Strategy } from './strategy.ts'
import { smallTiles, TILE_SIDE_PX } from './tile-grid.ts'

export const demandDriven: Strategy = {
  name: 'demand-driven',
  summary: 'one queue of small tiles from the centre outwards; an idle worker takes the next one',
  advice: 'good on any scene and with workers nobody knows; costs a message both ways for every small tile',
  source: 'Lin et al., "Dynamic Load Balancing Method Based on PBT Tree", §II.C, master-slave',
  reads: ['tile', 'ahead'],
  plan: ({ size, options }) => ({
    tiles: smallTiles(frameRect(size), options.tile ?? TILE_SIDE_PX)
      .map(rect => ({ rect, distance: fromCentre(rect, size) }))
      .sort((a, b) => a.distance - b.distance)
      .map(({ rect }) => ({ rect })),
    ahead: options.ahead,
    duplicates: true,
  }),
}

/** (Twice the) distance between the centres of tile and frame, squared: whole numbers, so that ties are ties everywhere. */
const fromCentre = ({ x, y, w, h }: { x: number; y: number; w: number; h: number }, [width, height]: Size): number =>
  (2 * x + w - width) ** 2 + (2 * y + h - height) ** 2
