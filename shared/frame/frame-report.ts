/**
 * Everything known about a completed frame: the input of balancers, tables, charts and files. A report travels from the master
 * to its client together with the frame's pixels.
 */
import * as z from 'zod'
import { cores, type Immutable, ms, ratio, sha256Schema, share, whole, work } from '../text/numbers.ts'
import { printableText } from '../text/printable-schema.ts'
import { EVENT_KINDS } from './event-kinds.ts'
import { MAX_SAMPLES } from './frame-limits.ts'
import { pixelPatternSchema } from './pixel-set-schema.ts'
import { rectSchema, sizeSchema } from './rect-schema.ts'
import { spanSchema } from './span.ts'
import { SPAN_KINDS } from './span-kinds.ts'
import { noiseSchema } from './view.ts'

/** The granularity at which an area is best given work. */
export const grainSchema = z.object({
  /** Rows that it traces together: a tile that is shortened is best cut at a multiple of them. */
  rows: z.int().min(1).max(1024),
  /** Rays per batch towards the end of a tile. Absent: the rays of `rows` rows. */
  rays: z
    .int()
    .min(1)
    .max(2 ** 24)
    .exactOptional(),
})

/** The most characters of an area's name. */
export const MAX_AREA_NAME = 160

/** The most characters of what traced a frame. */
export const MAX_TRACED_BY = 200

/** An area: one device of a worker, as balancers and reports see it. */
export const workerInfoSchema = z.object({
  /** Unique in the cluster for as long as it runs. */
  id: z.string().min(1).max(64),
  name: printableText(MAX_AREA_NAME),
  engine: z.string().max(64),
  threads: z.int().min(1).max(1024),
  /** Relative throughput, 1 = nominal. */
  speed: z.union([z.literal(0), z.number().min(1e-3).max(1.1e9)]),
  /** Cores that it is limited to, by pacing or by its container; absent if no limit is known. */
  cores: cores.exactOptional(),
  grain: grainSchema.exactOptional(),
  /** What measures its costs where there is no CPU clock: a tab, or a device. Absent: a CPU clock. */
  clock: z.literal('wall').exactOptional(),
  /** Of an area of a worker that has several: the id of the worker's first area. */
  workerId: z.string().min(1).max(64).exactOptional(),
  /** What the area is if it is not the worker's CPU: `simulated:4`. */
  device: printableText(64).exactOptional(),
})

/** A tile as it was actually traced: a planned tile, or a piece of one that was rescued, stolen, or sent in parts. */
export const tileReportSchema = z.object({
  /** Contains all of its pixels. */
  rect: rectSchema,
  /** Absent: all pixels of the rectangle. */
  pattern: pixelPatternSchema.exactOptional(),
  worker: z.string(),
  /** CPU time of all threads together, ms. */
  cpuMs: ms,
  /** Wall time from the first ray to the last pixel, on the worker's clock, pacing included, ms. */
  wallMs: ms,
  /** Work counted by the engine, in its own unit; independent of the machine. Absent unless requested. */
  work: work.exactOptional(),
  /**
   * What `cpuMs` should have been by the costs predicted for the frame, which are scaled so that all of its tiles together took what they
   * did: where the sums differ, nobody's share does. Absent without predictions per cell.
   */
  expectedMs: ms.exactOptional(),
})

/** The most that are reported of a frame: the last ones, which decide when it ends. */
export const MOST_STEALS = 256

/** An idle area took rows, or a whole tile, from another. */
export const stealSchema = z.object({
  /** On the master's clock, ms. */
  at: z.number(),
  from: z.string(),
  to: z.string(),
  rect: rectSchema,
})

/** Milliseconds per phase for one worker; they add up to the frame's wall time. */
const ledgerRowSchema = z.object({
  worker: z.string(),
  ...(Object.fromEntries(SPAN_KINDS.map(kind => [kind, ms])) as Record<(typeof SPAN_KINDS)[number], typeof ms>),
})

/** The cost map of a frame as text: arrays in base64, little-endian, row-major over cells. */
export const recordedCostsSchema = z.object({
  /** Side of a cell, px. */
  cell: z.int().min(1).max(1024),
  /** Float32 per cell: cost in ms on a worker of speed 1. */
  costs: z.string(),
  /** Float32 per cell: camera depth at its centre, Infinity for the background, NaN where unknown. */
  depths: z.string(),
  /** Float64 per number of every body (`scene/bodies.ts`), if something moves. */
  bodies: z.string().exactOptional(),
})

/** An area that its worker has withdrawn, because its device failed. */
export const withdrawnSchema = z.object({
  id: z.string().min(1).max(64),
  name: printableText(160),
  device: printableText(64).exactOptional(),
  reason: printableText(2000),
})

/** One pass of a frame, as if it were a frame: it takes as long as its slowest worker. */
export const passReportSchema = z.object({
  /** Its samples, numbered from 0: the first, and one past the last. */
  from: whole,
  to: z.int().min(1),
  /** Pixels that it took them of: all, or those of the cells that needed more. */
  pixels: whole,
  /** From the end of the pass before, or the beginning of the frame, to its last pixel in place, ms wall. */
  ms,
  /** T, T_min and ε of its tiles, as of the whole frame. */
  criticalMs: ms,
  meanMs: ms,
  epsilonCpu: ratio,
  epsilonWall: ratio,
})

/** How far an adaptive frame is from the noise that it was to have. Its cells' noise is their standard error, as a share of their light. */
export const noiseReportSchema = z.object({
  /** The most noise that a cell was to have. */
  limit: noiseSchema,
  /** Whether it is the noise that denoising leaves, where a cell has more before that. */
  denoised: z.literal(true).exactOptional(),
  /** Of the pixels, in cells that are noisier: 0 if the limit is met. Their samples were used up. */
  share,
  /** The noise of the noisiest of these cells. Absent without any, and where time was up before there was anything to compare. */
  most: ratio.exactOptional(),
  /** Samples of a pixel with which it would have met the limit, as far as can be told: a power of two. Absent if there may not be so many. */
  samples: z.int().min(1).max(MAX_SAMPLES).exactOptional(),
})

/** Why a frame that has only so much time got no more samples: all were traced, its noise was low enough, or its time was up. */
export const ENDINGS = ['samples', 'noise', 'time'] as const
export type EndedBy = (typeof ENDINGS)[number]

/** What it takes that a frame has a scene of its own, of a film in which something moves. */
export const sceneChangeSchema = z.object({
  /** Of parts of its scene that a worker did not have, mean over the workers. */
  bytesPerWorker: z.number().nonnegative(),
  /** Packing and building it, of all threads of a worker together, wall time: mean over the workers, and the slowest one. */
  buildMs: ms,
  slowestBuildMs: ms,
  /** How long the frame, when its turn had come, waited for workers to have its scene; 0 if they had it in time. */
  waitMs: ms,
})

/** What was found by tracing rows of a frame again on other workers, and what that took. */
export const verificationSchema = z.object({
  /** Rows of tiles that were compared. */
  rows: whole,
  /** How often two workers returned different pixels. */
  mismatches: whole,
  /** Rows that were to be compared, but only with an engine of other arithmetic. */
  unchecked: whole.exactOptional(),
  /** CPU time of tracing them again, and its share of that of the whole frame. */
  cpuMs: ms,
  cpuShare: share,
  /** How long the complete frame waited for its checks, ms. */
  waitMs: ms,
  /** How often the frame was made again because a worker was expelled. */
  repeats: whole,
  /** Pixels of the frame that were traced again because a worker was expelled; absent if none. */
  retracedPx: whole.exactOptional(),
})

/** In place of a hash. */
export const NO_HASH = '0'.repeat(64)

/** The most that are reported of a frame: the last ones. */
export const MOST_EVENTS = 64

/** Something that happened since the frame before was delivered. */
export const frameEventSchema = z.object({
  /** On the master's clock, ms. */
  at: z.number(),
  kind: z.enum(EVENT_KINDS),
  text: printableText(160),
})

export const frameReportSchema = z.object({
  frame: whole,
  strategy: z.string(),
  size: sizeSchema,
  /** All areas that the plan was made for. */
  workers: z.array(workerInfoSchema),
  /** Partition the frame, or the pixels of each of its passes, one after the other. */
  tiles: z.array(tileReportSchema),
  /** What traced them, where the frame's bytes depend on that (`traced-by.ts`); absent if they are those of every machine. */
  tracedBy: printableText(MAX_TRACED_BY).exactOptional(),
  /**
   * From the moment the frame's camera and the previous frame's reports were available to its last pixel, including statistics,
   * probe and decision, ms wall; the ledger adds up to it.
   */
  frameMs: ms,
  /** The part of it before the first planned dispatch: statistics, probe and decision, ms wall. */
  preparationMs: ms.exactOptional(),
  /** Absent if nothing in the scene moves. */
  sceneChange: sceneChangeSchema.exactOptional(),
  /** When it began and ended on the master's clock, ms; frames of a film overlap. */
  beganAt: z.number().exactOptional(),
  endedAt: z.number().exactOptional(),
  statsMs: ms,
  decideMs: ms,
  /** T (Eq. 1) and T_min (Eq. 2) by the CPU clock, ms: what the same number of dedicated machines would take, without network. */
  criticalMs: ms,
  meanMs: ms,
  /** ε (Eq. 3) by both clocks. */
  epsilonCpu: ratio,
  epsilonWall: ratio,
  /** One row per worker. */
  ledger: z.array(ledgerRowSchema),
  /** WebSocket messages both ways, and their bytes, from the first dispatch to the last pixel. */
  messages: whole,
  bytes: whole,
  /** Share of pixels whose owner differs from the previous frame's, 0 to 1; 0 in the first frame. */
  migrationShare: share,
  /** Tiles that had to be traced again because their worker was lost, was late, or failed. */
  rescued: whole,
  /** How often an idle worker took work from another. */
  stolen: whole,
  /** Each time, in order; of very many only the last ones. Absent if none. */
  steals: z.array(stealSchema).max(MOST_STEALS).exactOptional(),
  /** What happened since the frame before it, in order; of very much only the last. Absent if nothing. */
  events: z.array(frameEventSchema).max(MOST_EVENTS).exactOptional(),
  /** How often rows of a late tile were also given to a second worker. */
  duplicated: whole,
  /** Pixels that were traced twice because of either, with one result discarded. */
  redundantPx: whole,
  /** First dispatch to the last pixel of the probe, ms; part of `frameMs`; 0 without a probe. */
  probeMs: ms,
  /** Counts of the strategy's decisions, under names of its choosing. */
  decisions: z.record(z.string(), z.number()),
  /** Present if there are several, or could have been more: of adaptive frames, and with a time limit. */
  passes: z.array(passReportSchema).exactOptional(),
  /** Of adaptive frames. */
  noise: noiseReportSchema.exactOptional(),
  /** Present with a time limit. */
  endedBy: z.enum(ENDINGS).exactOptional(),
  /** Σ|expected − measured| / Σ measured over all cells, costs scaled to equal sums; absent without predictions per cell. */
  predictionError: ratio.exactOptional(),
  /** Costs per cell of the whole frame, if they were to be recorded. */
  recorded: recordedCostsSchema.exactOptional(),
  /** Areas that their workers had withdrawn when the frame was complete; absent if none. */
  withdrawn: z.array(withdrawnSchema).exactOptional(),
  /** Present if rows of it were traced twice and compared. */
  verification: verificationSchema.exactOptional(),
  spans: z.array(spanSchema),
  /** SHA-256 of the RGB8 pixels, hex; `NO_HASH` of a frame that has none, or is not worth it. */
  sha256: sha256Schema,
})

export type WorkerInfo = Immutable<z.infer<typeof workerInfoSchema>>
export type WithdrawnArea = Immutable<z.infer<typeof withdrawnSchema>>
export type TileReport = Immutable<z.infer<typeof tileReportSchema>>
export type FrameEvent = Immutable<z.infer<typeof frameEventSchema>>
export type StealReport = Immutable<z.infer<typeof stealSchema>>
export type PassReport = Immutable<z.infer<typeof passReportSchema>>
export type NoiseReport = Immutable<z.infer<typeof noiseReportSchema>>
export type SceneChange = Immutable<z.infer<typeof sceneChangeSchema>>
export type RecordedCosts = Immutable<z.infer<typeof recordedCostsSchema>>
export type FrameReport = Immutable<z.infer<typeof frameReportSchema>>
