/** Options of strategies. Each reads those that concern it; defaults are those of the publications. */
import * as z from 'zod'
import { share } from '../text/numbers.ts'
import { CELLS, RANGES, SCATTER_UNITS, USUAL, WITHIN_NAMES } from './strategy-words.ts'

const wholeIn = ({ least, most }: { readonly least: number; readonly most: number }) => z.int().min(least).max(most)

export const strategyOptionsSchema = z.object({
  /** Side of small tiles (objects), px. Absent: the strategy's default, usually 32. */
  tile: wholeIn(RANGES.tile).exactOptional(),
  /** How many tiles a worker may prefetch while it traces one. */
  ahead: wholeIn(RANGES.ahead).default(USUAL.ahead),
  scatter: z.enum(SCATTER_UNITS).default(USUAL.scatter),
  /** Random seed. */
  seed: wholeIn(RANGES.seed).default(USUAL.seed),
  /** Weight of the last split in a new one, 0 to below 1. */
  damping: z.number().min(0).lt(1).default(USUAL.damping),
  /** Splits lie on multiples of this, px. */
  boundary: wholeIn(RANGES.boundary).default(USUAL.boundary),
  /** A split that would move by less than this stays in place, px. */
  resistance: wholeIn(RANGES.resistance).default(USUAL.resistance),
  /** One of `PREDICTOR_NAMES`, or the name of one that a client in the master's process brings. */
  predictor: z.string().min(1).max(64).default(USUAL.predictor),
  /** Whether `predictive` probes one pixel in each cell before the first frame and after a camera cut. */
  probe: z.boolean().default(true),
  /** Whether an idle worker of `predictive` steals rows from other workers. */
  rowStealing: z.boolean().default(true),
  /** Whether `predictive` learns the speeds of workers in addition to their declared ones. */
  learnSpeeds: z.boolean().default(true),
  within: z.enum(WITHIN_NAMES).default(USUAL.within),
  /** Frames between two adjustments of the shares within a worker. */
  withinEvery: wholeIn(RANGES.withinEvery).default(USUAL.withinEvery),
  /** Share of a worker's accelerators before anything was measured, and with `fixed` always. Absent: by declared speeds. */
  withinStart: share.exactOptional(),
  /** Side of the cells for which costs are reported, px, doubled while a frame has more than 131,072; 0: only one cost per tile. */
  cell: z.literal(CELLS).default(USUAL.cell),
})

export type StrategyOptions = z.infer<typeof strategyOptionsSchema>

export const DEFAULT_STRATEGY_OPTIONS: StrategyOptions = Object.freeze(strategyOptionsSchema.parse({}))
