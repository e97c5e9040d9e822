/** How far away what a frame shows is, and what it cost, by what came with its tiles. */
import type { Size } from '../../shared/frame/rect.ts'
import type { FrameDepths } from '../../shared/session/session.ts'
import { assembleCosts } from '../costs/assemble-costs.ts'
import { type LeaseRecord, tracedTile } from './lease-record.ts'

/** Side of the cells of frames whose costs nobody wants to know, px. */
export const DEPTH_CELL = 8

/** Undefined: its tiles came without. */
export function frameDepths(records: readonly LeaseRecord[], size: Size): FrameDepths | undefined {
  const cell = records.find(({ cells }) => cells)?.cells?.cell
  if (cell === undefined) return undefined
  const { columns, rows, depths, costs } = assembleCosts(size, cell, records.map(tracedTile), () => 1)
  return { cell, columns, rows, depths, costs }
}
