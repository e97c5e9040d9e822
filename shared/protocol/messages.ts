/**
 * Every control message between a master and its workers, and the handshake of all peers; one union per direction. They travel as
 * JSON text and are validated here, on arrival; pixels and scenes travel as binary frames (`codec.ts`). The messages of clients are
 * in `client-messages.ts`.
 */
import * as z from 'zod'
import { SortfirstError } from '../errors.ts'
import { type ChannelName, channelNames, inOrder } from '../frame/channels.ts'
import { CLOCKS } from '../frame/frame-limits.ts'
import { grainSchema } from '../frame/frame-report.ts'
import { pixelPatternSchema } from '../frame/pixel-set-schema.ts'
import { rectSchema } from '../frame/rect-schema.ts'
import { sampleRangeSchema, viewSchema } from '../frame/view.ts'
import { MAX_PARTS, sceneManifestSchema } from '../scene/manifest.ts'
import { cores, type Immutable, ms, sha256Schema, speed, whole } from '../text/numbers.ts'
import { MAX_QUOTED, shortened } from '../text/printable.ts'
import { printableText } from '../text/printable-schema.ts'
import { schemaProblem } from '../text/schema-problem.ts'
import { IDENTITY, NONCE, SIGNATURE } from './identity.ts'
import { MAX_OPEN_LEASES } from './peer-limits.ts'
import { ProtocolError } from './protocol-error.ts'
import { MAX_AREAS, MAX_HELD_SCENES } from './version.ts'

export const ENCODINGS = ['raw', 'lz4'] as const
/** How pixels are packed on the wire. */
export type Encoding = (typeof ENCODINGS)[number]

const isOrdered = (names: readonly ChannelName[]): boolean => inOrder(names).join() === names.join()
const channelsSchema = z
  .array(z.enum(channelNames))
  .min(1)
  .max(channelNames.length)
  .refine(isOrdered, { error: `expected channels in the order ${channelNames.join(', ')}, each once` })

const leaseNumber = whole.max(0xffffffff)
/** The most characters of a reason, or of any other sentence. */
export const MAX_REASON = 2000
export const reason = printableText(MAX_REASON)

/** First message of any peer. Every version reads `protocol` first, so that any two can reject each other with an explanation. */
const hello = z.object({ type: z.literal('hello'), protocol: z.int() })

/** One device of a worker, to which tiles are sent. */
const areaOffer = z.object({
  engine: printableText(64),
  /** Fingerprint of its engine's arithmetic: equal fingerprints produce equal bytes. */
  kernel: printableText(64).min(1),
  /** Declared throughput of one thread relative to those of other workers. */
  speed,
  threads: z.int().min(1).max(1024),
  /** Cores that it is limited to, if any. */
  cores: cores.exactOptional(),
  /** Which of its clocks measures the cost of a tile. */
  clock: z.enum(CLOCKS),
  grain: grainSchema,
  /** What it is, for people, if it is not the worker's CPU: `simulated:4`. */
  device: printableText(64).exactOptional(),
})

const workerHello = hello.extend({
  role: z.literal('worker'),
  name: printableText(128).min(1),
  /** Made anew by each process: tells workers of one name and address apart. */
  key: printableText(64).min(1).exactOptional(),
  /** The public half of a key of its own, which it holds over all its starts: answered by a challenge. Absent: it has none. */
  identity: z.string().regex(IDENTITY).exactOptional(),
  areas: z.array(areaOffer).min(1).max(MAX_AREAS),
  encodings: z.array(z.enum(ENCODINGS)).min(1),
  /** Scenes that are already built. */
  holds: z.array(sha256Schema).max(MAX_HELD_SCENES),
})

/** Worker → master: its answer to a challenge. Answered by welcome, or goodbye. */
const proof = z.object({ type: z.literal('proof'), signature: z.string().regex(SIGNATURE) })

const clientHello = hello.extend({ role: z.literal('client'), encodings: z.array(z.enum(ENCODINGS)).min(1) })

/**
 * Worker → master, master → client: the parts of this scene that it lacks, possibly none. Answered by part-chunks (binary) for each,
 * in order.
 */
export const partsWanted = z.object({
  type: z.literal('parts-wanted'),
  scene: sha256Schema,
  parts: z.array(sha256Schema).max(MAX_PARTS),
})
/** Worker → master: the scene's structure is built; tiles of it may be sent. */
const sceneReady = z.object({ type: z.literal('scene-ready'), scene: sha256Schema, buildMs: ms })
/** Worker → master: the scene cannot be used, at least now; this worker cannot trace tiles of it. `code`: of its error. */
const sceneFailed = z.object({
  type: z.literal('scene-failed'),
  scene: sha256Schema,
  reason,
  code: z.string().max(64).optional(),
})
/** Worker → master: a released scene was evicted to make room for another. */
const sceneDropped = z.object({ type: z.literal('scene-dropped'), scene: sha256Schema })
/** Worker → master: the tile was not traced. Answered by another lease on the same pixels. */
const tileFailed = z.object({ type: z.literal('tile-failed'), lease: leaseNumber, reason })
/** Worker → master: an area has failed, and takes no tiles until it is back. What it still holds is answered by the worker's CPU. */
const areaState = z.object({
  type: z.literal('area-state'),
  area: whole.max(MAX_AREAS - 1),
  /** Absent: it is back. */
  reason: reason.exactOptional(),
})
/**
 * Worker → master: it takes nothing more. Only the leases of `keeps` will still be answered, up to their first `rows` rows, maybe a few more;
 * all else may be traced by others at once. Answered by a goodbye when the master has these rows.
 */
const leaving = z.object({
  type: z.literal('leaving'),
  reason,
  keeps: z.array(z.object({ lease: leaseNumber, rows: z.int().min(1) })).max(MAX_OPEN_LEASES),
})
/** Worker → master, from time to time during a long tile: it is making progress. */
const tileProgress = z.object({
  type: z.literal('tile-progress'),
  lease: leaseNumber,
  /** Rows that are done, from the top of the tile. @default none */
  rows: z.int().min(1).exactOptional(),
})

/** Master → worker, after a hello with an identity: it has to sign the nonce. Answered by proof. */
const challenge = z.object({ type: z.literal('challenge'), nonce: z.string().regex(NONCE) })
/** Worker → master: a browser does not let its page see the pings of WebSockets, so it asks for a sign of life. Answered by pong. */
const ping = z.object({ type: z.literal('ping') })

/** Master → worker or client: accepted. */
export const welcome = z.object({ type: z.literal('welcome'), id: z.string(), encoding: z.enum(ENCODINGS) })
/**
 * Master → worker: get this scene ready. Answered by parts-wanted if it is not built, then by scene-ready or scene-failed. With
 * `built` the master knows that it is built, and there is an answer only if that is no longer true. A `passing` scene is of a single
 * frame: it is not stored for others, and dropped when it is released.
 */
const useScene = z.object({
  type: z.literal('use-scene'),
  scene: sha256Schema,
  manifest: sceneManifestSchema,
  built: z.literal(true).exactOptional(),
  passing: z.literal(true).exactOptional(),
})
/** Master → worker: this scene is not needed now, and no more of its parts will be sent. Kept while there is room. Not answered. */
const releaseScene = z.object({ type: z.literal('release-scene'), scene: sha256Schema })
/**
 * Master → worker: trace these pixels of a work, which is a frame in progress, or a moment of one. The first tile of a work carries the frame's scene
 * and view; a worker keeps those of the `WORKS_HELD` newest works. Answered by tile-done (binary) or tile-failed. With `part`
 * there are two answers: one for the first `part` rows as soon as they are done, marked with `more`, and one for the rest. Every
 * tile that is not cancelled ends with exactly one answer without `more`, or a failure.
 */
const traceTile = z.object({
  type: z.literal('trace-tile'),
  /** Never reused on a connection. */
  lease: leaseNumber,
  work: whole,
  view: z.object({ scene: sha256Schema, view: viewSchema }).exactOptional(),
  /** Index of the worker's area that is to trace them. @default 0 */
  area: whole.max(MAX_AREAS - 1).exactOptional(),
  rect: rectSchema,
  pattern: pixelPatternSchema.exactOptional(),
  /** The requested channels of each pixel, in the order of their table. @default rgb */
  channels: channelsSchema.exactOptional(),
  /** @default all samples of the view */
  samples: sampleRangeSchema.exactOptional(),
  /** Side of the cells for which costs and depths are requested, px. Absent: none. */
  cell: z.int().min(4).max(64).exactOptional(),
  part: z.int().min(1).exactOptional(),
  /** Somebody waits for it: tiles that are not urgent give way to it at once. @default nobody does */
  urgent: z.literal(true).exactOptional(),
})
/**
 * Master → worker: only the first `rows` rows of this tile are still wanted. Not answered; the tile's own answer ends there, or
 * after the rows that were in progress when the message came, and has at least one row. If that lies within the first of two
 * parts, there is only the first; if the first is already on its way, a second follows anyway.
 */
const trimTile = z.object({ type: z.literal('trim-tile'), lease: leaseNumber, rows: z.int().min(0) })
/** Master → worker: this tile is no longer needed. Not answered. */
const cancelTile = z.object({ type: z.literal('cancel-tile'), lease: leaseNumber })
/** Master → worker: no tile of this work is needed any more, and no more will be ordered. Not answered. */
const cancelWork = z.object({ type: z.literal('cancel-work'), work: whole })
/** Master → worker: it is there. The answer to a ping. */
const pong = z.object({ type: z.literal('pong') })
/** Master → worker: it is asked to leave. Answered by leaving. */
const leave = z.object({ type: z.literal('leave'), reason })
/** Master → worker or client: the connection ends for this reason; no answer, the socket closes. */
export const goodbye = z.object({ type: z.literal('goodbye'), code: printableText(64), reason })

const helloSchema = z.discriminatedUnion('role', [workerHello, clientHello])
const fromWorkerSchema = z.discriminatedUnion('type', [
  partsWanted,
  sceneReady,
  sceneFailed,
  sceneDropped,
  tileFailed,
  areaState,
  tileProgress,
  leaving,
  ping,
])
const toWorkerSchema = z.discriminatedUnion('type', [
  challenge,
  welcome,
  useScene,
  releaseScene,
  traceTile,
  trimTile,
  cancelTile,
  cancelWork,
  leave,
  pong,
  goodbye,
])
export type Hello = Immutable<z.infer<typeof helloSchema>>
export type Proof = Immutable<z.infer<typeof proof>>
export type AreaOffer = Immutable<z.infer<typeof areaOffer>>
export type WorkerHello = Immutable<z.infer<typeof workerHello>>
export type FromWorker = Immutable<z.infer<typeof fromWorkerSchema>>
export type ToWorker = Immutable<z.infer<typeof toWorkerSchema>>
export type UseScene = Immutable<z.infer<typeof useScene>>
export type TraceTile = Immutable<z.infer<typeof traceTile>>

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

/** Returns a parser for messages of a schema, which throws ProtocolError for anything else. */
export const parser =
  <T>(schema: z.ZodType<T>) =>
  (message: unknown): T => {
    const result = schema.safeParse(message)
    if (result.success) return result.data
    throw new ProtocolError(shortened(`unexpected message: ${schemaProblem(result.error)}`, MAX_QUOTED))
  }

const parseAnyHello = parser(hello)
const parseOwnHello = parser<Hello>(helloSchema)

/**
 * Reads a peer's first message.
 * @throws ProtocolMismatchError before anything else is examined, ProtocolError
 */
export function parseHello(message: unknown, protocol: number): Hello {
  const { protocol: theirs } = parseAnyHello(message)
  if (theirs !== protocol) throw new ProtocolMismatchError(protocol, theirs)
  return parseOwnHello(message)
}

/** @throws ProtocolError */
export const parseProof = parser(proof)
export const parseFromWorker = parser<FromWorker>(fromWorkerSchema)
export const parseToWorker = parser<ToWorker>(toWorkerSchema)
