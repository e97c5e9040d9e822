/** A device whose memory ends: a scene that does not fit is refused in a sentence, and leaves nothing there; and one that ends loops early. */
import { expect, it } from 'vitest'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import { ALL_INSTANCES } from '../../../../worker/engine/wasm/instances/instancing.ts'
import { KernelMemory } from '../../../../worker/engine/wasm/memory.ts'
import type { BufferMaker } from '../../../../worker/engine/webgpu/device-buffers.ts'
import type { GpuBuffer, GpuDevice } from '../../../../worker/engine/webgpu/gpu.ts'
import { addUp } from '../../../../worker/engine/webgpu/pixel-records.ts'
import type { PixelRequest } from '../../../../worker/engine/webgpu/pixel-request.ts'
import { PixelsDevice } from '../../../../worker/engine/webgpu/pixels-device.ts'
import { RaysDevice } from '../../../../worker/engine/webgpu/rays-device.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { instancedScene } from '../../support/instanced-scene.ts'

/** One that has room for so many buffers of scenes; which of them are there. */
function deviceOf(room: number): { device: GpuDevice; alive: Set<object>; most: (buffers: number) => void } {
  const alive = new Set<object>()
  let isFull = false
  const createBuffer: BufferMaker['createBuffer'] = () => {
    const buffer = { destroy: () => alive.delete(buffer) } as unknown as GpuBuffer
    isFull = alive.size >= room
    alive.add(buffer)
    return buffer
  }
  const device = {
    limits: { maxStorageBufferBindingSize: 2 ** 27, maxBufferSize: 2 ** 28, maxStorageBuffersPerShaderStage: 8 },
    queue: { writeBuffer: () => {}, submit: () => {} },
    createBuffer,
    createShaderModule: () => ({}),
    createBindGroupLayout: () => ({}),
    createPipelineLayout: () => ({}),
    createComputePipelineAsync: async () => ({}),
    pushErrorScope: () => {},
    popErrorScope: async () => (isFull ? { message: 'Not enough memory left' } : null),
  } as unknown as GpuDevice
  return {
    device,
    alive,
    most: buffers => {
      room = alive.size + buffers
    },
  }
}

function builtScene(): WebAssembly.Memory {
  const engine = loadWasmEngine('wasm', ALL_INSTANCES)
  const { bytes } = packScene(instancedScene(40), length => new Uint8Array(new SharedArrayBuffer(length)))
  const building = engine.begin(bytes, 1)
  engine.help(building)
  return engine.finish(building).memory
}

const ports = { sleep: async () => {}, now: () => 0, compiling: async () => {} }
/** With how many buffers of scenes one is. */
const DEVICES = [
  ['of rays', (device: GpuDevice) => new RaysDevice(device, ports), 3],
  ['of whole paths', (device: GpuDevice) => new PixelsDevice(device, ports), 7],
] as const

it.each(DEVICES)(
  'a device %s refuses a scene for which it has no memory left, and takes it when it has',
  async (_, of, count) => {
    const { device, alive, most } = deviceOf(Number.POSITIVE_INFINITY)
    const own = of(device)
    const before = alive.size
    const scene = builtScene()
    for (let room = 0; room < count; room++) {
      most(room)
      await expect(own.addScene(scene)).rejects.toThrow(
        /^it has no \d+ MiB left for this scene \(Not enough memory left\); use a smaller scene, or else /,
      )
      expect(alive.size).toBe(before)
    }
    most(count + 1)
    const number = await own.addScene(scene)
    expect(alive.size).toBeGreaterThan(before)
    own.dropScene(number)
    expect(alive.size).toBe(before)
  },
)

it('pixels of a device whose loops end early are not taken', () => {
  const memory = KernelMemory.of(1 << 16)
  const request = { count: 2, sums: 1024, steps: 2048, depths: 2064 } as PixelRequest
  const none = { hits: false, features: false, objects: false, labels: false }
  const made = new Uint32Array(16)
  made[3] = 7
  made[11] = 9
  addUp(memory, request, none, made, 1, false)
  expect([...memory.words.subarray(512, 514)]).toEqual([7, 9])
  made[11] = 0
  expect(() => addUp(memory, request, none, made, 1, false)).toThrow(
    /^expected the device to trace each ray to its end, got loops that end early/,
  )
})
