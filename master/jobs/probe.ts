/**
 * The probe: one pixel of each cell, traced before the frame is cut, tells where the work is. Its pixels are the frame's
 * own and are not traced again.
 */
import { type Lattice, type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import type { Rect } from '../../shared/rect.ts'
import { type AreaShare, type Plan, type PlannedTile, workingShares } from '../strategies/strategy.ts'

/** The pixel of each cell that is looked at: the one at its centre. */
export const latticeOf = (cell: number): Lattice => ({ stepX: cell, stepY: cell, dx: cell >> 1, dy: cell >> 1 })

/** Sets of rows of cells that are dealt out, at most: beyond it, very slow workers are given more than their part. */
const MOST_DEALS = 64

/**
 * Deals the rows of cells of a frame out in turn, in proportion to the workers' speeds: every worker sees some of every
 * part of the picture, so that the probe is balanced without knowing anything.
 */
export function probePlan(rect: Rect, workers: readonly AreaShare[], cell: number): Plan {
  const able = workingShares(workers)
  const slowest = Math.min(...able.map(worker => worker.speed))
  const rows = Math.ceil(rect.h / cell)
  const wanted = able.reduce((sum, { speed }) => sum + Math.max(1, Math.round(speed / slowest)), 0)
  const deals = Math.min(rows, Math.max(able.length, Math.min(MOST_DEALS, wanted)))
  const owners = dealOut(able, deals)
  const { stepX, stepY, dx, dy } = latticeOf(cell)
  const tiles = owners.map((owner, deal): PlannedTile => {
    const pattern = { kind: 'lattice', stepX, stepY: stepY * deals, dx, dy: dy + deal * stepY } as const
    return { rect, pattern, worker: owner.id }
  })
  return { tiles: tiles.filter(tile => pixelCount(tile) > 0) }
}

/** `count` owners in an order that spreads each worker's evenly, as many for each as its speed's share. */
function dealOut(workers: readonly AreaShare[], count: number): AreaShare[] {
  const total = workers.reduce((sum, { speed }) => sum + speed, 0)
  const given = workers.map(() => 0)
  return Array.from({ length: count }, (_, deal) => {
    // Whoever is furthest behind its share of what has been dealt out.
    let next = 0
    let most = Number.NEGATIVE_INFINITY
    for (const [i, { speed }] of workers.entries()) {
      const behind = ((deal + 1) * speed) / total - given[i]!
      if (behind > most) [most, next] = [behind, i]
    }
    given[next]!++
    return workers[next]!
  })
}

/** The tiles of a plan without the pixels that a probe has brought already. */
export const withoutLattice = (tiles: readonly PlannedTile[], lattice: Lattice): PlannedTile[] =>
  tiles.map(tile => ({ ...tile, pattern: { kind: 'gaps' as const, ...lattice } })).filter(hasPixels)

const hasPixels = (set: PixelSet): boolean => pixelCount(set) > 0
