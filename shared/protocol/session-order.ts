/** The order that opens a session: which scene, how to render it, how to balance it. A separate format with its own version. */
import * as z from 'zod'
import { planeNames } from '../frame-planes.ts'
import { CLOCKS } from '../frame-report.ts'
import { type Immutable, ms, sha256Schema, whole } from '../numbers.ts'
import { printableText } from '../printable.ts'
import { frameSizeSchema } from '../rect-schema.ts'
import { strategyOptionsSchema } from '../strategy-options.ts'
import { cameraSchema, exposureSchema, qualitySchema, toneMappingSchema } from '../view.ts'

/** Incremented when a field changes its meaning or is removed. */
export const SESSION_VERSION = 1

/** The most frames of a film that may be in progress at once. */
export const MAX_IN_FLIGHT = 4

export const sessionOrderSchema = z.object({
  /** A film renders every frame, in order; a viewer only the newest that was requested. */
  kind: z.enum(['film', 'viewer']),
  /** The scene's name for people; `scene` identifies its bytes. */
  sceneName: printableText(256),
  scene: sha256Schema,
  size: frameSizeSchema,
  quality: qualitySchema,
  exposure: exposureSchema,
  toneMapping: toneMappingSchema.exactOptional(),
  /** Whether frames have no background: pixels are as opaque as the share of them that the scene covers. */
  transparent: z.literal(true).exactOptional(),
  /** Channels to deliver with each frame, beside its finished colour. */
  channels: z.array(z.enum(planeNames)).max(planeNames.length).exactOptional(),
  /** Number of passes that a pixel's samples are divided into. */
  passes: z.int().min(1).max(1024),
  /** Whether to send a preview of the frame after each pass, too. */
  progressive: z.boolean(),
  /** How many frames of this session may be in progress at once. */
  inFlight: z.int().min(1).max(MAX_IN_FLIGHT),
  strategy: printableText(64),
  options: strategyOptionsSchema,
  /** Whether reports include the costs per cell of their frames, for recordings, and all spans. */
  record: z.boolean(),
  spans: z.boolean(),
  clock: z.enum(CLOCKS),
  engine: printableText(64),
  /** Areas that must hold the scene before the first frame begins, at least 1. */
  minWorkers: z.int().min(1),
  /** How long to wait for them, ms. */
  waitMs: ms,
})

/** A requested frame and its camera. */
export const frameRequestSchema = z.object({ frame: whole.max(0xffffffff), camera: cameraSchema })

export type SessionOrder = Immutable<z.infer<typeof sessionOrderSchema>>
export type FrameRequest = Immutable<z.infer<typeof frameRequestSchema>>
