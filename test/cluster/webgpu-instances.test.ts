/** Scenes with instances on a device that traces whole paths: shown as the kernel shows them, whose instances are the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frameRect, type Size } from '../../shared/frame/rect.ts'
import { allSamples, type View } from '../../shared/frame/view.ts'
import { DEFAULT_MATERIAL } from '../../shared/scene/material.ts'
import { packScene } from '../../shared/scene/packed-scene.ts'
import { KernelMemory } from '../../worker/engine/wasm/memory.ts'
import { header } from '../../worker/engine/wasm/records/access.ts'
import { loadWasmEngine } from '../../worker/node/load-kernel.ts'
import { type ProcessDevice, startProcessDevice } from '../../worker/node/process-pool.ts'
import { anyAdapter } from '../support/any-adapter.ts'
import { type DeviceTracer, deviceTracer, type Packed } from '../support/device-tracer.ts'
import { isNightly } from '../support/nightly.ts'
import { instancedScene } from '../worker/support/instanced-scene.ts'
import { viewOf } from '../worker/support/meshes.ts'

const { name: adapter, restore } = await anyAdapter()
afterAll(restore)

const size: Size = [48, 36]
const whole = { rect: frameRect(size) }
const shared = (length: number) => new Uint8Array(new SharedArrayBuffer(length))
/** So many that the engine instances them by its own rule. */
const described = instancedScene(2000, 9)
const scene = { packed: packScene(described, shared).bytes }
/** The same ones of plain materials, and textures of nothing: shaders of these are small. */
const matte = {
  packed: packScene(
    {
      ...described,
      materials: described.materials.map(({ color }) => ({ ...DEFAULT_MATERIAL, color, roughness: 1, specular: 0 })),
      textures: [],
    },
    shared,
  ).bytes,
}

/** Sums of light, and how many instances there are. */
function ofKernel(scene: Packed, view: View): { light: Float64Array; instances: number } {
  const engine = loadWasmEngine('wasm')
  const building = engine.begin(scene.packed, 1)
  engine.help(building)
  const built = engine.finish(building)
  const light = new Float64Array(size[0] * size[1] * 3)
  engine.open(built, 0).trace(view, whole, allSamples(view), { light })
  return { light, instances: header(new KernelMemory(built.memory), 'instanceCount') }
}

describe.skipIf(adapter === undefined)('a device that traces whole paths, with instances', () => {
  let device: ProcessDevice
  let tracer: DeviceTracer
  beforeAll(async () => {
    device = await startProcessDevice({ engine: 'webgpu', threads: 2, cores: 2, webgpu: { adapter: adapter! } })
    tracer = deviceTracer(device)
  })
  afterAll(() => device.close())

  const paths = { samples: 2, ambientRays: 0, maxDepth: 0, bounces: 3 }
  it.each([
    ['by the ambient integrator', scene, { samples: 2, ambientRays: 1, maxDepth: 4 }],
    ['by paths, without what materials add', matte, paths],
    // Its shader has all that these materials have, which software compiles for minutes.
    ...(isNightly ? [['by paths', scene, paths] as const] : []),
  ] as const)('shows them as the kernel does, %s', async (_, scene, quality) => {
    const view = viewOf(size, { quality })
    const { light: theirs, instances } = ofKernel(scene, view)
    expect(instances).toBeGreaterThan(1000)
    const light = await tracer.sums(scene, view)
    const mean = theirs.reduce((sum, value) => sum + value, 0) / theirs.length
    expect(mean).toBeGreaterThan(0)
    // Edges are everywhere, and what a ray meets beside one is another thing.
    const off = light.filter((value, i) => !(Math.abs(value - theirs[i]!) <= 1e-2 * mean))
    expect(off.length).toBeLessThanOrEqual(0.02 * light.length)
    const bias = light.reduce((sum, value, i) => sum + value - theirs[i]!, 0) / light.length
    expect(Math.abs(bias)).toBeLessThan(5e-3 * mean)
  })
})
