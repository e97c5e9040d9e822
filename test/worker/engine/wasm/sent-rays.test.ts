/**
 * Rays that the kernel sends elsewhere: whatever a device answers and whatever it leaves, pictures have the bytes that they have without it, as long as
 * the answers are right; and a device that fails ends the tile.
 */
import { describe, expect, it } from 'vitest'
import { frameRect, type Size } from '../../../../shared/frame/rect.ts'
import { allSamples, type View } from '../../../../shared/frame/view.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import { ALL_INSTANCES } from '../../../../worker/engine/wasm/instances/instancing.ts'
import { instantiate, type Kernel } from '../../../../worker/engine/wasm/kernel.ts'
import { KernelMemory } from '../../../../worker/engine/wasm/memory.ts'
import { put } from '../../../../worker/engine/wasm/records/access.ts'
import { RAY } from '../../../../worker/engine/wasm/records/rays.ts'
import type { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import type { WasmScene } from '../../../../worker/engine/wasm/wasm-scene.ts'
import type { RaysElsewhere } from '../../../../worker/engine/wasm/wasm-tracer.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { veiled } from '../../../support/veiled-scene.ts'
import { instancedScene } from '../../support/instanced-scene.ts'
import { mixedScene, sharedBytes, viewOf } from '../../support/meshes.ts'
import { kernelModule } from './builder-harness.ts'

const size: Size = [40, 24]
const PATHS: View['quality'] = { samples: 4, ambientRays: 0, maxDepth: 4, bounces: 4 }

/** A device that is another instance of the kernel, and leaves every `leaves`-th ray; 0: none. */
function kernelDevice(leaves: number): RaysElsewhere & { memory?: KernelMemory; rays: number } {
  let kernel: Kernel | undefined
  return {
    least: 3,
    rays: 0,
    trace(scene, rays, count, shadow) {
      expect(scene).toBe(7)
      const memory = this.memory!
      if (!kernel) {
        kernel = instantiate(kernelModule, memory.memory)
        kernel.bindTrace(memory.extend(kernel.traceBytes() >>> 0))
      }
      for (let ray = 0; ray < count; ray++) {
        const at = rays + ray * RAY.bytes
        const goesOn = Object.is(Math.sign(memory.floats[(at >>> 2) + 3]!), -1)
        if (goesOn || (leaves > 0 && ray % leaves === 0)) put(memory, RAY, at, { steps: 0 })
        else if (shadow) kernel.traceShadow(at, 1, false)
        else kernel.traceClosest(at, 1, false)
      }
      this.rays += count
    },
  }
}

function built(engine: WasmEngine, scene: Uint8Array): WasmScene {
  const building = engine.begin(scene, 1)
  engine.help(building)
  return engine.finish(building)
}

function picture(scene: Uint8Array, view: View, device?: RaysElsewhere & { memory?: KernelMemory }): Uint8Array {
  const engine = loadWasmEngine('wasm', ALL_INSTANCES, device)
  const finished = built(engine, scene)
  if (device) device.memory = new KernelMemory(finished.memory)
  const rgb = new Uint8Array(size[0] * size[1] * 3)
  const tracer = engine.open(device ? { ...finished, onDevice: 7 } : finished, 0)
  tracer.trace(view, { rect: frameRect(size) }, allSamples(view), { rgb })
  return rgb
}

const scenes = {
  'every kind of material': () => sharedBytes(mixedScene()),
  'masks and blends behind each other': () =>
    packScene(veiled(), length => new Uint8Array(new SharedArrayBuffer(length))).bytes,
  'instances of meshes': () =>
    packScene(instancedScene(60), length => new Uint8Array(new SharedArrayBuffer(length))).bytes,
}
const views = { 'the ambient integrator': viewOf(size), paths: viewOf(size, { quality: PATHS }) }

describe.each(Object.entries(scenes))('%s', (_, scene) => {
  it.each(Object.entries(views))('has the same pixels by %s, whatever is left', (_, view) => {
    const expected = picture(scene(), view)
    for (const leaves of [0, 1, 3]) {
      const device = kernelDevice(leaves)
      expect(Buffer.compare(picture(scene(), view, device), expected)).toBe(0)
      expect(device.rays).toBeGreaterThan(size[0] * size[1])
    }
  })
})

it('sends nothing of scenes that are not there', () => {
  const device = { ...kernelDevice(0), trace: () => expect.unreachable() }
  const engine = loadWasmEngine('wasm', ALL_INSTANCES, device)
  const tracer = engine.open(built(engine, sharedBytes(mixedScene())), 0)
  const view = viewOf(size)
  tracer.trace(view, { rect: frameRect(size) }, allSamples(view), { rgb: new Uint8Array(size[0] * size[1] * 3) })
})

it('fails the tile when the device fails', () => {
  const failing = {
    least: 1,
    trace: () => {
      throw new Error('it is gone')
    },
  }
  expect(() => picture(sharedBytes(mixedScene()), viewOf(size), failing)).toThrow('it is gone')
})
