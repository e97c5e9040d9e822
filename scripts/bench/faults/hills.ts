/** The scene of the bench: hills under a sky, in any number of variants that look the same to the last bit. */

import type { Size } from '../../../shared/frame/rect.ts'
import type { Camera } from '../../../shared/frame/view.ts'
import { sha256 } from '../../../shared/node/sha256.ts'
import type { SessionOrder } from '../../../shared/protocol/session-order.ts'
import { IDENTITY } from '../../../shared/scene/description.ts'
import { type HeldScene, holdScene } from '../../../shared/scene/held-scene.ts'
import { DEFAULT_MATERIAL } from '../../../shared/scene/material.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../../shared/session/strategy-options.ts'
import { FRAMES, type Scenario } from './scenario.ts'

/** Larger than thumbnails. */
export const SIZE: Size = [256, 144]
const QUALITY = { samples: 4, ambientRays: 2, maxDepth: 3 } as const
/** Vertices along a side. */
const SIDE = 40

/** @param variant differs in a triangle without area, which no ray meets: other parts, another structure, the same picture */
export function hills(variant: number): HeldScene {
  const vertices: number[] = []
  const indices: number[] = []
  for (let i = 0; i < SIDE; i++)
    for (let k = 0; k < SIDE; k++) {
      const [x, z] = [(8 * i) / (SIDE - 1) - 4, (8 * k) / (SIDE - 1) - 4]
      vertices.push(x, 0.5 * Math.abs(((i * 7 + k * 3) % 11) / 11 - 0.5) + 0.05 * ((i * k) % 5), z)
      if (i === 0 || k === 0) continue
      const here = i * SIDE + k
      indices.push(here, here - 1, here - SIDE, here - 1, here - SIDE - 1, here - SIDE)
    }
  const extra = vertices.length / 3
  const at = (variant % 65_536) / 65_536
  vertices.push(at, 0.1, (variant >>> 16) / 65_536)
  indices.push(extra, extra, extra)
  const packed = packScene({
    meshes: [
      {
        attributes: ['position'],
        vertices: Float32Array.from(vertices),
        indices: Uint32Array.from(indices),
        slots: new Uint16Array(indices.length / 3),
        slotCount: 1,
      },
    ],
    instances: [{ mesh: 0, transform: IDENTITY, materials: [0] }],
    materials: [DEFAULT_MATERIAL],
    textures: [],
    lights: [{ kind: 'distant', direction: [0.6, 0.64, 0.48], irradiance: [3, 3, 3], angle: 0 }],
    environment: { kind: 'sky', zenith: [0.3, 0.5, 0.9], horizon: [0.8, 0.8, 0.9], ground: [0.3, 0.3, 0.3] },
    centre: [0, 0, 0],
  })
  return holdScene(packed, sha256)
}

/** Every other frame is seen from the other side. */
export const cameraOf = (frame: number): Camera => ({
  ...(frame % 2 === 0
    ? { origin: [0, 1.5, 5], right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1] }
    : { origin: [0, 1.5, -5], right: [-1, 0, 0], up: [0, 1, 0], back: [0, 0, -1] }),
  tanHalfX: 0.6,
  tanHalfY: 0.34,
  near: 0.1,
  far: 100,
})

export const frames = () => Array.from({ length: FRAMES }, (_, frame) => ({ frame, camera: cameraOf(frame) }))

/** @param minWorkers how many the first frame waits for */
export const orderOf = (
  { strategy, passes, inFlight }: Pick<Scenario, 'strategy' | 'passes' | 'inFlight'>,
  scene: HeldScene,
  minWorkers: number,
): SessionOrder => ({
  kind: 'film',
  sceneName: 'hills',
  scene: scene.hash,
  size: SIZE,
  quality: QUALITY,
  exposure: 1,
  passes,
  progressive: false,
  inFlight,
  spans: false,
  strategy,
  options: DEFAULT_STRATEGY_OPTIONS,
  record: false,
  clock: 'cpu',
  engine: 'wasm',
  minWorkers,
  waitMs: 10_000,
})
