/** Names and bounds of strategies' options. Without a parser: all commands know them. */

/** The units that scatter assigns round-robin. */
export const SCATTER_UNITS = ['tile', 'row', 'pixel'] as const

/** How the costs of the next frame are predicted; see `master/costs/predictors`. */
export const PREDICTOR_NAMES = ['last', 'median', 'trend', 'reprojected', 'adaptive-blend'] as const

/** How the areas of a worker share what it is given; see `master/strategies/within`. */
export const WITHIN_NAMES = ['proportional', 'cpu-load', 'weight-mix', 'fixed', 'flat'] as const
/** Areas are workers of their own. */
export const FLAT = 'flat'

/** Sides of the cells that costs are measured for, px; 0: none. */
export const CELLS = [0, 4, 8, 16, 32] as const

/** The largest side of small tiles, px. */
export const MAX_TILE_PX = 4096

export const RANGES = {
  tile: { least: 1, most: MAX_TILE_PX },
  ahead: { least: 0, most: 8 },
  seed: { least: 0, most: 0xffffffff },
  boundary: { least: 1, most: 1024 },
  resistance: { least: 0, most: 4096 },
  withinEvery: { least: 1, most: 1000 },
} as const

/** What strategies do unless they are told otherwise: as published. */
export const USUAL = {
  ahead: 1,
  scatter: 'tile',
  seed: 1,
  damping: 0,
  boundary: 1,
  resistance: 0,
  predictor: 'adaptive-blend',
  within: 'proportional',
  withinEvery: 1,
  cell: 8,
} as const
