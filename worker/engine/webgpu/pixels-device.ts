/**
 * Pixels of scenes on a WebGPU device: from camera rays to sums of light (`kernel/pixels.ts`). What it computes goes to where the kernel would have
 * left it, in the memory of the scene. A pixel's sums do not depend on which pixels it is asked for with, nor on the other samples.
 */
import { KernelMemory } from '../wasm/memory.ts'
import { get, header } from '../wasm/records/access.ts'
import { VERTEX } from '../wasm/records/mesh.ts'
import { INTEGRATORS, VIEW } from '../wasm/records/view.ts'
import { type DevicePorts, Pipelines, Submissions, submitPass } from './compute.ts'
import { allOrNone, bytesOf, copied, expectRoom, filled } from './device-buffers.ts'
import { deviceTables, UNUSED_WORDS } from './device-tables.ts'
import { copyTree, type DeviceTree } from './device-tree.ts'
import { BUFFER, type GpuBuffer, type GpuDevice, type GpuPipeline } from './gpu.ts'
import { ambientShader, pathShader } from './kernel/integrators.ts'
import { GROUP_PIXELS, PIXEL_BINDINGS, PIXEL_ORDER, PIXEL_ORDER_WORDS } from './kernel/pixels.ts'
import { DEVICE_VIEW } from './kernel/records.ts'
import { orderFor } from './pixel-orders.ts'
import { addUp, type Counted, countedBy, MOST_PIXEL_WORDS, recordOf } from './pixel-records.ts'
import { type PixelRequest, PixelsDeviceError } from './pixel-request.ts'
import { ambientNeeds, pathNeeds } from './shader-needs.ts'

interface DeviceScene extends DeviceTree {
  readonly memory: KernelMemory
  /** Those of the scene besides the tree, in the order of their bindings, and the header's. */
  readonly scene: GpuBuffer
  readonly parts: readonly GpuBuffer[]
  /** What views have asked for so far: each is compiled then. */
  readonly shaders: Shaders
}

/** A request, and what answers it. */
interface Work {
  readonly request: PixelRequest
  readonly pipeline: GpuPipeline
  readonly counted: Counted
}

const UNUSED_BYTES = UNUSED_WORDS * 4
/** What is done about a scene that does not fit. */
const INSTEAD = 'use --engine wasm, or --accelerator webgpu for its rays'
/** The most invocations of a submission: some samples of a pixel each. */
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
  readonly #sums: GpuBuffer
  readonly #read: GpuBuffer
  #numbers = 0

  constructor(device: GpuDevice, ports: DevicePorts) {
    this.#device = device
    this.#submissions = new Submissions(ports, MOST_SLEPT_MS)
    this.#pipelines = new Pipelines(device, 'trace_pixels', PIXEL_BINDINGS, ports.compiling)
    const { copyFrom, copyTo, mapRead, storage, uniform } = BUFFER
    const bytes = MOST_INVOCATIONS * MOST_PIXEL_WORDS * 4
    this.#order = device.createBuffer({ size: PIXEL_ORDER_WORDS * 4, usage: uniform | copyTo })
    this.#view = device.createBuffer({ size: DEVICE_VIEW.words * 4, usage: uniform | copyTo })
    this.#sums = device.createBuffer({ size: bytes, usage: storage | copyFrom | copyTo })
    this.#read = device.createBuffer({ size: bytes, usage: mapRead | copyTo })
  }

  /**
   * Copies what the device needs of a scene; returns the scene's number.
   * Rejects with NotTracedError or RaysDeviceError, each with what is done instead.
   */
  async addScene(shared: WebAssembly.Memory): Promise<number> {
    const memory = new KernelMemory(shared)
    const [vertices, triangles] = [header(memory, 'vertices'), header(memory, 'triangles')]
    const ranges = {
      triangles: { from: triangles, to: triangles + header(memory, 'triangleCount') * header(memory, 'triangleBytes') },
      vertices: { from: vertices, to: vertices + header(memory, 'vertexCount') * VERTEX.bytes },
    }
    const made = deviceTables(memory)
    expectRoom(
      this.#device,
      {
        vertices: bytesOf([ranges.vertices]),
        'numbers of triangles': bytesOf([ranges.triangles]),
        'colours, coordinates and tangents of vertices': UNUSED_BYTES + bytesOf(made.attributes),
        textures: UNUSED_BYTES + bytesOf(made.texels),
        'tables of materials, lights and instances': made.tables.byteLength,
      },
      INSTEAD,
    )
    const { tree, parts } = await allOrNone(this.#device, async maker => {
      const tree = await copyTree(maker, memory, made.instances, INSTEAD)
      const parts = [
        await copied(maker, memory, [ranges.triangles], INSTEAD),
        await copied(maker, memory, [ranges.vertices], INSTEAD),
        await copied(maker, memory, made.attributes, INSTEAD, UNUSED_BYTES),
        await copied(maker, memory, made.texels, INSTEAD, UNUSED_BYTES),
        await filled(maker, made.tables, INSTEAD),
      ]
      return { tree, parts }
    })
    const scene = this.#uniform(made.scene)
    this.#scenes.set(++this.#numbers, { ...tree, memory, scene, parts, shaders: new Shaders(memory, tree) })
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
      const { memory, shaders } = this.#sceneOf(request.scene)
      const counted = countedBy(memory, request.view)
      const shader = shaders.of(viewOf(memory, request, 'integrator'), counted)
      await this.#pipelines.use(shader, pipeline => this.#traceWith(pipeline, counted, request))
    }
  }

  async #traceWith(pipeline: GpuPipeline, counted: Counted, request: PixelRequest): Promise<void> {
    const { memory } = this.#sceneOf(request.scene)
    const [from, to] = [viewOf(memory, request, 'fromSample'), viewOf(memory, request, 'toSample')]
    let goesOn = viewOf(memory, request, 'goesOn') !== 0
    // The last ones first, as the kernel's host asks for them: a depth is that of the first.
    const most = Math.max(1, Math.floor(MOST_SAMPLES / request.count))
    for (let end = to; end > from; end -= Math.min(most, end - from)) {
      await this.#traceSamples({ request, pipeline, counted }, Math.max(from, end - most), end, goesOn)
      goesOn = true
    }
  }

  async #traceSamples(work: Work, from: number, to: number, goesOn: boolean): Promise<void> {
    const { request, counted } = work
    const { count } = request
    const parts = Math.min(to - from, Math.max(1, Math.floor(MOST_INVOCATIONS / count)))
    const per = Math.ceil((to - from) / parts)
    const used = Math.ceil((to - from) / per)
    const bytes = count * used * recordOf(counted).words * 4
    await this.#submissions.run(
      count * (to - from),
      () => this.#submit(work, { from, to, parts: used, per }),
      { buffer: this.#read, bytes },
      made => addUp(this.#sceneOf(request.scene).memory, request, counted, made, used, goesOn),
    )
  }

  #submit({ request, pipeline, counted }: Work, range: { from: number; to: number; parts: number; per: number }): void {
    const device = this.#device
    const { memory, order, scene, nodes, triangle4s, parts } = this.#sceneOf(request.scene)
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
    const { words: each } = recordOf(counted)
    const sums = new Uint32Array(request.count * range.parts * each)
    for (let i = 0; i < request.count * range.parts; i++) sums[i * each] = request.pixels[Math.floor(i / range.parts)]!
    device.queue.writeBuffer(this.#sums, 0, sums)
    const buffers = [this.#order, this.#view, scene, nodes, triangle4s, ...parts, this.#sums]
    submitPass(device, {
      ...{ pipeline, buffers, groups: Math.ceil((request.count * range.parts) / GROUP_PIXELS) },
      copy: { from: this.#sums, to: this.#read, bytes: sums.byteLength },
    })
  }

  #sceneOf(number: number): DeviceScene {
    const scene = this.#scenes.get(number)
    if (!scene) throw new PixelsDeviceError(`pixels of scene ${number}: expected one that was given to the device`)
    return scene
  }

  #uniform(words: Uint32Array<ArrayBuffer>): GpuBuffer {
    const buffer = this.#device.createBuffer({ size: words.byteLength, usage: BUFFER.uniform | BUFFER.copyTo })
    this.#device.queue.writeBuffer(buffer, 0, words)
    return buffer
  }
}

/** Shaders of a scene, by what a view has it trace and count. */
class Shaders {
  readonly #make: (integrator: number, counted: Counted) => string
  readonly #made = new Map<string, string>()

  constructor(memory: KernelMemory, tree: DeviceTree) {
    const shape = { ...tree.shape, stack: Math.max(COMMON_STACK, tree.shape.stack) }
    this.#make = (integrator, counted) =>
      integrator === INTEGRATORS.path
        ? pathShader(shape, pathNeeds(memory), counted)
        : ambientShader(shape, ambientNeeds(memory), counted)
  }

  of(integrator: number, counted: Counted): string {
    const key = JSON.stringify([integrator, counted])
    const made = this.#made.get(key) ?? this.#make(integrator, counted)
    this.#made.set(key, made)
    return made
  }
}

const viewOf = (
  memory: KernelMemory,
  { view }: PixelRequest,
  name: 'fromSample' | 'toSample' | 'goesOn' | 'integrator',
): number => get(memory, VIEW, view, name)
