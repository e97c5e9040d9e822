/** The promise that the mask makes to balancers: where a camera ray hits anything, the pixel is set. */
import { describe, expect, it } from 'vitest'
import { projectCoverage } from '../../../master/coverage/project.ts'
import { loadScene } from '../../../scripts/library/ready-scene.ts'
import { filmCamera } from '../../../scripts/run/film-camera.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import type { Camera, Vec3 } from '../../../shared/frame/view.ts'
import { bakedScene } from '../../../shared/scene/ambient-look.ts'
import { relativeTo } from '../../../shared/scene/centre.ts'
import { readPackedScene } from '../../../shared/scene/packed-scene.ts'
import { putCameraRay, RAY_FLOATS } from '../../../worker/engine/camera-rays.ts'
import type { RayCaster } from '../../../worker/engine/wasm/ray-caster.ts'
import { mapVec } from '../../worker/engine/wasm/aimed-rays.ts'
import { ask, castIn, PATHS, type Ray } from '../../worker/engine/wasm/brute-force.ts'

const size: Size = [160, 90]
/** Where in a pixel. Its corners are where a mask that is not conservative fails first. */
const PLACES = [
  [0.001, 0.001],
  [0.999, 0.001],
  [0.001, 0.999],
  [0.999, 0.999],
  [0.5, 0.5],
] as const

type Seen = ReturnType<typeof readPackedScene>

/** How many rays of a camera hit something, and of these how many through a pixel that is not set. */
function hitsOf(scene: Seen, caster: RayCaster, camera: Camera) {
  // The caster's rays are relative to the scene's centre.
  const view = { size, camera: relativeTo(scene.centre, camera) }
  const mask = projectCoverage(scene, camera, size)
  const one = new Float32Array(RAY_FLOATS)
  let [hits, empty] = [0, 0]
  for (const [across, down] of PLACES) {
    const rays = Array.from({ length: size[0] * size[1] }, (_, pixel): Ray => {
      putCameraRay(view, pixel % size[0], across, Math.floor(pixel / size[0]), down, one, 0)
      return { origin: mapVec(k => one[k]!), direction: mapVec(k => one[4 + k]!), tMin: one[3]!, tMax: one[7]! }
    })
    ask(caster, rays, PATHS[0]).forEach(({ triangle }, pixel) => {
      if (triangle < 0) return
      hits++
      if (!mask.has(pixel % size[0], Math.floor(pixel / size[0]))) empty++
    })
  }
  return { hits, empty }
}

async function opened(name: string) {
  const ready = await loadScene(name)
  const scene = readPackedScene((await ready.held.content()).bytes)
  const cameraOf = (path: 'orbit' | 'fly-through') => filmCamera(ready, path, size).cameraAt
  return { cameraOf, scene, caster: castIn(bakedScene(scene), size[0] * size[1]) }
}

describe.each(['dragon', 'corner', 'crowd', 'glass'])('the mask of %s', name => {
  it('is set wherever a camera ray of any path hits', async () => {
    const { cameraOf, scene, caster } = await opened(name)
    for (const path of ['orbit', 'fly-through'] as const) {
      const frames = [0, 7].map(frame => hitsOf(scene, caster, cameraOf(path)(frame)))
      expect(frames[0]!.hits + frames[1]!.hits).toBeGreaterThan(1000)
      expect(frames.map(({ empty }) => empty)).toEqual([0, 0])
    }
  })
})

it('the mask of corner is set wherever a camera ray along an axis hits', async () => {
  const { cameraOf, scene, caster } = await opened('corner')
  const far = Math.hypot(...relativeTo(scene.centre, cameraOf('orbit')(0)).origin)
  for (let side = 0; side < 6; side++) {
    const [axis, sign] = [side >> 1, side & 1 ? -1 : 1]
    const [back, up] = [mapVec(k => (k === axis ? sign : 0)), mapVec(k => Number(k === (axis + 1) % 3))]
    const right: Vec3 = [
      up[1] * back[2] - up[2] * back[1],
      up[2] * back[0] - up[0] * back[2],
      up[0] * back[1] - up[1] * back[0],
    ]
    const origin = mapVec(k => scene.centre[k] + 3 * far * back[k])
    const camera = { origin, right, up, back, near: far * 1e-3, far: far * 100 }
    const [tanHalfX, tanHalfY] = [far * 0.8, far * 0.45]
    const parallel = hitsOf(scene, caster, { ...camera, tanHalfX, tanHalfY, orthographic: true })
    expect(parallel.hits).toBeGreaterThan(1000)
    expect(parallel.empty).toBe(0)
    expect(hitsOf(scene, caster, { ...camera, tanHalfX: 0.3, tanHalfY: 0.17 }).empty).toBe(0)
  }
})
