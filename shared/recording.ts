/**
 * A recording: what a balancer saw of a run, so that any strategy can be tried on it without a cluster. A text file, one
 * JSON document a line: a header, then a line for every frame of every strategy, then a line that says how many those were, so
 * that a file which was cut off is not taken for a whole one.
 */
import { z } from 'zod'
import { CLOCKS } from './frame-report.ts'
import {
  cameraSchema,
  frameReportSchema,
  qualitySchema,
  sceneHashSchema,
  sizeSchema,
  workerInfoSchema,
} from './protocol/schemas.ts'
import { strategyOptionsSchema } from './strategy-options.ts'

/** Grows when a line changes its meaning. */
export const RECORDING_VERSION = 1

/** First line, of any version. */
export const anyRecordingSchema = z.object({ format: z.literal('sortfirst-recording'), version: z.int() })

export const recordingHeaderSchema = anyRecordingSchema.extend({
  version: z.literal(RECORDING_VERSION),
  scene: z.object({ name: z.string(), triangles: z.int().positive(), sha256: sceneHashSchema }),
  size: sizeSchema,
  quality: qualitySchema,
  /** Camera path. */
  camera: z.string(),
  host: z.object({ cpu: z.string(), cores: z.int().positive(), node: z.string() }),
  /** Those that the first frame was planned for; none where costs were traced without a cluster. */
  workers: z.array(workerInfoSchema),
  clock: z.enum(CLOCKS),
  options: strategyOptionsSchema,
})

/** How a live frame went; all but `oneWayMs` means the same as in a frame report. */
const liveFrameSchema = frameReportSchema
  .pick({
    tiles: true,
    frameMs: true,
    wallMs: true,
    statsMs: true,
    decideMs: true,
    criticalMs: true,
    meanMs: true,
    epsilonCpu: true,
    epsilonWall: true,
    messages: true,
    bytes: true,
    migrationShare: true,
    rescued: true,
    stolen: true,
    repeatedPx: true,
    probeMs: true,
  })
  .extend({
    /** From the last pixel traced until its answer had come, mean over the tiles: packing, the wire, whoever was in the way. */
    oneWayMs: z.number().nonnegative(),
  })

export const recordedFrameSchema = z.object({
  frame: z.int().nonnegative(),
  /** Who shared it; `TRACED` where nobody did. */
  strategy: z.string(),
  camera: cameraSchema,
  /** Costs and depths per cell: `master/costs/recorded-costs.ts`. */
  costs: frameReportSchema.shape.recorded.unwrap(),
  /** Absent where there was no cluster. */
  live: liveFrameSchema.exactOptional(),
})

/** Last line. */
export const recordingEndSchema = z.object({ end: z.literal(true), frames: z.int().nonnegative() })

/** In the place of a strategy: costs that were traced without a cluster. */
export const TRACED = 'traced'

export type RecordingHeader = z.infer<typeof recordingHeaderSchema>
export type RecordedFrame = z.infer<typeof recordedFrameSchema>
export type LiveFrame = z.infer<typeof liveFrameSchema>
