/** Ids of objects and materials, compared with where the triangle that a ray hits comes from. */
import { describe, expect, it } from 'vitest'
import { frameRect } from '../../../shared/frame/rect.ts'
import { allSamples } from '../../../shared/frame/view.ts'
import { bakedScene } from '../../../shared/scene/ambient-look.ts'
import { bake, bakedSize, bakeInto, materialOf, VERTEX_FLOATS } from '../../../shared/scene/bake.ts'
import type { SceneDescription } from '../../../shared/scene/description.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import { WHOLE_WORDS } from '../../../shared/scene/triangle-bits.ts'
import type { KernelName } from '../../../worker/engine/engine.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { openHere } from '../support/engines.ts'
import { instancedScene } from '../support/instanced-scene.ts'
import { viewOf } from '../support/meshes.ts'

/** Objects of one instance, of neighbours, and of instances that are far apart in the scene. */
function named(scene: SceneDescription): SceneDescription {
  return {
    ...scene,
    instances: scene.instances.map((instance, i) => ({ ...instance, object: i % 9 < 4 ? 65534 : (i * 7) % 11 })),
    materials: scene.materials.map((material, i) => ({ ...material, label: (i * 5) % 7 })),
  }
}

describe.each<KernelName>(['wasm', 'reference'])('with the engine %s', name => {
  it.each([
    ['that are baked', { saved: Number.POSITIVE_INFINITY, savedOfMesh: Number.POSITIVE_INFINITY }],
    ['that are instanced where they can be', { saved: 0, savedOfMesh: 0 }],
  ])('pixels have the numbers of meshes %s', (_, rule) => {
    const scene = named(instancedScene(60))
    const view = viewOf([64, 48], { quality: { samples: 1, ambientRays: 0, maxDepth: 1 } })
    const pixels = 64 * 48
    const ids = () => new Uint32Array(pixels)
    const centre = { id: ids(), objectId: ids(), materialId: ids() }
    openHere(loadWasmEngine(name, rule), bakedScene(packScene(scene))).trace(
      view,
      { rect: frameRect(view.size) },
      allSamples(view),
      { light: new Float64Array(pixels * 3), centre },
    )
    const size = bakedSize(scene)
    const ends = bakeInto(scene, {
      vertices: new Float32Array(size.vertices * VERTEX_FLOATS),
      corners: new Uint32Array(size.triangles * WHOLE_WORDS.words),
      bits: WHOLE_WORDS,
    })
    const triangles = bake(scene)
    const seen = new Set<number>()
    for (let pixel = 0; pixel < pixels; pixel++) {
      const triangle = centre.id[pixel]! - 1
      const instance = scene.instances[ends.findIndex(end => end > triangle)]!
      const material = scene.materials[materialOf(triangles, Math.max(0, triangle))]!
      const expected = triangle < 0 ? [0, 0] : [instance.object! + 1, material.label! + 1]
      expect([centre.objectId[pixel], centre.materialId[pixel]]).toEqual(expected)
      seen.add(centre.objectId[pixel]!)
    }
    expect(seen.size).toBeGreaterThan(8)
  })
})
