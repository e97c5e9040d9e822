/**
 * Pixels of scenes on a WebGPU device: from camera rays to sums of light (`kernel/pixels.ts`). What it computes goes to where the kernel would have
 * left it, in the memory of the scene. A pixel's sums do not depend on which pixels it is asked for with, nor on the other samples.
 */
import { INSTEAD, NotTracedError, notYet } from '../../../shared/frame/device-gaps.ts'
import { KernelMemory } from '../wasm/memory.ts'
import { get, header } from '../wasm/records/access.ts'
import { MATERIAL, PASSING } from '../wasm/records/material.ts'
import { TRIANGLE, VERTEX, VERTEX_COLOR } from '../wasm/records/mesh.ts'
import { SCENE, SCENE_AT } from '../wasm/records/scene.ts'
import { SUM, VIEW, VIEW_FLAGS } from '../wasm/records/view.ts'
import { Pipelines, Submissions, submitPass, type WaitPorts } from './compute.ts'
import { copied, copyTree, type DeviceTree, expectRoom } from './device-tree.ts'
import { BUFFER, type GpuBuffer, type GpuDevice, type GpuPipeline } from './gpu.ts'
import {
  DEVICE_MATERIAL,
  DEVICE_SCENE,
  DEVICE_VIEW,
  GROUP_PIXELS,
  PIXEL_ORDER,
  PIXEL_ORDER_WORDS,
  PIXEL_WORDS,
  pixelShader,
} from './kernel/pixels.ts'
import { type PixelRequest, PixelsDeviceError } from './pixel-request.ts'

interface DeviceScene extends DeviceTree {
  readonly memory: KernelMemory
  /** Those of the scene besides the tree, in the order of their bindings, and the header's. */
  readonly scene: GpuBuffer
  readonly parts: readonly GpuBuffer[]
  readonly pipeline: GpuPipeline
}

/** The most pixels of a submission, and invocations: some samples of a pixel each. */
const MOST_PIXELS = 1 << 16
const MOST_INVOCATIONS = 1 << 16
/** Entries of a stack, enough for almost all scenes: trees of 17 nodes from the root to a triangle. */
const COMMON_STACK = 128
/** Of a submission: with a software device on a busy machine it must end within seconds, since its process hears nothing meanwhile. */
const MOST_SAMPLES = 1 << 16
/** The most that is slept: the first submission waits for the shader's compiler, and says nothing of the next ones. */
const MOST_SLEPT_MS = 100

export class PixelsDevice {
  readonly #device: GpuDevice
  readonly #submissions: Submissions
  readonly #scenes = new Map<number, DeviceScene>()
  readonly #pipelines: Pipelines
  readonly #order: GpuBuffer
  readonly #view: GpuBuffer
  readonly #pixels: GpuBuffer
  readonly #sums: GpuBuffer
  readonly #read: GpuBuffer
  #numbers = 0

  constructor(device: GpuDevice, ports: WaitPorts) {
    this.#device = device
    this.#submissions = new Submissions(ports, MOST_SLEPT_MS)
    this.#pipelines = new Pipelines(device, pixelShader, 'trace_pixels')
    const { copyFrom, copyTo, mapRead, storage, uniform } = BUFFER
    const bytes = MOST_INVOCATIONS * PIXEL_WORDS * 4
    this.#order = device.createBuffer({ size: PIXEL_ORDER_WORDS * 4, usage: uniform | copyTo })
    this.#view = device.createBuffer({ size: DEVICE_VIEW.words * 4, usage: uniform | copyTo })
    this.#pixels = device.createBuffer({ size: MOST_PIXELS * 4, usage: storage | copyTo })
    this.#sums = device.createBuffer({ size: bytes, usage: storage | copyFrom })
    this.#read = device.createBuffer({ size: bytes, usage: mapRead | copyTo })
  }

  /**
   * Copies what the device needs of a scene; returns the scene's number.
   * Rejects with NotTracedError or RaysDeviceError, each with what is done instead.
   */
  async addScene(shared: WebAssembly.Memory): Promise<number> {
    const memory = new KernelMemory(shared)
    const missing = missingFor(memory)
    if (missing !== undefined) throw new NotTracedError(notYet(missing))
    const device = this.#device
    const [vertices, triangles] = [header(memory, 'vertices'), header(memory, 'triangles')]
    const verticesEnd = vertices + header(memory, 'vertexCount') * VERTEX.bytes
    const trianglesEnd = triangles + header(memory, 'triangleCount') * TRIANGLE.bytes
    const sections = { vertices: verticesEnd - vertices, 'numbers of triangles': trianglesEnd - triangles }
    expectRoom(device, sections, INSTEAD)
    const tree = await copyTree(device, memory, INSTEAD)
    // Two shaders at most.
    const pipeline = await this.#pipelines.withStack(Math.max(COMMON_STACK, tree.stack))
    const colors = header(memory, 'colors')
    const colorsEnd = colors === 0 ? 0 : colors + header(memory, 'vertexCount') * VERTEX_COLOR.bytes
    const parts = [
      await copied(device, memory, triangles, trianglesEnd, INSTEAD),
      await copied(device, memory, vertices, verticesEnd, INSTEAD),
      await copied(device, memory, colors, colorsEnd, INSTEAD),
      this.#filled(materialsIn(memory), BUFFER.storage),
    ]
    const words = new Uint32Array(DEVICE_SCENE.words)
    DEVICE_SCENE.pack(memory, SCENE_AT, words, 0)
    const scene = this.#filled(words, BUFFER.uniform)
    this.#scenes.set(++this.#numbers, { ...tree, memory, scene, parts, pipeline })
    return this.#numbers
  }

  dropScene(number: number): void {
    const found = this.#scenes.get(number)
    this.#scenes.delete(number)
    if (found) for (const buffer of [found.nodes, found.triangle4s, found.scene, ...found.parts]) buffer.destroy()
  }

  /** Computes pixels, one request after the other. Rejects with PixelsDeviceError. */
  async trace(requests: readonly PixelRequest[]): Promise<void> {
    for (const request of requests) {
      const { memory } = this.#sceneOf(request.scene)
      const [from, to] = [viewOf(memory, request, 'fromSample'), viewOf(memory, request, 'toSample')]
      let goesOn = viewOf(memory, request, 'goesOn') !== 0
      // The last ones first, as the kernel's host asks for them: a depth is that of the first.
      const most = Math.max(1, Math.floor(MOST_SAMPLES / request.count))
      for (let end = to; end > from; end -= Math.min(most, end - from)) {
        await this.#traceSamples(request, Math.max(from, end - most), end, goesOn)
        goesOn = true
      }
    }
  }

  async #traceSamples(request: PixelRequest, from: number, to: number, goesOn: boolean): Promise<void> {
    const { count } = request
    const parts = Math.min(to - from, Math.max(1, Math.floor(MOST_INVOCATIONS / count)))
    const per = Math.ceil((to - from) / parts)
    const used = Math.ceil((to - from) / per)
    const bytes = count * used * PIXEL_WORDS * 4
    await this.#submissions.run(
      count * (to - from),
      () => this.#submit(request, { from, to, parts: used, per }),
      { buffer: this.#read, bytes },
      made => this.#addUp(request, made, used, goesOn),
    )
  }

  #submit(request: PixelRequest, range: { from: number; to: number; parts: number; per: number }): void {
    const device = this.#device
    const { memory, order, scene, nodes, triangle4s, parts, pipeline } = this.#sceneOf(request.scene)
    const words = orderFor(memory, request.view)
    words.set(order)
    words[PIXEL_ORDER.count] = request.count * range.parts
    words[PIXEL_ORDER.parts] = range.parts
    words[PIXEL_ORDER.per] = range.per
    const view = new Uint32Array(DEVICE_VIEW.words)
    DEVICE_VIEW.pack(memory, request.view, view, 0)
    view[DEVICE_VIEW.wordOf('fromSample')] = range.from
    view[DEVICE_VIEW.wordOf('toSample')] = range.to
    device.queue.writeBuffer(this.#order, 0, words)
    device.queue.writeBuffer(this.#view, 0, view)
    device.queue.writeBuffer(this.#pixels, 0, request.pixels.slice(0, request.count))
    const buffers = [this.#order, this.#view, scene, nodes, triangle4s, ...parts, this.#pixels, this.#sums]
    submitPass(device, {
      ...{ pipeline, buffers, groups: Math.ceil((request.count * range.parts) / GROUP_PIXELS) },
      copy: { from: this.#sums, to: this.#read, bytes: request.count * range.parts * PIXEL_WORDS * 4 },
    })
  }

  /** Adds the sums of parts of samples to those of pixels: integers, exact in any order. */
  #addUp({ scene, count, sums, steps, depths }: PixelRequest, made: Uint32Array, parts: number, goesOn: boolean): void {
    const { words, floats, doubles } = this.#sceneOf(scene).memory
    const depthsMade = new Float32Array(made.buffer, made.byteOffset, made.length)
    for (let pixel = 0; pixel < count; pixel++) {
      const sum = (sums + pixel * SUM.bytes) >>> 3
      const first = pixel * parts * PIXEL_WORDS
      if (!goesOn) {
        doubles.fill(0, sum, sum + 3)
        words[(steps >>> 2) + pixel] = 0
      }
      for (let from = first; from < first + parts * PIXEL_WORDS; from += PIXEL_WORDS) {
        for (let k = 0; k < 3; k++)
          doubles[sum + k] = Math.min(doubles[sum + k]! + made[from + 4 + k]! + made[from + k]! * 2 ** -32, LARGEST_SUM)
        words[(steps >>> 2) + pixel]! += made[from + 3]!
      }
      floats[(depths >>> 2) + pixel] = depthsMade[first + 7]!
    }
  }

  #sceneOf(number: number): DeviceScene {
    const scene = this.#scenes.get(number)
    if (!scene) throw new PixelsDeviceError(`pixels of scene ${number}: expected one that was given to the device`)
    return scene
  }

  #filled(words: Uint32Array<ArrayBuffer>, usage: number): GpuBuffer {
    const buffer = this.#device.createBuffer({ size: words.byteLength, usage: usage | BUFFER.copyTo })
    this.#device.queue.writeBuffer(buffer, 0, words)
    return buffer
  }
}

/** As `shared/light/accumulate.ts` has it. */
const LARGEST_SUM = 2 ** 20
/** The smallest share of a sample for which a ray is sent on, as `kernel/ambient/workspace.ts` of the kernel has it. */
const MIN_WEIGHT = 1 / 64

/** What of a scene is not traced yet, for `notYet`. */
function missingFor(memory: KernelMemory): string | undefined {
  const passing = get(memory, SCENE, SCENE_AT, 'passing')
  if ((passing & PASSING.some) !== 0) return 'surfaces with holes (masks and blends)'
  if ((passing & PASSING.backs) !== 0) return 'surfaces that are seen from one side alone'
  if (get(memory, SCENE, SCENE_AT, 'textured') !== 0) return 'textures'
  return undefined
}

const viewOf = (memory: KernelMemory, { view }: PixelRequest, name: 'fromSample' | 'toSample' | 'goesOn'): number =>
  get(memory, VIEW, view, name)

function materialsIn(memory: KernelMemory): Uint32Array<ArrayBuffer> {
  const count = header(memory, 'materialCount')
  const words = new Uint32Array(count * DEVICE_MATERIAL.words)
  for (let i = 0; i < count; i++)
    DEVICE_MATERIAL.pack(memory, header(memory, 'materials') + i * MATERIAL.bytes, words, i * DEVICE_MATERIAL.words)
  return words
}

/** What camera rays are made of: the kernel's `fillCamera` in `kernel/ambient/camera.ts`, which scales in doubles, too. */
function orderFor(memory: KernelMemory, view: number): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(PIXEL_ORDER_WORDS)
  const floats = new Float32Array(words.buffer)
  const number = (name: Parameters<typeof get<typeof VIEW.fields>>[3]) => get(memory, VIEW, view, name)
  const scaled = (name: 'origin' | 'right' | 'up' | 'back', by: number, at: number, last: number) => {
    const from = (view + VIEW.fields[name].offset) >>> 3
    for (let k = 0; k < 3; k++) floats[at + k] = memory.doubles[from + k]! * by
    floats[at + 3] = last
  }
  scaled('right', (2 * number('tanHalfX')) / number('width'), PIXEL_ORDER.across, 0)
  scaled('up', (-2 * number('tanHalfY')) / number('height'), PIXEL_ORDER.down, 0)
  scaled('origin', 1, PIXEL_ORDER.eye, number('near'))
  scaled('back', -1, PIXEL_ORDER.ahead, number('far'))
  words[PIXEL_ORDER.parallel] = number('flags') & VIEW_FLAGS.orthographic
  floats[PIXEL_ORDER.share] = number('sumScale') * (1 / number('weightedFor'))
  floats[PIXEL_ORDER.leastWeight] = MIN_WEIGHT * floats[PIXEL_ORDER.share]!
  return words
}
