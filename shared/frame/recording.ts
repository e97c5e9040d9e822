/**
 * A recording: what a balancer saw of a run, so that any strategy can be tried on it without a cluster. A text file, one
 * JSON document a line: a header, then a line for every frame of every strategy, then a line with their number, so that a
 * truncated file is not mistaken for a complete one. As in `summary.ts`, nothing is taken from the schema of frame reports: files
 * stay readable when the wire format changes.
 */
import * as z from 'zod'
import { sceneFactsSchema } from '../scene/facts.ts'
import { strategyOptionsSchema } from '../session/strategy-options.ts'
import { cores, type Immutable, ms, ratio, share, whole, work } from '../text/numbers.ts'
import { hostLoadSchema } from '../time/host-load.ts'
import { CLOCKS } from './frame-limits.ts'
import { pixelPatternSchema } from './pixel-set-schema.ts'
import { rectSchema, sizeSchema } from './rect-schema.ts'
import { cameraSchema, qualitySchema } from './view.ts'

/** Incremented when a line changes its meaning. */
export const RECORDING_VERSION = 2

/** The first line in every version. */
export const anyRecordingSchema = z.object({ format: z.literal('sortfirst-recording'), version: z.int() })

export const recordingHeaderSchema = anyRecordingSchema.extend({
  version: z.literal(RECORDING_VERSION),
  scene: sceneFactsSchema,
  size: sizeSchema,
  quality: qualitySchema,
  /** Camera path. */
  camera: z.string(),
  host: z.object({ cpu: z.string(), cores: z.int().positive(), node: z.string() }),
  /** The workers that the first frame was planned for; none if costs were traced without a cluster. */
  workers: z.array(
    z.object({
      id: z.string().min(1),
      name: z.string(),
      engine: z.string(),
      threads: z.int().min(1),
      speed: z.number().nonnegative(),
      cores: cores.exactOptional(),
    }),
  ),
  clock: z.enum(CLOCKS),
  options: strategyOptionsSchema,
})

/** Measurements of a live frame; all but `clock` and `oneWayMs` as in a frame report. */
const liveFrameSchema = z.object({
  tiles: z.array(
    z.object({
      rect: rectSchema,
      pattern: pixelPatternSchema.exactOptional(),
      worker: z.string(),
      cpuMs: ms,
      wallMs: ms,
      work: work.exactOptional(),
    }),
  ),
  frameMs: ms,
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
  duplicated: whole.exactOptional(),
  redundantPx: whole,
  probeMs: ms,
  /** What measures ε where not all that traced it has a CPU clock. Absent: what the header says. */
  clock: z.literal('wall').exactOptional(),
  /** From a tile's last traced pixel to the arrival of its answer, mean over the tiles: packing, network, contention. */
  oneWayMs: ms,
})

export const recordedFrameSchema = z.object({
  frame: whole,
  /** The strategy that balanced it; `TRACED` if there was none. */
  strategy: z.string(),
  camera: cameraSchema,
  /** Costs and depths per cell: arrays in base64, little-endian, row-major over cells of `cell` px; and where things were. */
  costs: z.object({
    cell: z.int().min(1).max(1024),
    costs: z.string(),
    depths: z.string(),
    bodies: z.string().exactOptional(),
  }),
  /** Absent if there was no cluster. */
  live: liveFrameSchema.exactOptional(),
})

/** Last line. */
export const recordingEndSchema = z.object({
  end: z.literal(true),
  frames: whole,
  /** The host's other load while the frames of each strategy were rendered; no entry for strategies where it is unknown. */
  loads: z.array(hostLoadSchema.extend({ strategy: z.string() })).exactOptional(),
})

/** Takes the place of a strategy's name for costs that were traced without a cluster. */
export const TRACED = 'traced'

export type RecordingHeader = Immutable<z.infer<typeof recordingHeaderSchema>>
export type RecordedFrame = Immutable<z.infer<typeof recordedFrameSchema>>
export type LiveFrame = Immutable<z.infer<typeof liveFrameSchema>>
