/** The promise that the mask makes to balancers: where a camera ray hits anything, the pixel is set. */
import { describe, expect, it } from 'vitest'
import { projectCoverage } from '../../../master/coverage/project.ts'
import { prepareScene } from '../../../scripts/run/prepare-scene.ts'
import { silentLog } from '../../../shared/log.ts'
import type { Size } from '../../../shared/rect.ts'
import { bakedScene } from '../../../shared/scene/ambient-look.ts'
import { readPackedScene } from '../../../shared/scene/packed-scene.ts'
import { buildBvh } from '../../../worker/engine/reference/bvh-builder.ts'
import { openStructure } from '../../../worker/engine/reference/bvh-layout.ts'
import { Traversal } from '../../../worker/engine/reference/traversal.ts'

const size: Size = [160, 90]

describe.each(['dragon', 'corner', 'crowd', 'glass'])('the mask of %s', name => {
  it.each(['orbit', 'fly-through'] as const)('is set wherever a camera ray of the %s hits', async path => {
    const prepared = await prepareScene(name, size, path, silentLog)
    const scene = readPackedScene(prepared.held.bytes)
    const baked = bakedScene(scene)
    const traversal = new Traversal(openStructure(buildBvh(baked)), baked)
    let [hits, empty] = [0, 0]
    for (const frame of [0, 7]) {
      const camera = prepared.cameraAt(frame)
      const { origin, right, up, back, tanHalfX, tanHalfY, near, far } = camera
      const mask = projectCoverage(scene, camera, size)
      for (let y = 0; y < size[1]; y++) {
        for (let x = 0; x < size[0]; x++) {
          // The corners of the pixel are where a mask that is not conservative fails first.
          for (const [sx, sy] of [
            [0.001, 0.001],
            [0.999, 0.001],
            [0.001, 0.999],
            [0.999, 0.999],
            [0.5, 0.5],
          ] as const) {
            const u = ((2 * (x + sx)) / size[0] - 1) * tanHalfX
            const v = (1 - (2 * (y + sy)) / size[1]) * tanHalfY
            const along = (k: 0 | 1 | 2) => right[k] * u + up[k] * v - back[k]
            if (!traversal.closestHit(...origin, along(0), along(1), along(2), near, far)) continue
            hits++
            if (!mask.has(x, y)) empty++
          }
        }
      }
    }
    expect(hits).toBeGreaterThan(1000)
    expect(empty).toBe(0)
  })
})
