import type { AreaShare } from '../strategies/strategy.ts'

/** Rows that an area starts at once if it does not declare a grain. */
const BATCH_ROWS = 8

/** Rows of a tile of this width that an area starts at once. */
export const batchRows = (grain: AreaShare['grain'], width: number): number =>
  grain?.pixels === undefined ? (grain?.rows ?? BATCH_ROWS) : Math.max(1, Math.round(grain.pixels / width))
