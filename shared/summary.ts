/**
 * `summary.json`: what a run leaves for programs to read. The schema is the contract; `SUMMARY_VERSION` grows when a
 * field changes its meaning or goes away. What it has in common with frame reports is declared here, too: a change of what
 * travels is not to change files, nor what is accepted in them.
 */
import * as z from 'zod'
import { CLOCKS } from './frame-report.ts'
import { cores, ms, ratio, sha256Schema, share, whole, work } from './numbers.ts'
import { pixelPatternSchema } from './pixel-set-schema.ts'
import { rectSchema, sizeSchema } from './rect-schema.ts'
import { sceneFactsSchema } from './scene/facts.ts'
import { SPAN_KINDS } from './span.ts'
import { qualitySchema } from './view.ts'

/** 2: a tile may be a pattern within its rectangle, and very long lists of tiles are left out. */
export const SUMMARY_VERSION = 3

/**
 * A frame's tiles are listed where there are at most so many, cells of patterns counted. Of a frame in thousands of small
 * tiles nobody reads the list, and twenty such frames of sixteen strategies would be more than programs like to open.
 */
export const MAX_LISTED_TILES = 256

const workerSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  engine: z.string(),
  threads: z.int().min(1),
  /** Relative throughput, 1 = nominal. */
  speed: z.number().nonnegative(),
  /** Cores that it was held to; absent where nothing is known to have held it. */
  cores: cores.exactOptional(),
})

/** A tile as it was really traced. */
const tileSchema = z.object({
  rect: rectSchema,
  pattern: pixelPatternSchema.exactOptional(),
  worker: z.string(),
  cpuMs: ms,
  wallMs: ms,
  work: work.exactOptional(),
})

/** Milliseconds per phase for one worker. */
const ledgerRowSchema = z.object({
  worker: z.string(),
  ...(Object.fromEntries(SPAN_KINDS.map(kind => [kind, ms])) as Record<(typeof SPAN_KINDS)[number], typeof ms>),
})

/** What a worker did of a frame: how many tiles, and their times together. */
export const loadSchema = z.object({ worker: z.string(), tiles: whole, cpuMs: ms, wallMs: ms })

/** What is kept of a frame report, where the same names mean the same, and what its tiles add up to. */
export const frameSummarySchema = z.object({
  frame: whole,
  frameMs: ms,
  wallMs: ms,
  preparationMs: ms.exactOptional(),
  statsMs: ms,
  decideMs: ms,
  criticalMs: ms,
  meanMs: ms,
  epsilonCpu: ratio,
  epsilonWall: ratio,
  messages: whole,
  bytes: whole,
  migrationShare: share,
  rescued: whole,
  stolen: whole,
  duplicated: whole,
  redundantPx: whole,
  probeMs: ms,
  decisions: z.record(z.string(), z.number()),
  predictionError: ratio.exactOptional(),
  /** Of very long films one row for the mean of all workers, and neither tiles nor loads. */
  ledger: z.array(ledgerRowSchema),
  /** Empty where there are more than `MAX_LISTED_TILES`; else they partition the frame. */
  tiles: z.array(tileSchema),
  tileCount: whole,
  /** One for each row of the ledger. */
  loads: z.array(loadSchema),
})

/**
 * Between what the true mean lies with a probability of 95 %: see `shared/metrics/bootstrap.ts`. With one round it only knows how frames
 * differ, with several also how runs do; absent where there is one frame of one run.
 */
const intervalOf = (amount: typeof ms | typeof ratio) => z.tuple([amount, amount]).exactOptional()

/** Where there are several rounds, numbers are of the frames of all rounds but for what says that it is of the first. */
export const strategySummarySchema = z.object({
  name: z.string(),
  frameMs: z.object({ mean: ms, ci95: intervalOf(ms), median: ms, p95: ms, stddev: ms, min: ms, max: ms }),
  /** The mean frame time of strategy `over`, the baseline, over this one's: above 1 is faster. Absent of the baseline. */
  speedUp: z.object({ over: z.string(), factor: ratio, ci95: intervalOf(ratio) }).exactOptional(),
  /** Of `frameMs`, what came before the first dispatch of what was planned, mean; absent where it was not told apart. */
  preparationMs: ms.exactOptional(),
  /** Of all frames together, from when the first began to when the last ended; they may overlap. */
  throughput: z.object({
    framesPerSecond: z.number().nonnegative(),
    /** CPU time of all tiles over what the cores of all workers could have given. */
    utilisation: share,
  }),
  /** `first` is the first frame's, `mean` over all frames. */
  epsilon: z.object({ clock: z.enum(CLOCKS), mean: ratio, ci95: intervalOf(ratio), first: ratio, last: ratio }),
  /** T_min / T by the CPU clock, mean over frames: 1 = perfectly balanced. */
  efficiency: share,
  /**
   * Where a frame went for the worker that traced longest, mean over frames; together the frame's wall time. Even shares do not make
   * a frame short that goes into preparation (statistics, decision), transit (orders, answers, stitching) or waiting.
   */
  slowest: z.object({ prepareMs: ms, transitMs: ms, tracingMs: ms, idleMs: ms }).exactOptional(),
  decideMs: ms,
  idleShare: share,
  /** Share of the workers' wall time that is neither tracing nor idle: stats, decide, dispatch, transmit, stitch. */
  overheadShare: share,
  messagesPerFrame: z.number().nonnegative(),
  /** In a frame, for each worker it was planned for. */
  messagesPerWorker: z.number().nonnegative(),
  bytesPerFrame: z.number().nonnegative(),
  migrationShare: share,
  tilesPerFrame: z.number().nonnegative(),
  /** How often an idle worker took work from another. */
  stolenPerFrame: z.number().nonnegative(),
  /** Pixels traced twice because of that, over all pixels. */
  redundantShare: ratio,
  /** Time that the master spent on putting a frame's tiles in place. */
  stitchMs: ms,
  /** Mean of what the strategy says that it decided, over all frames. */
  decisions: z.record(z.string(), z.number()),
  /** Mean over the frames that have one; absent where nothing fine was expected. */
  predictionError: ratio.exactOptional(),
  /** Frame times and ε of each round's frames, what intervals are made of; absent where there is one round. */
  rounds: z.array(z.object({ frameMs: z.array(ms), epsilon: z.array(ratio) })).exactOptional(),
  /** Of the first round, as are the frames. */
  frameSha256: z.array(sha256Schema),
  frames: z.array(frameSummarySchema),
})

export const summarySchema = z.object({
  version: z.literal(SUMMARY_VERSION),
  scene: sceneFactsSchema,
  size: sizeSchema,
  /** Frames rendered for each strategy, in each round. */
  frames: z.int().positive(),
  /** Rounds: how often each strategy rendered them. */
  repeats: z.int().positive().default(1),
  quality: qualitySchema,
  camera: z.string(),
  host: z.object({
    cpu: z.string(),
    cores: z.int().positive(),
    node: z.string(),
    /** Cores that others kept busy while frames were made, mean; absent where that is not known. */
    otherCores: z.number().nonnegative().exactOptional(),
  }),
  /** Why the numbers may not show what they seem to, in sentences. */
  warnings: z.array(z.string()).default([]),
  workers: z.array(workerSchema),
  /** Cores that each worker was held to, by pacing or by its container, or null where none was. */
  pacing: z.array(z.number().positive()).nullable(),
  strategies: z.array(strategySummarySchema),
})

export type Summary = z.infer<typeof summarySchema>
export type StrategySummary = z.infer<typeof strategySummarySchema>
export type FrameSummary = z.infer<typeof frameSummarySchema>
