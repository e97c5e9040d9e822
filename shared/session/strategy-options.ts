/** Options of strategies. Each reads those that concern it; defaults are those of the publications. */
import * as z from 'zod'
import { share } from '../text/numbers.ts'

/** The units that scatter assigns round-robin. */
export const SCATTER_UNITS = ['tile', 'row', 'pixel'] as const

/** How the costs of the next frame are predicted; see `master/costs/predictors`. */
export const PREDICTOR_NAMES = ['last', 'median', 'trend', 'reprojected', 'adaptive-blend'] as const

/** How the areas of a worker share what it is given; see `master/strategies/within`. */
export const WITHIN_NAMES = ['proportional', 'cpu-load', 'weight-mix', 'fixed', 'flat'] as const
/** Areas are workers of their own. */
export const FLAT = 'flat'

/** The largest side of small tiles, px. */
export const MAX_TILE_PX = 4096

export const strategyOptionsSchema = z.object({
  /** Side of small tiles (objects), px. Absent: the strategy's default, usually 32. */
  tile: z.int().min(1).max(MAX_TILE_PX).exactOptional(),
  /** How many tiles a worker may prefetch while it traces one. */
  ahead: z.int().min(0).max(8).default(1),
  scatter: z.enum(SCATTER_UNITS).default('tile'),
  /** Random seed. */
  seed: z.int().min(0).max(0xffffffff).default(1),
  /** Weight of the last split in a new one, 0 to below 1. */
  damping: z.number().min(0).lt(1).default(0),
  /** Splits lie on multiples of this, px. */
  boundary: z.int().min(1).max(1024).default(1),
  /** A split that would move by less than this stays in place, px. */
  resistance: z.int().min(0).max(4096).default(0),
  /** One of `PREDICTOR_NAMES`, or one registered in the master's process. */
  predictor: z.string().min(1).max(64).default('adaptive-blend'),
  /** Whether `predictive` probes one pixel in each cell before the first frame and after a camera cut. */
  probe: z.boolean().default(true),
  /** Whether an idle worker of `predictive` steals rows from other workers. */
  rowStealing: z.boolean().default(true),
  /** Whether `predictive` learns the speeds of workers in addition to their declared ones. */
  learnSpeeds: z.boolean().default(true),
  within: z.enum(WITHIN_NAMES).default('proportional'),
  /** Frames between two adjustments of the shares within a worker. */
  withinEvery: z.int().min(1).max(1000).default(1),
  /** Share of a worker's accelerators before anything was measured, and with `fixed` always. Absent: by declared speeds. */
  withinStart: share.exactOptional(),
  /** Side of the cells for which costs are reported, px, doubled while a frame has more than 131,072; 0: only one cost per tile. */
  cell: z.union([z.literal(0), z.literal(4), z.literal(8), z.literal(16), z.literal(32)]).default(8),
})

export type StrategyOptions = z.infer<typeof strategyOptionsSchema>

export const DEFAULT_STRATEGY_OPTIONS: StrategyOptions = Object.freeze(strategyOptionsSchema.parse({}))
