/**
 * What a device must show before it is given work: a few pixels of a small scene, the same as the CPU's. A device that is there, and
 * computes nothing or something else, is found out here and not in a picture.
 */

import type { View } from '../../shared/frame/view.ts'
import { IDENTITY, type SceneDescription } from '../../shared/scene/description.ts'
import { DEFAULT_MATERIAL } from '../../shared/scene/material.ts'
import { packScene } from '../../shared/scene/packed-scene.ts'
import type { TilePool } from '../tile-pool.ts'
import { TileProgress } from '../tile-progress.ts'
import { type Device, DeviceError } from './guarded-pool.ts'

/** Of tests in this process: two devices that start at once are judged by one CPU. */
let tests = 0
const SIZE = [16, 12] as const

/** A mirror above a matte square, under a sky: camera, shadow, ambient and mirror rays. */
const SCENE: SceneDescription = {
  meshes: [
    {
      attributes: ['position'],
      vertices: Float32Array.of(-3, 0, -3, 3, 0, -3, 3, 0, 3, -3, 0, 3, -1, 0.2, -1, 1, 0.2, -1, 0, 1.6, -1.2),
      indices: Uint32Array.of(0, 2, 1, 0, 3, 2, 4, 5, 6),
      slots: Uint16Array.of(0, 0, 1),
      slotCount: 2,
    },
  ],
  instances: [{ mesh: 0, transform: IDENTITY, materials: [0, 1] }],
  materials: [
    { ...DEFAULT_MATERIAL, color: [0.7, 0.5, 0.3] },
    { ...DEFAULT_MATERIAL, color: [0.9, 0.9, 0.9], metallic: 1, roughness: 0 },
  ],
  lights: [{ kind: 'distant', direction: [0.48, 0.8, 0.36], irradiance: [3, 2.9, 2.7], angle: 0 }],
  environment: { kind: 'sky', zenith: [0.3, 0.5, 0.9], horizon: [0.8, 0.85, 0.9], ground: [0.3, 0.28, 0.25] },
  textures: [],
  centre: [0, 0, 0],
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

/** A device that passed its test; one that did not is closed. Rejects with a sentence for people. */
export async function proven<D extends Device>(device: D, cpu: TilePool, most = 0): Promise<D> {
  try {
    const problem = await selfTest(device.pool, cpu, most)
    if (problem !== undefined) throw new DeviceError(problem)
    return device
  } catch (error) {
    await device.close().catch(() => {})
    throw error
  }
}

/**
 * What is wrong with a device, in words; undefined where nothing is.
 * @param most by how much bytes may differ, as those of an engine of its own do
 */
export async function selfTest(device: TilePool, cpu: TilePool, most = 0): Promise<string | undefined> {
  const name = `self-test ${++tests}`
  const [tested, judged] = await Promise.all([pixelsOf(device, name), pixelsOf(cpu, name)])
  const wrong = judged.filter((value, i) => !(Math.abs(value - (tested[i] ?? Number.NaN)) <= most)).length
  return wrong === 0 && tested.length === judged.length
    ? undefined
    : `${wrong} of ${judged.length} bytes of its self-test are wrong`
}

/** What a pool makes of the scene. @param name of the scene in it, until then */
export async function pixelsOf(pool: TilePool, name: string): Promise<Uint8Array> {
  const { bytes } = packScene(SCENE, length => new Uint8Array(new SharedArrayBuffer(length)))
  await pool.loadScene(name, bytes as Uint8Array<SharedArrayBuffer>)
  try {
    const [w, h] = SIZE
    const tile = { rect: { x: 0, y: 0, w, h } }
    const traced = await pool.trace({ scene: name, view: VIEW, tile }, TileProgress.of(h))
    return traced?.pixels ?? new Uint8Array(0)
  } finally {
    await pool.unloadScene(name)
  }
}
