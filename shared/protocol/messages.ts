/**
 * Every control message, one union per direction. They travel as JSON text and are validated here, where they come in;
 * pixels and scenes travel as binary frames (`codec.ts`).
 */
import { z } from 'zod'
import { SortfirstError } from '../errors.ts'
import { jobSchema, pixelPatternSchema, rectSchema, sceneHashSchema, viewSchema, workerInfoSchema } from './schemas.ts'

export const ENCODINGS = ['raw', 'lz4'] as const
/** How pixels are packed on the wire. */
export type Encoding = (typeof ENCODINGS)[number]

const reason = z.string().max(2000)

/** First message of any peer. `protocol` comes first in every version, so that any two versions can refuse each other in words. */
const hello = z.object({ type: z.literal('hello'), protocol: z.int() })

const workerHello = hello.extend({
  role: z.literal('worker'),
  name: z.string().min(1).max(128),
  engine: z.string().max(64),
  /** Names the arithmetic of its engine: equal fingerprints make equal bytes. */
  kernel: z.string().min(1).max(64),
  threads: z.int().min(1).max(1024),
  /** Declared throughput of one thread relative to the others' threads. */
  speed: z.number().nonnegative().max(1e6),
  /** Cores that it is held to, if any. */
  cores: z.number().positive().exactOptional(),
  encodings: z.array(z.enum(ENCODINGS)).min(1),
})

const clientHello = hello.extend({ role: z.literal('client'), encodings: z.array(z.enum(ENCODINGS)).min(1) })

/** Worker → master: the scene is held and its structure built; tiles of it may be sent. */
const sceneReady = z.object({
  type: z.literal('scene-ready'),
  scene: sceneHashSchema,
  buildMs: z.number().nonnegative(),
})
/** Worker → master: the scene could not be used; the worker cannot help with this job. */
const sceneFailed = z.object({ type: z.literal('scene-failed'), scene: sceneHashSchema, reason })
/** Worker → master: the tile was not traced. Answered by another lease on the same pixels. */
const tileFailed = z.object({ type: z.literal('tile-failed'), lease: z.int(), reason })

/** Master → worker or client: you are in. */
const welcome = z.object({ type: z.literal('welcome'), id: z.string(), encoding: z.enum(ENCODINGS) })
/** Master → worker: drop what you hold, this scene's chunks follow. Answered by scene-ready or scene-failed. */
const useScene = z.object({ type: z.literal('use-scene'), scene: sceneHashSchema, bytes: z.int().positive() })
/**
 * Master → worker: trace these pixels. Answered by tile-done (binary) or tile-failed. With `part` there are two answers:
 * one for the first `part` rows as soon as they are done, marked with `more`, and one for the rest. Every tile that is not
 * cancelled ends with exactly one answer without `more`, or a failure.
 */
const traceTile = z.object({
  type: z.literal('trace-tile'),
  lease: z.int().nonnegative(),
  scene: sceneHashSchema,
  rect: rectSchema,
  pattern: pixelPatternSchema.exactOptional(),
  view: viewSchema,
  /** Side of the cells that costs and depths shall come back for, px. Absent: none. */
  cell: z.int().min(4).max(64).exactOptional(),
  part: z.int().min(1).exactOptional(),
})
/**
 * Master → worker: of this tile only the first `rows` rows are wanted any more. Not answered; the tile's own answer ends
 * there, or after the rows that had been begun when the message came, and has a row at least. Where that is within the first
 * of two parts, the first is the only one; if it is on its way already, a second follows all the same.
 */
const trimTile = z.object({ type: z.literal('trim-tile'), lease: z.int().nonnegative(), rows: z.int().min(0) })
/** Master → worker: nobody waits for this tile any more. Not answered. */
const cancelTile = z.object({ type: z.literal('cancel-tile'), lease: z.int().nonnegative() })
/** Master → anyone: we part, for this reason; no answer, the socket closes. */
const goodbye = z.object({ type: z.literal('goodbye'), code: z.string().max(64), reason })

/** Client → master: I have this scene. Answered by scene-wanted (send chunks) or scene-held. */
const offerScene = z.object({ type: z.literal('offer-scene'), scene: sceneHashSchema, bytes: z.int().positive() })
const sceneWanted = z.object({ type: z.literal('scene-wanted'), scene: sceneHashSchema })
const sceneHeld = z.object({ type: z.literal('scene-held'), scene: sceneHashSchema })
/** Client → master: render this. Answered by job-started, a frame-done (binary) per frame, then job-done or job-failed. */
const submitJob = z.object({ type: z.literal('submit-job'), job: z.int().nonnegative(), order: jobSchema })
/** Client → master: stop. Answered by job-failed with code JOB_CANCELLED. */
const cancelJob = z.object({ type: z.literal('cancel-job'), job: z.int().nonnegative() })
/** Client → master: frame received; the master keeps a bounded number of frames unacknowledged. */
const frameTaken = z.object({
  type: z.literal('frame-taken'),
  job: z.int().nonnegative(),
  frame: z.int().nonnegative(),
})
const jobStatus = z.object({ type: z.literal('job-status'), job: z.int().nonnegative(), text: reason })
const jobStarted = z.object({
  type: z.literal('job-started'),
  job: z.int().nonnegative(),
  workers: z.array(workerInfoSchema),
})
const jobDone = z.object({ type: z.literal('job-done'), job: z.int().nonnegative() })
const jobFailed = z.object({
  type: z.literal('job-failed'),
  job: z.int().nonnegative(),
  code: z.string().max(64),
  reason,
})

const helloSchema = z.discriminatedUnion('role', [workerHello, clientHello])
const fromWorkerSchema = z.discriminatedUnion('type', [sceneReady, sceneFailed, tileFailed])
const toWorkerSchema = z.discriminatedUnion('type', [welcome, useScene, traceTile, trimTile, cancelTile, goodbye])
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

export type Hello = z.infer<typeof helloSchema>
export type WorkerHello = z.infer<typeof workerHello>
export type FromWorker = z.infer<typeof fromWorkerSchema>
export type ToWorker = z.infer<typeof toWorkerSchema>
export type TraceTile = z.infer<typeof traceTile>
export type FromClient = z.infer<typeof fromClientSchema>
export type ToClient = z.infer<typeof toClientSchema>
export type ControlMessage = Hello | FromWorker | ToWorker | FromClient | ToClient

/** A peer sent something that is no message of this protocol. The connection is closed; nothing of it is used. */
export class ProtocolError extends SortfirstError {
  readonly code = 'BAD_MESSAGE'
}

/** A peer speaks another version of the protocol. */
export class ProtocolMismatchError extends SortfirstError {
  readonly code = 'PROTOCOL_MISMATCH'
  readonly expected: number
  readonly got: number
  constructor(expected: number, got: number) {
    super(`protocol version: expected ${expected}, got ${got}; run the same release of sortfirst on both machines`)
    this.expected = expected
    this.got = got
  }
}

const parser =
  <T>(schema: z.ZodType<T>) =>
  (message: unknown): T => {
    const result = schema.safeParse(message)
    if (result.success) return result.data
    throw new ProtocolError(`unexpected message: ${z.prettifyError(result.error).replaceAll('\n', ' ')}`)
  }

const parseAnyHello = parser(hello)
const parseOwnHello = parser<Hello>(helloSchema)

/**
 * Reads a peer's first message.
 * @throws ProtocolMismatchError before anything else is looked at, ProtocolError
 */
export function parseHello(message: unknown, protocol: number): Hello {
  const { protocol: theirs } = parseAnyHello(message)
  if (theirs !== protocol) throw new ProtocolMismatchError(protocol, theirs)
  return parseOwnHello(message)
}

export const parseFromWorker = parser<FromWorker>(fromWorkerSchema)
export const parseToWorker = parser<ToWorker>(toWorkerSchema)
export const parseFromClient = parser<FromClient>(fromClientSchema)
export const parseToClient = parser<ToClient>(toClientSchema)
