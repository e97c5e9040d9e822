/**
 * `summary.json`: the machine-readable result of a run. The schema is the contract; `SUMMARY_VERSION` is incremented when a
 * field changes its meaning or is removed. Fields in common with frame reports are declared again here, so that a change of the
 * wire format changes neither the files nor what is accepted in them.
 */
import * as z from 'zod'
import { sceneFactsSchema } from '../scene/facts.ts'
import { idNamesSchema } from '../scene/id-names.ts'
import { cores, ms, ratio, sha256Schema, share, whole, work } from '../text/numbers.ts'
import { CLOCKS } from './frame-limits.ts'
import { ENDINGS, noiseReportSchema, passReportSchema, sceneChangeSchema, verificationSchema } from './frame-report.ts'
import { pixelPatternSchema } from './pixel-set-schema.ts'
import { rectSchema, regionSchema, sizeSchema } from './rect-schema.ts'
import { SPAN_KINDS } from './span-kinds.ts'
import { noiseSchema, qualitySchema } from './view.ts'

/** Since version 2 a tile may be a pattern within its rectangle, and very long lists of tiles are omitted; since 4 a frame has one time. */
export const SUMMARY_VERSION = 4

/**
 * A frame's tiles are listed if there are at most this many, counting the cells of patterns. A list of thousands of small tiles
 * is of no use to a reader, and twenty such frames of sixteen strategies would make an unwieldy file.
 */
export const MAX_LISTED_TILES = 256

const workerSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  engine: z.string(),
  threads: z.int().min(1),
  /** Relative throughput, 1 = nominal. */
  speed: z.number().nonnegative(),
  /** Cores that it was limited to; absent if no limit is known. */
  cores: cores.exactOptional(),
  /** What measures its costs where there is no CPU clock: a tab, or a device. Absent: a CPU clock. */
  clock: z.literal('wall').exactOptional(),
  /** Of an area of a worker that has several: the id of the worker's first area, and what it is if it is not the CPU. */
  workerId: z.string().min(1).exactOptional(),
  device: z.string().exactOptional(),
})

/** A tile as it was actually traced. */
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

/** A worker's part of a frame: how many tiles, and their total times. */
export const loadSchema = z.object({ worker: z.string(), tiles: whole, cpuMs: ms, wallMs: ms })

/** What is kept of a frame report, with the same meanings of the same names, and the totals of its tiles. */
export const frameSummarySchema = z.object({
  frame: whole,
  /** What traced it, where its bytes depend on that. */
  tracedBy: z.string().exactOptional(),
  frameMs: ms,
  preparationMs: ms.exactOptional(),
  statsMs: ms,
  decideMs: ms,
  /** Where one of its areas has no CPU clock: `criticalMs`, `meanMs` and `epsilonCpu` mix both clocks, and say nothing. */
  clock: z.literal('wall').exactOptional(),
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
  /** Absent if nothing in the scene moves. */
  sceneChange: sceneChangeSchema.exactOptional(),
  /** Absent for frames of a single pass. */
  passes: z.array(passReportSchema).exactOptional(),
  /** Of adaptive frames. */
  noise: noiseReportSchema.exactOptional(),
  /** Absent without a time limit. */
  endedBy: z.enum(ENDINGS).exactOptional(),
  /** Absent without `--verify`. */
  verification: verificationSchema.exactOptional(),
  /** For very long films a single row with the mean of all workers, and neither tiles nor loads. */
  ledger: z.array(ledgerRowSchema),
  /** Empty if there are more than `MAX_LISTED_TILES`; otherwise they partition the frame. */
  tiles: z.array(tileSchema),
  tileCount: whole,
  /** One for each row of the ledger. */
  loads: z.array(loadSchema),
})

/**
 * The 95 % confidence interval of the mean: see `shared/metrics/bootstrap.ts`. With one round it covers only the variation between
 * frames, with several also that between runs; absent for a single frame of a single run.
 */
const intervalOf = (amount: typeof ms | typeof ratio) => z.tuple([amount, amount]).exactOptional()

/** With several rounds, numbers cover the frames of all rounds unless noted as of the first. */
export const strategySummarySchema = z.object({
  name: z.string(),
  frameMs: z.object({ mean: ms, ci95: intervalOf(ms), median: ms, p95: ms, stddev: ms, min: ms, max: ms }),
  /** The mean frame time of the baseline, strategy `over`, divided by this one's: above 1 is faster. Absent for the baseline. */
  speedUp: z.object({ over: z.string(), factor: ratio, ci95: intervalOf(ratio) }).exactOptional(),
  /** The part of `frameMs` before the first planned dispatch, mean; absent if it was not measured separately. */
  preparationMs: ms.exactOptional(),
  /** Means over the frames; absent if nothing in the scene moves. */
  sceneChange: sceneChangeSchema.exactOptional(),
  /** Of all frames together, from the beginning of the first to the end of the last; they may overlap. */
  throughput: z.object({
    framesPerSecond: z.number().nonnegative(),
    /** CPU time of all tiles over the time that the cores of all workers could have provided. */
    utilisation: share,
  }),
  /** `first` is the first frame's, `mean` over all frames. By the wall clock where frames have no other. */
  epsilon: z.object({ clock: z.enum(CLOCKS), mean: ratio, ci95: intervalOf(ratio), first: ratio, last: ratio }),
  /** T_min / T by the CPU clock, or by the wall clock where frames have no other; mean over frames: 1 = perfectly balanced. */
  efficiency: share,
  /**
   * Where a frame went for the worker that traced longest, mean over frames; adds up to the frame's wall time. Even shares do not
   * shorten a frame dominated by preparation (statistics, decision), transit (orders, answers, stitching) or waiting.
   */
  slowest: z.object({ prepareMs: ms, transitMs: ms, tracingMs: ms, idleMs: ms }).exactOptional(),
  decideMs: ms,
  idleShare: share,
  /** Share of the workers' wall time that is neither tracing nor idle: stats, decide, dispatch, transmit, stitch. */
  overheadShare: share,
  messagesPerFrame: z.number().nonnegative(),
  /** Per frame and worker that it was planned for. */
  messagesPerWorker: z.number().nonnegative(),
  bytesPerFrame: z.number().nonnegative(),
  /** What of these went through the master above those of racks; absent without racks. */
  topMaster: z
    .object({ messagesPerFrame: z.number().nonnegative(), bytesPerFrame: z.number().nonnegative() })
    .exactOptional(),
  migrationShare: share,
  tilesPerFrame: z.number().nonnegative(),
  /** How often an idle worker took work from another. */
  stolenPerFrame: z.number().nonnegative(),
  /** Pixels traced twice because of it, over all pixels. */
  redundantShare: ratio,
  /** Time that the master spent on stitching a frame's tiles together. */
  stitchMs: ms,
  /** Mean counts of the strategy's decisions over all frames. */
  decisions: z.record(z.string(), z.number()),
  /** Mean over the frames that have one; absent without predictions per cell. */
  predictionError: ratio.exactOptional(),
  /**
   * Means over the frames that had the pass, ε by the clock of `epsilon`: the cells of an adaptive frame need different numbers of
   * samples. Absent for frames of a single pass.
   */
  passes: z
    .array(z.object({ from: whole, to: z.int().min(1), frames: whole, pixelShare: share, ms, epsilon: ratio }))
    .exactOptional(),
  /** Mean over all pixels of these frames. */
  samplesPerPixel: z.number().nonnegative().exactOptional(),
  /** Frame times and ε of each round's frames, from which intervals are computed; absent for a single round. */
  rounds: z.array(z.object({ frameMs: z.array(ms), epsilon: z.array(ratio) })).exactOptional(),
  /** Of the first round, like `frames`. */
  frameSha256: z.array(sha256Schema),
  frames: z.array(frameSummarySchema),
})

/** What an accelerator did in a film. */
export const deviceUseSchema = z.object({
  /** Of its area: `worker-1.simulated:4`. */
  name: z.string(),
  device: z.string(),
  /** For which it was there, or withdrawn. */
  frames: whole,
  /** In which it traced something. */
  tracedFrames: whole,
  /** At whose end its worker had withdrawn it. */
  withdrawnFrames: whole,
  /** Why it was withdrawn, most recently, or is not there. */
  reason: z.string().exactOptional(),
})

export const summarySchema = z.object({
  version: z.literal(SUMMARY_VERSION),
  scene: sceneFactsSchema,
  /** Of pictures, px. */
  size: sizeSchema,
  /** The part of each frame that they are, in a frame of size `of`; absent for all of it. */
  region: regionSchema.exactOptional(),
  /** Frames rendered for each strategy, in each round. */
  frames: z.int().positive(),
  /** Rounds: how often each strategy rendered them. */
  repeats: z.int().positive().default(1),
  /** With `noise` its samples are the most that a pixel got. */
  quality: qualitySchema,
  /** Of adaptive frames: the most standard error of a cell, as a share of its light. */
  noise: noiseSchema.exactOptional(),
  /** The most time of a frame; absent without a limit. */
  timeMs: ms.exactOptional(),
  /** What removed noise from frames, if anything did. */
  denoise: z.enum(['on', 'oidn']).exactOptional(),
  /** Frames that went on where an earlier run had kept them, and samples per pixel that they had; absent if there are none. */
  wentOn: z.array(z.object({ frame: whole, samples: z.number().nonnegative() })).exactOptional(),
  /** What ids in its pictures stand for, if it has any. */
  names: idNamesSchema.exactOptional(),
  /** What traced its frames, of all of them together, where their bytes depend on that; absent if they are those of every machine. */
  tracedBy: z.array(z.string()).min(1).exactOptional(),
  camera: z.string(),
  host: z.object({
    cpu: z.string(),
    cores: z.int().positive(),
    node: z.string(),
    /** Mean number of cores that other processes kept busy while frames were rendered; absent if unknown. */
    otherCores: z.number().nonnegative().exactOptional(),
  }),
  /** Sentences that explain why the numbers may be misleading. */
  warnings: z.array(z.string()).default([]),
  workers: z.array(workerSchema),
  /** Cores that each worker was limited to, by pacing or by its container; null if none was. */
  pacing: z.array(z.number().positive()).nullable(),
  /** The rule by which the areas of workers that have several shared their work; absent if none had. */
  within: z.string().exactOptional(),
  /** Accelerators that traced nothing, or were withdrawn for a time; absent if there are none. */
  idleDevices: z.array(deviceUseSchema).exactOptional(),
  strategies: z.array(strategySummarySchema),
})

export type Summary = z.infer<typeof summarySchema>
export type StrategySummary = z.infer<typeof strategySummarySchema>
export type DeviceUse = z.infer<typeof deviceUseSchema>
export type FrameSummary = z.infer<typeof frameSummarySchema>
