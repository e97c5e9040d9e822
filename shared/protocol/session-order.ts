/** The order that opens a session: which scene, how to render it, how to balance it. A separate format with its own version. */
import * as z from 'zod'
import {
  CLOCKS,
  MAX_FRAME_MS,
  MAX_IN_FLIGHT,
  MAX_MOMENTS,
  MAX_PASSES,
  MIN_ADAPTIVE_SAMPLES,
} from '../frame/frame-limits.ts'
import { planeNames } from '../frame/frame-planes.ts'
import { frameSizeSchema } from '../frame/rect-schema.ts'
import { stateHeadSchema } from '../frame/state-head.ts'
import {
  cameraSchema,
  exposureSchema,
  noiseSchema,
  qualitySchema,
  toneMappingSchema,
  whiteBalanceSchema,
} from '../frame/view.ts'
import { strategyOptionsSchema } from '../session/strategy-options.ts'
import { type Immutable, ms, sha256Schema, share, whole } from '../text/numbers.ts'
import { printableText } from '../text/printable-schema.ts'

/** Incremented when a field changes its meaning or is removed. */
export const SESSION_VERSION = 1

const orderSchema = z.object({
  /** A film renders every frame, in order; a viewer only the newest that was requested. */
  kind: z.enum(['film', 'viewer']),
  /** The scene's name for people; `scene` identifies its bytes. */
  sceneName: printableText(256),
  scene: sha256Schema,
  size: frameSizeSchema,
  quality: qualitySchema,
  exposure: exposureSchema,
  toneMapping: toneMappingSchema.exactOptional(),
  whiteBalance: whiteBalanceSchema.exactOptional(),
  /** Whether frames have no background: pixels are as opaque as the share of them that the scene covers. */
  transparent: z.literal(true).exactOptional(),
  /** Whether frames are denoised: their finished colour and `light`. `noisy` is the light before. */
  denoise: z.literal(true).exactOptional(),
  /** Whether frames are made of sums of light also where a single pass could finish their colour: so that more can be added later. */
  sums: z.literal(true).exactOptional(),
  /** Present if the client keeps what its frames in the making have, so that another session can go on there. */
  keep: z
    .object({
      /** Fingerprint of its kernel: what another one traced does not go on. */
      kernel: printableText(128),
      /** The most samples of a tile, over all of its pixels: what is being traced when a frame ends is lost. @default no limit */
      tileSamples: z.int().min(1).exactOptional(),
    })
    .exactOptional(),
  /** Channels to deliver with each frame, beside its finished colour. */
  channels: z.array(z.enum(planeNames)).max(planeNames.length).exactOptional(),
  /** Number of passes that a pixel's samples are divided into. */
  passes: z.int().min(1).max(MAX_PASSES),
  /**
   * Present for adaptive frames: the most noise of a cell, its standard error as a share of its light. `quality.samples` is then the
   * most that a pixel gets.
   */
  noise: noiseSchema.exactOptional(),
  /**
   * The time that each frame has, ms: in passes that double the samples, it gets as many as there is time for, at least one of each pixel and
   * at most `quality.samples`. Its bytes depend on how fast the cluster is.
   */
  timeMs: z.number().positive().max(MAX_FRAME_MS).exactOptional(),
  /** Share of each frame's rows that other workers trace again. @default none */
  verify: share.exactOptional(),
  /** Whether to send a preview of the frame after each pass, too. */
  progressive: z.boolean(),
  /** The command line that traces a tile of its frames alone, but for `--frame` and `--rect`: for errors. */
  tileCommand: printableText(2000).exactOptional(),
  /** How many frames a film has, if that is known. */
  frameCount: whole.exactOptional(),
  /** How many frames of this session may be in progress at once. */
  inFlight: z.int().min(1).max(MAX_IN_FLIGHT),
  strategy: printableText(64),
  options: strategyOptionsSchema,
  /** Whether reports include the costs per cell of their frames, for recordings, and all spans. */
  record: z.boolean(),
  spans: z.boolean(),
  clock: z.enum(CLOCKS),
  engine: printableText(64),
  /** Whether areas of CPUs trace beside those of `engine`, whose bytes are others. @default areas of `engine` alone */
  mixEngines: z.literal(true).exactOptional(),
  /** Areas that must hold the scene before the first frame begins, at least 1. */
  minWorkers: z.int().min(1),
  /** How long to wait for them, ms. */
  waitMs: ms,
})

/** With reasons why an order makes no sense. */
export const sessionOrderSchema = orderSchema.superRefine((order, context) => {
  for (const [path, limit, problemOf] of [
    ['noise', order.noise, noiseProblem],
    ['timeMs', order.timeMs, doublingProblem],
  ] as const) {
    const problem = limit === undefined ? undefined : problemOf(order)
    if (problem !== undefined) context.addIssue({ code: 'custom', path: [path], message: problem })
  }
  if (order.keep && (order.kind !== 'film' || order.timeMs !== undefined || order.verify !== undefined))
    context.addIssue({ code: 'custom', path: ['keep'], message: KEPT_FILMS })
  if (order.verify !== undefined && order.engine === 'wasm-fast')
    context.addIssue({ code: 'custom', path: ['verify'], message: NO_PROMISE })
  if (order.mixEngines && order.engine !== 'webgpu')
    context.addIssue({ code: 'custom', path: ['mixEngines'], message: `${NOT_MIXED}${order.engine}` })
  if (order.mixEngines && order.keep)
    context.addIssue({ code: 'custom', path: ['keep'], message: 'expected none with engines that are mixed' })
  const unlike = denoiseProblem(order)
  if (unlike !== undefined) context.addIssue({ code: 'custom', path: ['denoise'], message: unlike })
})

/** Frames with only so much time have other samples in each run, and what was kept of a frame would not be checked again. */
const KEPT_FILMS = 'expected none but with films without a time limit and without checks'

const NOT_MIXED = 'expected engine webgpu with it, beside which that of CPUs traces, got '

/** Its kernel may round differently on another processor. */
const NO_PROMISE = 'expected an engine whose bytes are the same on all machines, got wasm-fast'

function noiseProblem(order: z.infer<typeof orderSchema>): string | undefined {
  const { quality } = order
  if (quality.bounces !== undefined && quality.samples < MIN_ADAPTIVE_SAMPLES)
    return `expected at least ${MIN_ADAPTIVE_SAMPLES} samples with it, half of them to compare with the others, got ${quality.samples}`
  return doublingProblem(order)
}

/** The samples of the ambient integrator are laid out for all of them. */
function doublingProblem({ quality, passes, record }: z.infer<typeof orderSchema>): string | undefined {
  if (quality.bounces === undefined) return "expected integrator 'path' with it, got ambient"
  if (passes > 1) return `expected no number of passes with it, which double the samples until it is met, got ${passes}`
  if (record) return 'expected no recording with it: a recording holds what a frame costs in a single pass'
  return undefined
}

function denoiseProblem({ denoise, quality, channels }: z.infer<typeof orderSchema>): string | undefined {
  if (!denoise)
    return channels?.includes('noisy')
      ? "expected true with channel 'noisy', light before denoising, got none"
      : undefined
  return quality.bounces === undefined ? "expected integrator 'path' with it, got ambient" : undefined
}

/**
 * What a frame of a viewer has instead of its session's, all of these together: a view that moves is smaller and has fewer samples than one
 * that stands still. Whatever is absent here, the frame does not have,
 * unless it says otherwise.
 */
const frameSettingsSchema = z.object({
  /** At most as many pixels as the session's. */
  size: frameSizeSchema,
  quality: qualitySchema,
  passes: z.int().min(1).max(MAX_PASSES),
  noise: noiseSchema.exactOptional(),
  denoise: z.literal(true).exactOptional(),
  progressive: z.boolean(),
  /** @default the session's */
  exposure: exposureSchema.exactOptional(),
  toneMapping: toneMappingSchema.exactOptional(),
})

/** Whether the passes of its frames double their samples, until these suffice or time is up. */
export const isDoubling = ({ noise, timeMs }: Pick<SessionOrder, 'noise' | 'timeMs'>): boolean =>
  noise !== undefined || timeMs !== undefined

/** A requested frame and its camera. */
export const frameRequestSchema = z.object({
  frame: whole.max(0xffffffff),
  camera: cameraSchema,
  settings: frameSettingsSchema.exactOptional(),
})

const namedMomentSchema = z.object({ camera: cameraSchema, scene: sha256Schema.exactOptional() })
/** A `WantedFrame` on the wire: the scenes that it has are named, and were offered before. */
export const namedFrameSchema = frameRequestSchema.extend({
  scene: sha256Schema.exactOptional(),
  moments: z.array(namedMomentSchema).min(1).max(MAX_MOMENTS).exactOptional(),
  /** Where another session left it: it goes on there. What there is follows in state-chunks (binary); the next such frame, when this one is begun. */
  from: stateHeadSchema.exactOptional(),
})

export type SessionOrder = Immutable<z.infer<typeof sessionOrderSchema>>
export type NamedFrame = Immutable<z.infer<typeof namedFrameSchema>>
export type FrameRequest = Immutable<z.infer<typeof frameRequestSchema>>
export type FrameSettings = Immutable<z.infer<typeof frameSettingsSchema>>

/** The order of a frame: that of its session, but for what the frame has instead. */
export function orderFor(order: SessionOrder, { settings }: Pick<FrameRequest, 'settings'>): SessionOrder {
  if (!settings) return order
  const { noise: _, timeMs: __, denoise: ___, ...others } = order
  return { ...others, ...settings }
}
