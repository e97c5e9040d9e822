/** Meshes with trees of their own: whatever is instanced, the picture has the bytes of the one in which everything is baked. */
import { describe, expect, it } from 'vitest'
import { frameRect } from '../../../../shared/rect.ts'
import { bakedScene } from '../../../../shared/scene/ambient-look.ts'
import type { SceneDescription } from '../../../../shared/scene/description.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import { allSamples, type Quality, type View } from '../../../../shared/view.ts'
import type { EngineName } from '../../../../worker/engine/engine.ts'
import { SCENE_INSTANCE_COUNT } from '../../../../worker/engine/wasm/kernel/instance-layout.ts'
import { KernelMemory } from '../../../../worker/engine/wasm/memory.ts'
import type { WasmScene } from '../../../../worker/engine/wasm/wasm-scene.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { buildHere } from '../../support/engines.ts'
import { instancedScene } from '../../support/instanced-scene.ts'
import { viewOf } from '../../support/meshes.ts'
import { headerWord } from './structure.ts'

const ALL = { saved: 0, savedOfMesh: 0 }
const NONE = { saved: Number.POSITIVE_INFINITY, savedOfMesh: 0 }

const AMBIENT: Quality = { samples: 2, ambientRays: 2, maxDepth: 4 }
const PATH: Quality = { samples: 2, ambientRays: 0, maxDepth: 0, bounces: 4 }

/** All channels of a picture, and how many instances the scene has in memory. */
function pictureOf(name: EngineName, scene: SceneDescription, view: View, rule = ALL) {
  const engine = loadWasmEngine(name, rule)
  const built = buildHere(engine, bakedScene(packScene(scene))) as WasmScene
  const pixels = view.size[0] * view.size[1]
  const floats = (count: number) => new Float32Array(pixels * count)
  const light = new Float64Array(pixels * 3)
  const centre = { normal: floats(3), position: floats(3), depth: floats(1), id: new Uint32Array(pixels) }
  const [albedo, depth] = [new Float64Array(pixels * 3), floats(1)]
  const out = { light, centre, albedo, depth, alpha: new Uint16Array(pixels) }
  engine.open(built, 0).trace(view, { rect: frameRect(view.size) }, allSamples(view), out)
  return { out, instances: headerWord(new KernelMemory(built.memory), SCENE_INSTANCE_COUNT) }
}

const far = (scene: SceneDescription, by: number): SceneDescription => ({
  ...scene,
  instances: scene.instances.map(instance => ({
    ...instance,
    transform: instance.transform.map((x, i) => (i % 4 === 3 ? x + by : x)),
  })),
})

describe.each<EngineName>(['wasm', 'reference'])('with the engine %s', name => {
  const size: View['size'] = name === 'wasm' ? [160, 120] : [48, 36]
  it.each([
    ['of the ambient integrator', AMBIENT],
    ['of the path tracer', PATH],
  ])('pictures %s have the bytes of baked triangles', (_, quality) => {
    const scene = instancedScene(120)
    const view = viewOf(size, { quality })
    const baked = pictureOf(name, scene, view, NONE)
    const instanced = pictureOf(name, scene, view)
    expect(baked.instances).toBe(0)
    expect(instanced.instances).toBeGreaterThan(90)
    expect(instanced.instances).toBeLessThan(120)
    expect(instanced.out).toEqual(baked.out)
  })
})

it('pictures of things far from the origin have the bytes of baked triangles', () => {
  const scene = far(instancedScene(60), 4000)
  const view = viewOf([120, 90], { quality: AMBIENT })
  const camera = { ...view.camera, origin: view.camera.origin.map(x => x + 4000) as [number, number, number] }
  const seen = { ...view, camera }
  expect(pictureOf('wasm', scene, seen).out).toEqual(pictureOf('wasm', scene, seen, NONE).out)
})
