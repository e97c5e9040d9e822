/** A job order: which frames, seen from where, shared how. A format of its own, with a version of its own. */
import { z } from 'zod'
import { CLOCKS } from '../frame-report.ts'
import { type Immutable, ms, sha256Schema, whole } from '../numbers.ts'
import { sizeSchema } from '../rect-schema.ts'
import { strategyOptionsSchema } from '../strategy-options.ts'
import { cameraSchema, qualitySchema } from '../view.ts'

/** Grows when a field changes its meaning or goes away. */
export const JOB_VERSION = 1

export const jobSchema = z.object({
  /** What people call the scene; the bytes are named by `scene`. */
  sceneName: z.string().max(256),
  scene: sha256Schema,
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

export type Job = Immutable<z.infer<typeof jobSchema>>
