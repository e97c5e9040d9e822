/** What a session is opened with: which scene, made how, shared how. A format of its own, with a version of its own. */
import * as z from 'zod'
import { CLOCKS } from '../frame-report.ts'
import { type Immutable, ms, sha256Schema, whole } from '../numbers.ts'
import { printableText } from '../printable.ts'
import { frameSizeSchema } from '../rect-schema.ts'
import { strategyOptionsSchema } from '../strategy-options.ts'
import { cameraSchema, exposureSchema, qualitySchema } from '../view.ts'

/** Grows when a field changes its meaning or goes away. */
export const SESSION_VERSION = 1

/** Frames of a film that may be in the making at once, at most. */
export const MAX_IN_FLIGHT = 4

export const sessionOrderSchema = z.object({
  /** Of a film every frame is made, in order; of what a viewer asks for only the newest. */
  kind: z.enum(['film', 'viewer']),
  /** What people call the scene; the bytes are named by `scene`. */
  sceneName: printableText(256),
  scene: sha256Schema,
  size: frameSizeSchema,
  quality: qualitySchema,
  exposure: exposureSchema,
  /** Ranges that a pixel's samples are taken in, one pass for each. */
  passes: z.int().min(1).max(1024),
  /** Whether the frame as it is after each pass is wanted, too. */
  progressive: z.boolean(),
  /** Frames of this session that may be in the making at once. */
  inFlight: z.int().min(1).max(MAX_IN_FLIGHT),
  strategy: printableText(64),
  options: strategyOptionsSchema,
  /** Whether reports carry the fine costs of their frames, for recordings, and all spans. */
  record: z.boolean(),
  spans: z.boolean(),
  clock: z.enum(CLOCKS),
  engine: printableText(64),
  /** Areas that must hold the scene before the first frame begins, at least 1. */
  minWorkers: z.int().min(1),
  /** How long to wait for them, ms. */
  waitMs: ms,
})

/** A frame that is wanted, and from where it is seen. */
export const frameRequestSchema = z.object({ frame: whole.max(0xffffffff), camera: cameraSchema })

export type SessionOrder = Immutable<z.infer<typeof sessionOrderSchema>>
export type FrameRequest = Immutable<z.infer<typeof frameRequestSchema>>
