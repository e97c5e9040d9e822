/** Schemas of the plain data that several messages carry. Bounds are part of them: what arrives is checked, then believed. */
import { z } from 'zod'
import { CLOCKS } from '../frame-report.ts'
import { SPAN_KINDS } from '../span.ts'
import { strategyOptionsSchema } from '../strategy-options.ts'

export const MAX_SIDE_PX = 16384

const whole = z.int().nonnegative()
const ms = z.number().nonnegative()
const ratio = z.number().nonnegative()

export const vec3Schema = z.tuple([z.number(), z.number(), z.number()]).readonly()
export const sceneHashSchema = z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in hex')
export const rectSchema = z.object({
  x: whole.max(MAX_SIDE_PX),
  y: whole.max(MAX_SIDE_PX),
  w: z.int().min(1).max(MAX_SIDE_PX),
  h: z.int().min(1).max(MAX_SIDE_PX),
})
const cellSide = z.int().min(1).max(MAX_SIDE_PX)
const latticeStep = z.int().min(1).max(MAX_SIDE_PX)
const latticeSchema = { stepX: latticeStep, stepY: latticeStep, dx: whole.max(MAX_SIDE_PX), dy: whole.max(MAX_SIDE_PX) }
const anyPatternSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('comb'),
    cellW: cellSide,
    cellH: cellSide,
    columns: cellSide,
    stride: z.int().min(1),
    phase: whole,
  }),
  z.object({
    kind: z.literal('cells'),
    cellW: cellSide,
    cellH: cellSide,
    columns: cellSide,
    cells: z.array(whole).readonly(),
  }),
  z.object({ kind: z.literal('lattice'), ...latticeSchema }),
  z.object({ kind: z.literal('gaps'), ...latticeSchema }),
])
/** Patterns that can pick a pixel. */
export const pixelPatternSchema = anyPatternSchema.refine(
  pattern => {
    switch (pattern.kind) {
      case 'comb':
        return pattern.phase < pattern.stride
      case 'cells':
        return pattern.cells.every((cell, i) => i === 0 || cell > pattern.cells[i - 1]!)
      default:
        return pattern.dx < pattern.stepX && pattern.dy < pattern.stepY
    }
  },
  { error: 'expected a phase below the stride, offsets below the steps, cells in rising order' },
)
export const sizeSchema = z.tuple([z.int().min(1).max(MAX_SIDE_PX), z.int().min(1).max(MAX_SIDE_PX)]).readonly()

export const cameraSchema = z.object({
  origin: vec3Schema,
  right: vec3Schema,
  up: vec3Schema,
  back: vec3Schema,
  tanHalfX: z.number().positive(),
  tanHalfY: z.number().positive(),
  near: z.number().positive(),
  far: z.number().positive(),
})

export const qualitySchema = z.object({
  samples: z.int().min(1).max(1024),
  ambientRays: z.int().min(0).max(64),
  maxDepth: z.int().min(0).max(16),
})

export const viewSchema = z.object({
  frame: whole,
  size: sizeSchema,
  camera: cameraSchema,
  quality: qualitySchema,
  exposure: z.number().positive(),
})

export const workerInfoSchema = z.object({
  id: z.string().min(1).max(64),
  name: z.string().max(128),
  engine: z.string().max(64),
  threads: z.int().min(1).max(1024),
  speed: z.number().nonnegative(),
  cores: z.number().positive().exactOptional(),
})

const spanKind = z.enum(SPAN_KINDS)

export const frameReportSchema = z.object({
  frame: whole,
  strategy: z.string(),
  size: sizeSchema,
  workers: z.array(workerInfoSchema),
  tiles: z.array(
    z.object({
      rect: rectSchema,
      pattern: pixelPatternSchema.exactOptional(),
      worker: z.string(),
      cpuMs: ms,
      wallMs: ms,
      work: z.number().nonnegative().exactOptional(),
    }),
  ),
  frameMs: ms,
  wallMs: ms,
  preparationMs: ms.exactOptional(),
  statsMs: ms,
  decideMs: ms,
  criticalMs: ms,
  meanMs: ms,
  epsilonCpu: ratio,
  epsilonWall: ratio,
  ledger: z.array(
    z.object({ worker: z.string(), ...(Object.fromEntries(SPAN_KINDS.map(k => [k, ms])) as LedgerPhases) }),
  ),
  messages: whole,
  bytes: whole,
  migrationShare: z.number().min(0).max(1),
  rescued: whole,
  stolen: whole,
  repeatedPx: whole,
  probeMs: ms,
  decisions: z.record(z.string(), z.number()),
  predictionError: ratio.exactOptional(),
  recorded: z.object({ cell: z.int().min(1).max(1024), costs: z.string(), depths: z.string() }).exactOptional(),
  spans: z.array(
    z.object({
      kind: spanKind,
      frame: whole,
      worker: z.string().exactOptional(),
      tile: rectSchema.exactOptional(),
      start: z.number(),
      end: z.number(),
    }),
  ),
  sha256: sceneHashSchema,
})

/** One render order: which frames, seen from where, shared how. */
export const jobSchema = z.object({
  /** What people call the scene; the bytes are named by `scene`. */
  sceneName: z.string().max(256),
  scene: sceneHashSchema,
  size: sizeSchema,
  quality: qualitySchema,
  exposure: z.number().positive(),
  /** Frame numbers with their cameras, in the order in which they are rendered. */
  frames: z.array(z.object({ frame: whole, camera: cameraSchema })).min(1),
  strategy: z.string().max(64),
  options: strategyOptionsSchema,
  /** Whether reports carry the fine costs of their frames, for recordings. */
  record: z.boolean(),
  clock: z.enum(CLOCKS),
  engine: z.string().max(64),
  /** Workers that must hold the scene before the first frame starts, at least 1. */
  minWorkers: z.int().min(1),
  /** How long to wait for them, ms. */
  waitMs: ms,
})

type LedgerPhases = Record<(typeof SPAN_KINDS)[number], typeof ms>

export type Job = z.infer<typeof jobSchema>
