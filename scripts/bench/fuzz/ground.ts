/** What the valid messages that are harmed are about: a small scene, a camera, a frame and its report. */
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import type { FrameState } from '../../../shared/frame/frame-state.ts'
import type { Camera, View } from '../../../shared/frame/view.ts'
import { sha256 } from '../../../shared/node/sha256.ts'
import type { SessionOrder } from '../../../shared/protocol/session-order.ts'
import { IDENTITY } from '../../../shared/scene/description.ts'
import { holdScene } from '../../../shared/scene/held-scene.ts'
import { DEFAULT_MATERIAL } from '../../../shared/scene/material.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../../shared/session/strategy-options.ts'

/** Two triangles under a sky. */
export const SCENE = holdScene(
  packScene({
    meshes: [
      {
        attributes: ['position'],
        vertices: Float32Array.of(-4, 0, -4, 4, 0, -4, 4, 0, 4, -4, 0, 4),
        indices: Uint32Array.of(0, 2, 1, 0, 3, 2),
        slots: Uint16Array.of(0, 0),
        slotCount: 1,
      },
    ],
    instances: [{ mesh: 0, transform: IDENTITY, materials: [0] }],
    materials: [DEFAULT_MATERIAL],
    textures: [],
    lights: [{ kind: 'distant', direction: [0, 1, 0], irradiance: [3, 3, 3], angle: 0 }],
    environment: { kind: 'sky', zenith: [0.3, 0.5, 0.9], horizon: [0.8, 0.8, 0.9], ground: [0.3, 0.3, 0.3] },
    centre: [0, 0, 0],
  }),
  sha256,
)

export const SIZE = [24, 16] as const

export const CAMERA: Camera = {
  origin: [0, 1.2, 6],
  right: [1, 0, 0],
  up: [0, 1, 0],
  back: [0, 0, 1],
  tanHalfX: 0.6,
  tanHalfY: 0.4,
  near: 0.1,
  far: 100,
}

export const QUALITY = { samples: 2, ambientRays: 1, maxDepth: 2 } as const

export const VIEW: View = { frame: 0, size: SIZE, camera: CAMERA, quality: QUALITY, exposure: 1 }

/** What there is of a frame of the order: both samples of half of its pixels. */
export const STATE: FrameState = {
  size: SIZE,
  most: QUALITY.samples,
  range: { from: 0, to: QUALITY.samples },
  phase: 'tracing',
  channels: ['depth', 'rgb'],
  planes: [
    { channel: 'depth', isNewest: false, bytes: new Uint8Array(SIZE[0] * SIZE[1] * 4) },
    { channel: 'rgb', isNewest: false, bytes: new Uint8Array(SIZE[0] * SIZE[1] * 3) },
  ],
  taken: new Uint32Array(3 * 2),
  arrived: new Uint32Array((SIZE[0] * SIZE[1]) / 32).fill(0x0000ffff),
}

export const ORDER: SessionOrder = {
  kind: 'film',
  sceneName: 'fuzz',
  scene: SCENE.hash,
  size: SIZE,
  quality: QUALITY,
  exposure: 1,
  passes: 1,
  progressive: true,
  inFlight: 1,
  spans: false,
  record: false,
  channels: ['depth'],
  strategy: 'pbt',
  options: DEFAULT_STRATEGY_OPTIONS,
  clock: 'cpu',
  engine: 'reference',
  minWorkers: 1,
  waitMs: 60_000,
}

/** For a client that keeps what there is of frames, and so has to answer for each. */
export const KEPT_ORDER: SessionOrder = { ...ORDER, keep: { kernel: 'k' } }

export const REPORT: FrameReport = {
  frame: 0,
  strategy: 'pbt',
  size: SIZE,
  workers: [],
  tiles: [],
  frameMs: 1,
  statsMs: 0,
  decideMs: 0,
  criticalMs: 0,
  meanMs: 0,
  epsilonCpu: 0,
  epsilonWall: 0,
  ledger: [],
  messages: 0,
  bytes: 0,
  migrationShare: 0,
  rescued: 0,
  stolen: 0,
  duplicated: 0,
  redundantPx: 0,
  probeMs: 0,
  decisions: {},
  spans: [],
  sha256: '0'.repeat(64),
}
