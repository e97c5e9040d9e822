/** What can be said to a strategy. Each reads what concerns it; defaults are those of the publications. */
import * as z from 'zod'

/** What scatter deals out in turn. */
export const SCATTER_UNITS = ['tile', 'row', 'pixel'] as const

/** How the costs of the next frame are predicted; see `master/costs/predictors`. */
export const PREDICTOR_NAMES = ['last', 'median', 'trend', 'reprojected', 'adaptive-blend'] as const

export const strategyOptionsSchema = z.object({
  /** Side of small tiles (objects), px. Absent: the strategy's own, 32 unless it says otherwise. */
  tile: z.int().min(1).max(4096).exactOptional(),
  /** Tiles that a worker may hold besides the one that it traces. */
  ahead: z.int().min(0).max(8).default(1),
  scatter: z.enum(SCATTER_UNITS).default('tile'),
  /** Random seed. */
  seed: z.int().min(0).max(0xffffffff).default(1),
  /** Share of the last split that a new split keeps, 0 to below 1. */
  damping: z.number().min(0).lt(1).default(0),
  /** Splits fall on multiples of this, px. */
  boundary: z.int().min(1).max(1024).default(1),
  /** A split that would move by less than this stays, px. */
  resistance: z.int().min(0).max(4096).default(0),
  /** One of these, or one that is known to the master's process. */
  predictor: z.string().min(1).max(64).default('adaptive-blend'),
  /** Whether `predictive` looks at one pixel in each cell before the first frame and after a cut. */
  probe: z.boolean().default(true),
  /** Whether a worker of `predictive` that runs dry takes rows of others. */
  rowStealing: z.boolean().default(true),
  /** Whether `predictive` learns how fast workers are, beside what they declare. */
  learnSpeeds: z.boolean().default(true),
  /** Side of the cells that costs come back for, px; 0: one cost per tile only. */
  cell: z.union([z.literal(0), z.literal(4), z.literal(8), z.literal(16), z.literal(32)]).default(8),
})

export type StrategyOptions = z.infer<typeof strategyOptionsSchema>

export const DEFAULT_STRATEGY_OPTIONS: StrategyOptions = Object.freeze(strategyOptionsSchema.parse({}))
