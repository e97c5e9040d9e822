/** The promise that the mask makes to balancers: where a camera ray hits anything, the pixel is set. */
import { describe, expect, it } from 'vitest'
import { projectCoverage } from '../../../master/coverage/project.ts'
import { prepareScene } from '../../../scripts/run/prepare-scene.ts'
import { silentLog } from '../../../shared/log.ts'
import type { Size } from '../../../shared/rect.ts'
import { bakedScene } from '../../../shared/scene/ambient-look.ts'
import { relativeTo } from '../../../shared/scene/centre.ts'
import { readPackedScene } from '../../../shared/scene/packed-scene.ts'
import { ask, castIn, PATHS } from '../../worker/engine/wasm/brute-force.ts'

const size: Size = [160, 90]

describe.each(['dragon', 'corner', 'crowd', 'glass'])('the mask of %s', name => {
  it.each(['orbit', 'fly-through'] as const)('is set wherever a camera ray of the %s hits', async path => {
    const prepared = await prepareScene(name, size, path, silentLog)
    const scene = readPackedScene((await prepared.held.content()).bytes)
    // The caster's rays are relative to the scene's centre.
    const caster = castIn(bakedScene(scene), size[0] * size[1])
    let [hits, empty] = [0, 0]
    for (const frame of [0, 7]) {
      const camera = prepared.cameraAt(frame)
      const { origin, right, up, back, tanHalfX, tanHalfY, near: tMin, far: tMax } = relativeTo(scene.centre, camera)
      const mask = projectCoverage(scene, camera, size)
      // The corners of the pixel are where a mask that is not conservative fails first.
      for (const [sx, sy] of [
        [0.001, 0.001],
        [0.999, 0.001],
        [0.001, 0.999],
        [0.999, 0.999],
        [0.5, 0.5],
      ] as const) {
        const rays = Array.from({ length: size[0] * size[1] }, (_, pixel) => {
          const u = ((2 * ((pixel % size[0]) + sx)) / size[0] - 1) * tanHalfX
          const v = (1 - (2 * (Math.floor(pixel / size[0]) + sy)) / size[1]) * tanHalfY
          const along = (k: 0 | 1 | 2) => right[k] * u + up[k] * v - back[k]
          return { origin, direction: [along(0), along(1), along(2)] as const, tMin, tMax }
        })
        ask(caster, rays, PATHS[0]).forEach(({ triangle }, pixel) => {
          if (triangle < 0) return
          hits++
          if (!mask.has(pixel % size[0], Math.floor(pixel / size[0]))) empty++
        })
      }
    }
    expect(hits).toBeGreaterThan(1000)
    expect(empty).toBe(0)
  })
})
