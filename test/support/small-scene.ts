/** A packed scene small enough to send around in tests: a tent on a plane. */

import type { Camera } from '../../shared/frame/view.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import { type HeldScene, holdScene } from '../../shared/scene/held-scene.ts'
import { packScene } from '../../shared/scene/packed-scene.ts'
import { described } from './described.ts'

export function smallScene(): HeldScene {
  const positions = Float32Array.from([
    -4, 0, -4, 4, 0, -4, 4, 0, 4, -4, 0, 4, -1, 0, 1, 1, 0, 1, 0, 1.5, 0, 1, 0, -1, -1, 0, -1,
  ])
  const indices = Uint32Array.from([0, 2, 1, 0, 3, 2, 4, 5, 6, 5, 7, 6, 7, 8, 6, 8, 4, 6])
  const packed = packScene(
    described({
      positions,
      normals: Float32Array.from({ length: positions.length }, (_, i) => (i % 3 === 1 ? 1 : 0)),
      indices,
      materialIds: Uint16Array.from([0, 0, 1, 1, 2, 2]),
      materials: [
        { kind: 'matte', color: [0.7, 0.7, 0.65] },
        { kind: 'mirror', color: [0.9, 0.9, 0.9] },
        { kind: 'coated', color: [0.7, 0.2, 0.1], ior: 1.5 },
      ],
      sky: { zenith: [0.3, 0.5, 0.9], horizon: [0.8, 0.85, 0.9], ground: [0.3, 0.28, 0.25] },
      sun: { direction: [0.6, 0.64, 0.48], irradiance: [3, 2.9, 2.7] },
    }),
  )
  return holdScene(packed, sha256)
}

/** Looks down on the tent; moves a little with the frame. */
export const smallCamera = (frame: number): Camera => ({
  origin: [0.1 * frame, 1.2, 6],
  right: [1, 0, 0],
  up: [0, 1, 0],
  back: [0, 0, 1],
  tanHalfX: 0.6,
  tanHalfY: 0.45,
  near: 0.1,
  far: 100,
})
