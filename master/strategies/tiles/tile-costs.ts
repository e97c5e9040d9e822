/** Costs of the previous frame's tiles: ms of a worker of speed 1, whichever worker traced them. */
import type { Clock } from '../../../shared/frame/frame-limits.ts'
import type { TileReport } from '../../../shared/frame/frame-report.ts'
import { contains } from '../../../shared/frame/rect.ts'
import type { PreviousFrame } from '../strategy.ts'

/** t(ℓ) of a traced tile: CPU time needs no conversion; wall time is stretched by a slow worker. */
export function nominalCost(previous: PreviousFrame, clock: Clock): (tile: TileReport) => number {
  if (clock === 'cpu') return tile => tile.cpuMs
  const speeds = new Map<string, number>(previous.workers.map(worker => [worker.id, worker.speed]))
  return tile => tile.wallMs * (speeds.get(tile.worker) ?? 1)
}

/**
 * The cost of each tile of a plan of rectangles, in its order. A rescued tile came back in pieces, from other workers
 * than planned; cost belongs to pixels, so each piece counts for the tile that contains it.
 */
export function plannedCosts(previous: PreviousFrame, clock: Clock): Float64Array {
  const { tiles } = previous.plan
  const costOf = nominalCost(previous, clock)
  const key = ({ x, y }: { x: number; y: number }) => y * 65536 + x
  const byCorner = new Map(tiles.map(({ rect }, i) => [key(rect), i]))
  const costs = new Float64Array(tiles.length)
  for (const report of previous.tiles) {
    const corner = byCorner.get(key(report.rect))
    const tile = corner ?? tiles.findIndex(({ rect }) => contains(rect, report.rect))
    if (tile >= 0) costs[tile]! += costOf(report)
  }
  return costs
}
