/** What honest peers say, in order, from hello to the end. Inputs begin with some of it and go on with something harmed. */
import { headOf, sectionsOf } from '../../../shared/frame/state-head.ts'
import { sha256 } from '../../../shared/node/sha256.ts'
import { encodeCells } from '../../../shared/protocol/cell-costs.ts'
import { type BinaryMessage, encodeBinary, type TileDone } from '../../../shared/protocol/codec.ts'
import { packCells } from '../../../shared/protocol/node/cell-packing.ts'
import { encodeTile } from '../../../shared/protocol/node/pixel-encoding.ts'
import { packReport } from '../../../shared/protocol/node/report-packing.ts'
import { SESSION_VERSION } from '../../../shared/protocol/session-order.ts'
import { PROTOCOL_VERSION } from '../../../shared/protocol/version.ts'
import { CAMERA, KEPT_ORDER, ORDER, REPORT, SCENE, SIZE, STATE, VIEW } from './ground.ts'

/** A message before it is JSON or bytes. */
export type Said = { readonly type: string; readonly [field: string]: unknown } | BinaryMessage

const scene = SCENE.hash
const [W, H] = SIZE
const PIXELS = W * H

const chunks: Said[] = SCENE.manifest.parts.map(({ sha256: part }) => ({
  kind: 'part-chunk',
  part,
  index: 0,
  body: Uint8Array.from(SCENE.parts.get(part)!),
}))
const partNames = SCENE.manifest.parts.map(({ sha256: part }) => part)

const times = { waitMs: 0, wallMs: 1, cpuMs: 1, encodeMs: 0 }
const tile = (lease: number, y: number, h: number, changes: Partial<TileDone> = {}): Said => ({
  kind: 'tile-done',
  lease,
  rect: { x: 0, y, w: W, h },
  encoding: 'raw',
  rawBytes: W * h * 3,
  times,
  body: new Uint8Array(W * h * 3),
  ...changes,
})

/** Leases as `MasterBench` gives them out, with their answers. */
export const TILES = {
  plain: { x: 0, y: 0, w: W, h: 4 },
  parts: { x: 0, y: 4, w: W, h: 4 },
  light: { x: 0, y: 8, w: W, h: 8 },
} as const

const light = encodeTile('lz4', ['light', 'depth'], W * 8, new Uint8Array(W * 8 * (24 + 4)))
const cells = packCells({ cell: 8, costs: new Float64Array(3).fill(1), depths: new Float32Array(3).fill(2) })

const hello = { type: 'hello', protocol: PROTOCOL_VERSION, encodings: ['raw', 'lz4'] }
const area = { engine: 'reference', kernel: 'k', threads: 1, speed: 1, clock: 'cpu', grain: { rows: 1 } }

/** A worker to its master. */
export const FROM_WORKER: readonly Said[] = [
  { ...hello, role: 'worker', name: 'w', areas: [area], holds: [sha256(new Uint8Array(1))] },
  { type: 'parts-wanted', scene, parts: partNames },
  { type: 'scene-ready', scene, buildMs: 1 },
  tile(0, 0, 4),
  tile(1, 4, 2, { times: { ...times, more: true } }),
  { type: 'tile-progress', lease: 1, rows: 1 },
  tile(1, 6, 2),
  tile(2, 8, 8, { encoding: 'lz4', rawBytes: W * 8 * 28, ...light, cells }),
  { type: 'area-state', area: 0, reason: 'hot' },
  { type: 'area-state', area: 0 },
  { type: 'ping' },
  { type: 'leaving', reason: 'stopped', keeps: [{ lease: 0, rows: 2 }] },
  { type: 'tile-failed', lease: 3, reason: 'no' },
  { type: 'scene-failed', scene, reason: 'no' },
  { type: 'scene-dropped', scene },
]

/** What there is of a frame, after its head. */
const stateChunks = (frame: number): Said[] =>
  sectionsOf(STATE)
    .filter(({ length }) => length > 0)
    .map((body, index) => ({
      ...{ kind: 'state-chunk', session: 0, frame, index, encoding: 'raw' },
      ...{ rawBytes: body.length, body },
    }))

const frames = [{ frame: 0, camera: CAMERA }]
const viewFacts = {
  triangles: 1,
  viewpoint: { eye: [0, 0, 1], target: [0, 0, 0], up: [0, 1, 0], fov: 36 },
  subject: { centre: [0, 0, 0], radius: 1, halfHeight: 1, fill: 0.9, elevationTurns: 0 },
}

/** A client to its master. */
export const FROM_CLIENT: readonly Said[] = [
  { ...hello, role: 'client' },
  { type: 'offer-scene', scene, manifest: SCENE.manifest },
  ...chunks,
  { type: 'open-session', session: 0, version: SESSION_VERSION, order: KEPT_ORDER },
  { type: 'frames', session: 0, frames: [{ ...frames[0], from: headOf(STATE) }] },
  ...stateChunks(0),
  { type: 'want-state', session: 0, frame: 0 },
  { type: 'frame-kept', session: 0, frame: 0 },
  { type: 'frames', session: 0, frames: [{ ...frames[0], frame: 1, scene }], end: true },
  { type: 'open-session', session: 1, version: SESSION_VERSION, order: { ...ORDER, kind: 'viewer' } },
  { type: 'frames', session: 1, frames, abandon: true },
  { type: 'frame-taken', session: 0, frame: 0 },
  { type: 'offer-view', view: 0, version: SESSION_VERSION, order: { ...ORDER, kind: 'viewer' }, facts: viewFacts },
  { type: 'want-ticket', view: 0 },
  { type: 'scene-made', view: 0, ask: 0, scene },
  { type: 'scene-not-made', view: 0, ask: 0, reason: 'no' },
  { type: 'end-view', view: 0 },
  { type: 'drain', worker: 'w' },
  { type: 'close-session', session: 1 },
]

const traced = { type: 'trace-tile', work: 0 }

/** A master to its worker. */
export const TO_WORKER: readonly Said[] = [
  { type: 'challenge', nonce: 'n'.repeat(43) },
  { type: 'welcome', id: 'w1', encoding: 'raw' },
  { type: 'use-scene', scene, manifest: SCENE.manifest },
  ...chunks,
  { ...traced, lease: 0, rect: TILES.plain, view: { scene, view: VIEW } },
  { ...traced, lease: 1, rect: TILES.parts, part: 2, cell: 8 },
  { ...traced, lease: 2, rect: TILES.light, channels: ['light', 'depth'], samples: { from: 0, to: 1 } },
  {
    ...traced,
    lease: 3,
    rect: { x: 0, y: 0, w: W, h: H },
    pattern: { kind: 'strided', cellW: 2, cellH: 2, columns: W / 2, stride: 3, phase: 1 },
  },
  { type: 'trim-tile', lease: 1, rows: 1 },
  { type: 'pong' },
  { type: 'cancel-tile', lease: 2 },
  { type: 'cancel-work', work: 0 },
  { type: 'release-scene', scene },
  { type: 'leave', reason: 'drained' },
  { type: 'goodbye', code: 'DONE', reason: 'done' },
]

const packed = { encoding: 'raw', rawBytes: PIXELS * 3, body: new Uint8Array(PIXELS * 3) } as const
const depths = { encoding: 'raw', rawBytes: PIXELS * 4, body: new Uint8Array(PIXELS * 4) } as const

const PROGRESS = { frame: 0, elapsedMs: 900, pass: 1, passes: 2, samples: 8, mostSamples: 16, least: 0.3, most: 0.6 }

/** A master to its client. */
export const TO_CLIENT: readonly Said[] = [
  { type: 'welcome', id: 'c1', encoding: 'raw' },
  { type: 'parts-wanted', scene, parts: partNames },
  { type: 'scene-held', scene },
  { type: 'scene-refused', scene, code: 'STORE_FULL', reason: 'no room' },
  { type: 'session-started', session: 0, workers: [] },
  { type: 'frames-wanted', session: 0, count: 2 },
  { type: 'session-status', session: 0, text: 'waiting' },
  { type: 'frame-progress', session: 0, progress: PROGRESS },
  { type: 'frame-at', session: 0, frame: 0, at: 'begun' },
  { type: 'frame-state', session: 0, frame: 0, head: headOf(STATE) },
  ...stateChunks(0),
  { type: 'frame-at', session: 0, frame: 0, at: 'complete' },
  { type: 'frame-state', session: 0, frame: 0 },
  { kind: 'frame-preview', session: 0, frame: 0, samples: 1, ...packed },
  { kind: 'frame-plane', session: 0, frame: 0, channel: 'depth', row: 0, rows: H, ...depths },
  { kind: 'frame-done', session: 0, frame: 0, report: packReport(REPORT), ...packed },
  { kind: 'frame-plane', session: 0, frame: 1, channel: 'depth', row: 0, rows: H, ...depths },
  { kind: 'frame-done', session: 0, frame: 1, report: packReport({ ...REPORT, frame: 1 }), ...packed },
  { type: 'session-done', session: 0 },
  { type: 'session-failed', session: 0, code: 'CANCELLED', reason: 'no' },
  { type: 'view-shown', view: 0, ticket: 'ticket' },
  { type: 'want-scene', view: 0, ask: 0, asked: { sun: 'none' } },
  { type: 'view-refused', view: 0, code: 'CANCELLED', reason: 'no' },
  { type: 'drained', left: [{ id: 'w1', reason: 'drained', finished: 1, ms: 2 }], remaining: ['w'] },
  { type: 'goodbye', code: 'DONE', reason: 'done' },
]

export const ALL: readonly Said[] = [...FROM_WORKER, ...FROM_CLIENT, ...TO_WORKER, ...TO_CLIENT]

export const isBinary = (said: Said): said is BinaryMessage => 'kind' in said

const WIRES = new Map(ALL.map(said => [said, isBinary(said) ? encodeBinary(said) : JSON.stringify(said)]))

/** One of these messages as it travels. Its receiver does not write to it. */
export const wireOf = (said: Said): string | Uint8Array => WIRES.get(said)!

/** The bytes of cells as they are deflated. */
export const CELL_BYTES = encodeCells({
  cell: 8,
  costs: new Float64Array(3).fill(1),
  depths: new Float32Array(3).fill(2),
})
