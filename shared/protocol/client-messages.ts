/** Every control message between a client and its master, one union per direction, validated where it comes in. */
import { z } from 'zod'
import { workerInfoSchema } from '../frame-report.ts'
import { type Immutable, sha256Schema, whole } from '../numbers.ts'
import { JOB_VERSION, jobSchema } from './job.ts'
import { goodbye, parser, reason, welcome } from './messages.ts'

/** Client → master: I have this scene. Answered by scene-wanted (send chunks) or scene-held. */
const offerScene = z.object({ type: z.literal('offer-scene'), scene: sha256Schema, bytes: z.int().positive() })
const sceneWanted = z.object({ type: z.literal('scene-wanted'), scene: sha256Schema })
const sceneHeld = z.object({ type: z.literal('scene-held'), scene: sha256Schema })
/** Client → master: render this. Answered by job-started, a frame-done (binary) per frame, then job-done or job-failed. */
const submitJob = z.object({
  type: z.literal('submit-job'),
  job: whole,
  version: z.literal(JOB_VERSION, {
    error: `expected a job order of version ${JOB_VERSION}; run the same release of sortfirst on both machines`,
  }),
  order: jobSchema,
})
/** Client → master: stop. Answered by job-failed with code JOB_CANCELLED. */
const cancelJob = z.object({ type: z.literal('cancel-job'), job: whole })
/** Client → master: frame received; the master keeps a bounded number of frames unacknowledged. */
const frameTaken = z.object({ type: z.literal('frame-taken'), job: whole, frame: whole })
const jobStatus = z.object({ type: z.literal('job-status'), job: whole, text: reason })
const jobStarted = z.object({ type: z.literal('job-started'), job: whole, workers: z.array(workerInfoSchema) })
const jobDone = z.object({ type: z.literal('job-done'), job: whole })
const jobFailed = z.object({ type: z.literal('job-failed'), job: whole, code: z.string().max(64), reason })

const fromClientSchema = z.discriminatedUnion('type', [offerScene, submitJob, cancelJob, frameTaken])
const toClientSchema = z.discriminatedUnion('type', [
  welcome,
  sceneWanted,
  sceneHeld,
  jobStatus,
  jobStarted,
  jobDone,
  jobFailed,
  goodbye,
])

export type FromClient = Immutable<z.infer<typeof fromClientSchema>>
export type ToClient = Immutable<z.infer<typeof toClientSchema>>

export const parseFromClient = parser<FromClient>(fromClientSchema)
export const parseToClient = parser<ToClient>(toClientSchema)
