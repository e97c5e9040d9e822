/** A device whose memory ends: a scene that does not fit is refused in a sentence, and leaves nothing there; and one that ends loops early. */
import { expect, it } from 'vitest'
import type { SceneDescription } from '../../../../shared/scene/description.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import { ALL_INSTANCES } from '../../../../worker/engine/wasm/instances/instancing.ts'
import { KernelMemory } from '../../../../worker/engine/wasm/memory.ts'
import { type BufferMaker, bytesOf } from '../../../../worker/engine/webgpu/device-buffers.ts'
import { deviceTables, UNUSED_WORDS } from '../../../../worker/engine/webgpu/device-tables.ts'
import { BUFFER, type GpuBuffer, type GpuDevice } from '../../../../worker/engine/webgpu/gpu.ts'
import { addUp } from '../../../../worker/engine/webgpu/pixel-records.ts'
import type { PixelRequest } from '../../../../worker/engine/webgpu/pixel-request.ts'
import { PixelsDevice } from '../../../../worker/engine/webgpu/pixels-device.ts'
import { RaysDevice } from '../../../../worker/engine/webgpu/rays-device.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { instancedScene } from '../../support/instanced-scene.ts'
import { pictureOf, stacked } from '../../support/stacked.ts'

/** One that has room for so many buffers of scenes, and binds so many bytes; which buffers are there, and the bytes of the largest that shaders read. */
function deviceOf(
  room: number,
  bound = 2 ** 27,
): { device: GpuDevice; alive: Set<object>; most: (buffers: number) => void; largest: () => number } {
  const alive = new Set<object>()
  let largest = 0
  let isFull = false
  const createBuffer: BufferMaker['createBuffer'] = ({ size, usage }) => {
    const buffer = {
      destroy: () => alive.delete(buffer),
      mapAsync: async () => {},
    } as unknown as GpuBuffer
    if (usage === (BUFFER.storage | BUFFER.copyTo)) largest = Math.max(largest, size)
    isFull = alive.size >= room
    alive.add(buffer)
    return buffer
  }
  const pass = { setPipeline: () => {}, setBindGroup: () => {}, dispatchWorkgroups: () => {}, end: () => {} }
  const device = {
    limits: { maxStorageBufferBindingSize: bound, maxBufferSize: 2 ** 28, maxStorageBuffersPerShaderStage: 8 },
    queue: { writeBuffer: () => {}, submit: () => {} },
    createBuffer,
    createShaderModule: () => ({}),
    createBindGroupLayout: () => ({}),
    createPipelineLayout: () => ({}),
    createComputePipelineAsync: async () => ({ getBindGroupLayout: () => ({}) }),
    createBindGroup: () => ({}),
    createCommandEncoder: () => ({ beginComputePass: () => pass, copyBufferToBuffer: () => {}, finish: () => ({}) }),
    pushErrorScope: () => {},
    popErrorScope: async () => (isFull ? { message: 'Not enough memory left' } : null),
  } as unknown as GpuDevice
  return {
    device,
    alive,
    largest: () => largest,
    most: buffers => {
      room = alive.size + buffers
    },
  }
}

function builtScene(description: SceneDescription = instancedScene(40)): WebAssembly.Memory {
  const engine = loadWasmEngine('wasm', ALL_INSTANCES)
  const { bytes } = packScene(description, length => new Uint8Array(new SharedArrayBuffer(length)))
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

it('a device of rays has its driver compile before a scene is there, once for scenes of one shape', async () => {
  const { device } = deviceOf(Number.POSITIVE_INFINITY)
  const said: string[] = []
  const submit = () => said.push('pass')
  const heard = { ...device, queue: { ...device.queue, submit } } as GpuDevice
  const own = new RaysDevice(heard, { ...ports, compiling: async is => void said.push(is ? 'compiling' : 'compiled') })
  await own.addScene(builtScene())
  expect(said).toEqual(['compiling', 'pass', 'compiled'])
  await own.addScene(builtScene())
  expect(said).toHaveLength(3)
  await own.addScene(builtScene(stacked({ layers: [{ z: 0, material: {} }] })))
  expect(said.slice(3)).toEqual(['compiling', 'pass', 'compiled'])
})

it('a scene whose textures fill what a device binds, but for the words that are not read, is refused', async () => {
  const side = 512
  const texture = { ...pictureOf(1, [0, 0, 0, 0]), width: side, height: side, texels: new Uint8Array(side * side * 4) }
  const maps = { color: { texture: 0, set: 0, transform: [1, 0, 0, 0, 1, 0] } } as const
  const scene = builtScene(stacked({ layers: [{ z: 0, material: { maps } }], textures: [texture] }))
  const bytes = bytesOf(deviceTables(new KernelMemory(scene)).texels)
  for (const [bound, fits] of [
    [bytes, false],
    [bytes + UNUSED_WORDS * 4 - 1, false],
    [bytes + UNUSED_WORDS * 4, true],
  ] as const) {
    const { device, largest } = deviceOf(Number.POSITIVE_INFINITY, bound)
    const adding = new PixelsDevice(device, ports).addScene(scene)
    if (fits) await adding
    else await expect(adding).rejects.toThrow(/^expected at most 1 MiB of textures, .*, got 2 MiB; /)
    expect(largest()).toBeLessThanOrEqual(bound)
  }
})

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
