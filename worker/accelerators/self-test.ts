/**
 * What a device must show before it is given work: a few pixels of a small scene, the same as the CPU's. A device that is there, and
 * computes nothing or something else, is found out here and not in somebody's picture.
 */
import type { SceneData } from '../../shared/scene/packed-layout.ts'
import { packScene } from '../../shared/scene/packed-scene.ts'
import type { View } from '../../shared/view.ts'
import type { TilePool } from '../tile-pool.ts'
import { TileProgress } from '../tile-progress.ts'

const NAME = 'self-test'
const SIZE = [16, 12] as const

/** A mirror above a matte square, under a sky: camera, shadow, ambient and mirror rays. */
const SCENE: SceneData = {
  positions: Float32Array.of(-3, 0, -3, 3, 0, -3, 3, 0, 3, -3, 0, 3, -1, 0.2, -1, 1, 0.2, -1, 0, 1.6, -1.2),
  normals: new Float32Array(21),
  indices: Uint32Array.of(0, 2, 1, 0, 3, 2, 4, 5, 6),
  materialIds: Uint16Array.of(0, 0, 1),
  materials: [
    { kind: 'matte', color: [0.7, 0.5, 0.3] },
    { kind: 'mirror', color: [0.9, 0.9, 0.9] },
  ],
  sky: { zenith: [0.3, 0.5, 0.9], horizon: [0.8, 0.85, 0.9], ground: [0.3, 0.28, 0.25] },
  sun: { direction: [0.48, 0.8, 0.36], irradiance: [3, 2.9, 2.7] },
}

const VIEW: View = {
  frame: 0,
  size: SIZE,
  camera: {
    origin: [0, 1, 4],
    right: [1, 0, 0],
    up: [0, 1, 0],
    back: [0, 0, 1],
    tanHalfX: 0.6,
    tanHalfY: 0.45,
    near: 0.01,
    far: 100,
  },
  quality: { samples: 2, ambientRays: 2, maxDepth: 3 },
  exposure: 1,
}

/** What is wrong with a device, in words; undefined where nothing is. */
export async function selfTest(device: TilePool, cpu: TilePool): Promise<string | undefined> {
  const [tested, judged] = await Promise.all([pixelsOf(device), pixelsOf(cpu)])
  const wrong = judged.filter((value, i) => value !== tested[i]).length
  return wrong === 0 && tested.length === judged.length
    ? undefined
    : `${wrong} of ${judged.length} bytes of its self-test are wrong`
}

async function pixelsOf(pool: TilePool): Promise<Uint8Array> {
  const { bytes } = packScene(SCENE, length => new Uint8Array(new SharedArrayBuffer(length)))
  await pool.loadScene(NAME, bytes as Uint8Array<SharedArrayBuffer>)
  try {
    const [w, h] = SIZE
    const tile = { rect: { x: 0, y: 0, w, h } }
    const traced = await pool.trace({ scene: NAME, view: VIEW, tile }, TileProgress.of(h))
    return traced?.pixels ?? new Uint8Array(0)
  } finally {
    await pool.unloadScene(NAME)
  }
}
