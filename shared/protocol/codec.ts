/**
 * The binary frames; only this file knows their byte layout. Little-endian, a fixed header, then JSON of `metaBytes`, then
 * a body of `bodyBytes`:
 *
 *     0  u32 magic 'SFRT'    4  u16 version     6  u16 kind
 *     8  u32 number          12 u32 id          frame of a frame, chunk of a part; lease of a tile, session of a frame
 *     16 u32 x   20 u32 y    24 u32 w   28 u32 h     of a tile; y and h of a plane; x: chunk of a state
 *     32 u8  encoding        33 three zero bytes
 *     36 u32 metaBytes       40 u32 bodyBytes   44 u32 rawBytes (body after decoding)
 *
 * The master knows which bytes it ordered for a tile, and compares before it uses any of them.
 */
import * as z from 'zod'
import { channelNames } from '../frame/channels.ts'
import { MAX_SAMPLES, MAX_SIDE_PX } from '../frame/frame-limits.ts'
import { type PlaneName, planeNames } from '../frame/frame-planes.ts'
import type { Rect } from '../frame/rect.ts'
import { ms, sha256Schema, whole, work } from '../text/numbers.ts'
import { schemaProblem } from '../text/schema-problem.ts'
import { atOnce, piecesOf, type Steps } from '../time/steps.ts'
import { ENCODINGS, type Encoding } from './messages.ts'
import { ProtocolError } from './protocol-error.ts'

const MAGIC = 0x54524653 // 'SFRT' read as little-endian u32
const LAYOUT_VERSION = 2
export const HEADER_BYTES = 48
const MAX_META_BYTES = 64 * 1024

/** How long a tile took on its worker, ms on the worker's clock. */
const tileTimesSchema = z.object({
  /** From the order's arrival until tracing began. */
  waitMs: ms,
  /** First ray to last pixel, pacing included. */
  wallMs: ms,
  /** CPU time of all tracing threads together. */
  cpuMs: ms,
  /** Packing the pixels. */
  encodeMs: ms,
  /** Work counted by the engine, in its own unit. */
  work: work.exactOptional(),
  /** Present: more rows of the same lease are still to come. */
  more: z.literal(true).exactOptional(),
})
export type TileTimes = z.infer<typeof tileTimesSchema>
const tileMetaSchema = tileTimesSchema.extend({
  /** How many bytes at the end are cell costs, if these were requested. */
  cellBytes: z.int().positive().exactOptional(),
  /** Encoded bytes of each channel but the last, if there are several. */
  channelBytes: z.array(whole).max(channelNames.length).exactOptional(),
})

/**
 * Worker → master: the pixels of one lease, or of some of its rows; `rect` says which. Body: the ordered channels of the lease's
 * pixels within it, packed row by row, `rawBytes` before encoding; then `cells`.
 */
export interface TileDone {
  readonly kind: 'tile-done'
  readonly lease: number
  readonly rect: Rect
  readonly encoding: Encoding
  readonly rawBytes: number
  readonly times: TileTimes
  readonly body: Uint8Array
  /** Encoded bytes of each channel but the last. Absent: there is only one. */
  readonly channelBytes?: readonly number[]
  /** Costs and depths of the tile's cells (`node/cell-packing.ts`), if requested. */
  readonly cells?: Uint8Array
}

/** Master → worker, client → master: the next bytes of a part of a scene, in order. */
export interface PartChunk {
  readonly kind: 'part-chunk'
  /** SHA-256 of the whole part. */
  readonly part: string
  readonly index: number
  readonly body: Uint8Array
}

/** Master → client: a complete frame. Body: its report, then RGB8, row-major. */
export interface FrameDone {
  readonly kind: 'frame-done'
  readonly session: number
  readonly encoding: Encoding
  readonly rawBytes: number
  readonly frame: number
  readonly report: PackedReport
  readonly body: Uint8Array
}

/** An encoded frame report (`node/report-packing.ts`), opaque to this file. */
export interface PackedReport {
  readonly bytes: Uint8Array
  readonly deflated: boolean
}

/** Master → client: a frame after some of its samples. Body: RGB8, row-major. */
export interface FramePreviewed {
  readonly kind: 'frame-preview'
  readonly session: number
  readonly frame: number
  readonly samples: number
  readonly encoding: Encoding
  readonly rawBytes: number
  readonly body: Uint8Array
}

/** Master → client, before the frame-done of the same frame: rows of one of its other channels, in order, finished. */
export interface FramePlane {
  readonly kind: 'frame-plane'
  readonly session: number
  readonly frame: number
  readonly channel: PlaneName
  /** The first row, and how many. */
  readonly row: number
  readonly rows: number
  readonly encoding: Encoding
  readonly rawBytes: number
  readonly body: Uint8Array
}

/**
 * Master → client, after a frame-state, and client → master, after a frame that goes on: the next bytes of what there is of a frame
 * (`frame/state-head.ts`), in order. Each is of one section.
 */
export interface StateChunk {
  readonly kind: 'state-chunk'
  readonly session: number
  readonly frame: number
  readonly index: number
  readonly encoding: Encoding
  readonly rawBytes: number
  readonly body: Uint8Array
}

export type BinaryMessage = TileDone | PartChunk | FrameDone | FramePreviewed | FramePlane | StateChunk

const KINDS = ['tile-done', 'part-chunk', 'frame-done', 'frame-preview', 'frame-plane', 'state-chunk'] as const
const planeMetaSchema = z.object({ channel: z.enum(planeNames) })
const frameMetaSchema = z.object({ reportBytes: z.int().positive(), deflated: z.literal(true).exactOptional() })
const previewMetaSchema = z.object({ samples: z.int().min(1).max(MAX_SAMPLES) })
const chunkMetaSchema = z.object({ part: sha256Schema })

/** Bytes of a body that are copied in a step: some milliseconds, as new memory takes longer than old. */
const COPY_BYTES = 8 * 2 ** 20

/** One buffer with header, meta and body; the body is copied. `room` allocates a buffer, which need not be zeroed. */
export const encodeBinary = (
  message: BinaryMessage,
  room?: (bytes: number) => Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> => atOnce(encodeBinarySteps(message, room))

/** The same in steps: a frame of 100 MB would hold up a heartbeat. The message must not be written to meanwhile. */
export function* encodeBinarySteps(
  message: BinaryMessage,
  room = (bytes: number): Uint8Array<ArrayBuffer> => new Uint8Array(bytes),
): Steps<Uint8Array<ArrayBuffer>> {
  const meta = new TextEncoder().encode(JSON.stringify(metaOf(message)))
  const body = bodyOf(message)
  const bodyBytes = body.reduce((sum, { length }) => sum + length, 0)
  const bytes = room(HEADER_BYTES + meta.length + bodyBytes).fill(0, 0, HEADER_BYTES)
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  const put = (at: number, value: number) => header.setUint32(at, value, true)
  put(0, MAGIC)
  header.setUint16(4, LAYOUT_VERSION, true)
  header.setUint16(6, KINDS.indexOf(message.kind), true)
  put(36, meta.length)
  put(40, bodyBytes)
  put(44, message.kind === 'part-chunk' ? message.body.length : message.rawBytes)
  if (message.kind === 'part-chunk') put(8, message.index)
  else header.setUint8(32, ENCODINGS.indexOf(message.encoding))
  if ('session' in message) {
    put(8, message.frame)
    put(12, message.session)
  }
  if (message.kind === 'state-chunk') put(16, message.index)
  if (message.kind === 'frame-plane') {
    put(20, message.row)
    put(28, message.rows)
  }
  if (message.kind === 'tile-done') {
    const { x, y, w, h } = message.rect
    for (const [i, value] of [message.lease, x, y, w, h].entries()) put(12 + 4 * i, value)
  }
  bytes.set(meta, HEADER_BYTES)
  let end = HEADER_BYTES + meta.length
  for (const piece of body)
    for (const [from, to] of piecesOf(piece.length, COPY_BYTES)) {
      if (from > 0) yield
      bytes.set(from === 0 && to === piece.length ? piece : piece.subarray(from, to), end)
      end += to - from
    }
  return bytes
}

/**
 * Reads a binary frame; `body` is a view of `bytes`.
 * @throws ProtocolError for anything that is not exactly one well-formed message
 */
export function decodeBinary(bytes: Uint8Array): BinaryMessage {
  if (bytes.length < HEADER_BYTES)
    throw new ProtocolError(`binary frame: expected a header of ${HEADER_BYTES} bytes, got ${bytes.length}`)
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  const u32 = (at: number) => header.getUint32(at, true)
  if (u32(0) !== MAGIC) throw new ProtocolError("binary frame: does not begin with 'SFRT'")
  const version = header.getUint16(4, true)
  if (version !== LAYOUT_VERSION)
    throw new ProtocolError(`binary frame: expected layout ${LAYOUT_VERSION}, got ${version}`)
  const kind = KINDS[header.getUint16(6, true)]
  const encoding = ENCODINGS[header.getUint8(32)]
  if (!kind || !encoding) throw new ProtocolError('binary frame: unknown kind or encoding')
  const [metaBytes, bodyBytes, rawBytes] = [u32(36), u32(40), u32(44)]
  if (metaBytes > MAX_META_BYTES || HEADER_BYTES + metaBytes + bodyBytes !== bytes.length)
    throw new ProtocolError(
      `binary frame: declares ${metaBytes} + ${bodyBytes} bytes after its header, got ${bytes.length - HEADER_BYTES}`,
    )
  const meta = parseJson(bytes.subarray(HEADER_BYTES, HEADER_BYTES + metaBytes))
  const body = bytes.subarray(HEADER_BYTES + metaBytes)
  switch (kind) {
    case 'part-chunk':
      return { kind, part: check(chunkMetaSchema, meta).part, index: u32(8), body }
    case 'frame-done': {
      const { reportBytes, deflated = false } = check(frameMetaSchema, meta)
      if (reportBytes > body.length)
        throw new ProtocolError(`binary frame: a report of ${reportBytes} bytes in a body of ${body.length}`)
      const report = { bytes: body.subarray(0, reportBytes), deflated }
      return { kind, session: u32(12), frame: u32(8), encoding, rawBytes, report, body: body.subarray(reportBytes) }
    }
    case 'frame-preview': {
      const { samples } = check(previewMetaSchema, meta)
      return { kind, session: u32(12), frame: u32(8), samples, encoding, rawBytes, body }
    }
    case 'frame-plane': {
      const { channel } = check(planeMetaSchema, meta)
      return { kind, session: u32(12), frame: u32(8), channel, row: u32(20), rows: u32(28), encoding, rawBytes, body }
    }
    case 'state-chunk':
      return { kind, session: u32(12), frame: u32(8), index: u32(16), encoding, rawBytes, body }
    case 'tile-done': {
      const rect = { x: u32(16), y: u32(20), w: u32(24), h: u32(28) }
      if (rect.w < 1 || rect.h < 1 || rect.x + rect.w > MAX_SIDE_PX || rect.y + rect.h > MAX_SIDE_PX)
        throw new ProtocolError('binary frame: rectangle lies outside any frame')
      const { cellBytes = 0, channelBytes, ...times } = check(tileMetaSchema, meta)
      const pixelBytes = body.length - cellBytes
      if (pixelBytes < 0)
        throw new ProtocolError(`binary frame: ${cellBytes} bytes of cells in a body of ${body.length}`)
      const parts = {
        body: body.subarray(0, pixelBytes),
        ...(channelBytes ? { channelBytes } : {}),
        ...(cellBytes > 0 ? { cells: body.subarray(pixelBytes) } : {}),
      }
      return { kind, lease: u32(12), rect, encoding, rawBytes, times, ...parts }
    }
  }
}

function metaOf(message: BinaryMessage): unknown {
  switch (message.kind) {
    case 'part-chunk':
      return { part: message.part }
    case 'frame-done': {
      const { bytes, deflated } = message.report
      return { reportBytes: bytes.length, ...(deflated ? { deflated } : {}) }
    }
    case 'frame-preview':
      return { samples: message.samples }
    case 'tile-done': {
      const { times, channelBytes, cells } = message
      return { ...times, ...(channelBytes ? { channelBytes } : {}), ...(cells ? { cellBytes: cells.length } : {}) }
    }
    case 'frame-plane':
      return { channel: message.channel }
    case 'state-chunk':
      return {}
  }
}

/** The pieces that follow the meta. */
function bodyOf(message: BinaryMessage): Uint8Array[] {
  if (message.kind === 'frame-done') return [message.report.bytes, message.body]
  return message.kind === 'tile-done' && message.cells ? [message.body, message.cells] : [message.body]
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new ProtocolError('binary frame: meta is not JSON')
  }
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ProtocolError(`binary frame: ${schemaProblem(result.error)}`)
}
