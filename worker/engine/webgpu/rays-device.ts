/**
 * Batches of rays on a WebGPU device, over the trees of any number of scenes. What it answers goes into the records of the rays, in the kernel's
 * memory; of those that it leaves to the CPU, it counts no steps.
 */
import { KernelMemory } from '../wasm/memory.ts'
import { header, wordsTo } from '../wasm/records/access.ts'
import { RAY } from '../wasm/records/rays.ts'
import { type ComputePass, type DevicePorts, Pipelines, Submissions, submitPass } from './compute.ts'
import { allOrNone, expectRoom, filled } from './device-buffers.ts'
import { packInstances } from './device-instances.ts'
import { copyTree, type DeviceTree } from './device-tree.ts'
import { BUFFER, type GpuBuffer, type GpuDevice, type GpuPipeline, MAP_READ } from './gpu.ts'
import {
  ANSWER_WORDS,
  GROUP_RAYS,
  LEFT,
  ORDER_WORDS,
  SENT_WORDS,
  TRACE_BINDINGS,
  TRACED_WORDS,
  traceShader,
} from './kernel/trace/trace.ts'
import { type RayRequest, RaysDeviceError } from './ray-request.ts'

interface DeviceScene extends DeviceTree {
  readonly memory: KernelMemory
  /** Of instances. */
  readonly tables: GpuBuffer
  readonly pipeline: GpuPipeline
}

/** Rays of one scene and kind, from the first of those that were sent on. */
interface Pass {
  readonly shadow: boolean
  readonly first: number
  readonly rays: number
}

/** The most rays of a submission. */
export const MOST_RAYS = 1 << 18

export class RaysDevice {
  readonly #device: GpuDevice
  readonly #submissions: Submissions
  readonly #scenes = new Map<number, DeviceScene>()
  readonly #pipelines: Pipelines
  readonly #order: GpuBuffer
  readonly #rays: GpuBuffer
  readonly #answers: GpuBuffer
  readonly #read: GpuBuffer
  readonly #sent = new Uint32Array(MOST_RAYS * SENT_WORDS)
  #numbers = 0
  /** Rays that it has answered, and those of them that it left to the CPU. */
  readonly counts = { rays: 0, left: 0 }

  constructor(device: GpuDevice, ports: DevicePorts) {
    this.#device = device
    this.#submissions = new Submissions(ports)
    this.#pipelines = new Pipelines(device, 'trace', TRACE_BINDINGS, ports.compiling)
    const { copyFrom, copyTo, mapRead, storage, uniform } = BUFFER
    const answerBytes = MOST_RAYS * ANSWER_WORDS * 4
    this.#order = device.createBuffer({ size: ORDER_WORDS * 4, usage: uniform | copyTo })
    this.#rays = device.createBuffer({ size: MOST_RAYS * SENT_WORDS * 4, usage: storage | copyTo })
    this.#answers = device.createBuffer({ size: answerBytes, usage: storage | copyFrom })
    this.#read = device.createBuffer({ size: answerBytes, usage: mapRead | copyTo })
  }

  /**
   * Copies the tree of a scene to the device, and has its driver compile what traces it; returns the scene's number.
   * Rejects with RaysDeviceError.
   */
  async addScene(shared: WebAssembly.Memory): Promise<number> {
    const memory = new KernelMemory(shared)
    const instances = header(memory, 'instanceCount') > 0 ? packInstances(memory, true) : undefined
    const scene = await allOrNone(this.#device, async maker => {
      if (instances) expectRoom(maker, { instances: instances.words.byteLength }, INSTEAD)
      const tree = await copyTree(maker, memory, instances?.order, INSTEAD)
      const tables = await filled(maker, instances?.words ?? new Uint32Array(), INSTEAD)
      const order = new Uint32Array(ORDER_WORDS)
      order.set(tree.order)
      const made = { ...tree, tables, memory, order }
      // A tile that waits for a compiler looks like one that hangs.
      const pass = (pipeline: GpuPipeline) => this.#passWithout({ ...made, pipeline })
      return { ...made, pipeline: await this.#pipelines.ready(traceShader(tree.shape), pass) }
    })
    this.#scenes.set(++this.#numbers, scene)
    return this.#numbers
  }

  dropScene(number: number): void {
    const scene = this.#scenes.get(number)
    this.#scenes.delete(number)
    scene?.nodes.destroy()
    scene?.triangle4s.destroy()
    scene?.tables.destroy()
  }

  /** Answers rays, at most MOST_RAYS in all. Rejects with RaysDeviceError. */
  async trace(requests: readonly RayRequest[]): Promise<void> {
    const groups = new Map<string, RayRequest[]>()
    for (const request of requests) {
      const key = `${request.scene} ${request.shadow}`
      groups.set(key, [...(groups.get(key) ?? []), request])
    }
    const ordered = [...groups.values()]
    const count = this.#gather(ordered.flat())
    if (count === 0) return
    await this.#submissions.run(
      count,
      () => this.#submitAll(ordered, count),
      { buffer: this.#read, bytes: count * ANSWER_WORDS * 4 },
      answers => this.#spread(ordered.flat(), answers),
    )
  }

  #submitAll(ordered: readonly RayRequest[][], count: number): void {
    this.#device.queue.writeBuffer(this.#rays, 0, this.#sent.subarray(0, count * SENT_WORDS))
    let first = 0
    for (const [i, group] of ordered.entries()) {
      const rays = group.reduce((sum, request) => sum + request.count, 0)
      this.#submit(group[0]!, first, rays, i === ordered.length - 1 ? count : 0)
      first += rays
    }
  }

  /** Copies what the device needs of rays; returns their number. */
  #gather(requests: readonly RayRequest[]): number {
    let to = 0
    for (const { scene, rays, count } of requests) {
      const { words } = this.#sceneOf(scene).memory
      for (let from = rays >>> 2, i = 0; i < count; i++, from += RAY.bytes / 4, to += SENT_WORDS)
        for (let k = 0; k < SENT_WORDS; k++) this.#sent[to + k] = words[from + k]!
    }
    return to / SENT_WORDS
  }

  #spread(requests: readonly RayRequest[], answers: Uint32Array): void {
    let from = 0
    for (const { scene, rays, count, shadow } of requests) {
      const { memory, shape } = this.#sceneOf(scene)
      const { words } = memory
      this.counts.rays += count
      for (let to = rays >>> 2, i = 0; i < count; i++, to += RAY.bytes / 4, from += ANSWER_WORDS) {
        const hit = answers[from]!
        // What a ray goes on from, where it does, is what it has hit before.
        words[to + STEPS] = hit === LEFT ? 0 : answers[from + 2]!
        if (hit === LEFT) {
          this.counts.left++
          continue
        }
        words[to + HIT] = hit
        if (!shadow && shape.wide) words[to + INSTANCE] = answers[from + 3]!
        if (!shadow) words[to + T_MAX] = answers[from + 1]!
      }
    }
  }

  /** @param copied how many answers are fetched after it */
  #submit({ scene, shadow }: RayRequest, first: number, rays: number, copied: number): void {
    const copy = { from: this.#answers, to: this.#read, bytes: copied * ANSWER_WORDS * 4 }
    this.#pass(this.#sceneOf(scene), { shadow, first, rays }, copied > 0 ? copy : undefined)
  }

  /** A pass of no rays, which others that are under way take no notice of. */
  async #passWithout(scene: DeviceScene): Promise<void> {
    const word = this.#device.createBuffer({ size: 4, usage: BUFFER.mapRead | BUFFER.copyTo })
    try {
      this.#pass(scene, { shadow: false, first: 0, rays: 0 }, { from: this.#answers, to: word, bytes: 4 })
      await word.mapAsync(MAP_READ, 0, 4)
    } finally {
      word.destroy()
    }
  }

  #pass(scene: DeviceScene, { shadow, first, rays }: Pass, copy: ComputePass['copy']): void {
    const { nodes, triangle4s, tables, pipeline } = scene
    const order = scene.order.slice()
    order[ORDER.rays] = rays
    order[ORDER.shadow] = shadow ? 1 : 0
    order[ORDER.first] = first
    this.#device.queue.writeBuffer(this.#order, 0, order)
    const buffers = [this.#order, nodes, triangle4s, this.#rays, this.#answers, tables]
    submitPass(this.#device, { pipeline, buffers, groups: Math.max(1, Math.ceil(rays / GROUP_RAYS)), copy })
  }

  #sceneOf(number: number): DeviceScene {
    const scene = this.#scenes.get(number)
    if (!scene) throw new RaysDeviceError(`rays in scene ${number}: expected one that was given to the device`)
    return scene
  }
}

const [T_MAX, HIT, STEPS, INSTANCE] = (['tMax', 'hit', 'steps', 'instance'] as const).map(name =>
  wordsTo(RAY, name),
) as [number, number, number, number]

const INSTEAD = 'the CPU traces this scene'

/** Words of `Order` in the shader, behind those that every order begins with. */
const ORDER = {
  rays: TRACED_WORDS,
  shadow: TRACED_WORDS + 1,
  first: TRACED_WORDS + 2,
} as const
