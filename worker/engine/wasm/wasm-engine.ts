/**
 * All engines: a WebAssembly SIMD kernel, one instance per thread over one memory. Runs wherever WebAssembly does, with
 * one thread also in a browser page; `worker/node/load-kernel.ts` finds the kernel in Node.
 */
import type { SceneDescription } from '../../../shared/scene/description.ts'
import type { Engine, EngineGrain, EngineName, EngineStorage, RefitFrom, Tracer } from '../engine.ts'
import { bakingOf, beginBuilding, finishBuilding, nextStage, restoreScene } from './building.ts'
import { copyParts } from './copying.ts'
import { estimateBytes } from './estimate-bytes.ts'
import { INSTANCING, type InstancingRule } from './instances/instancing.ts'
import { instantiate } from './kernel.ts'
import { KernelProbe } from './kernel-probe.ts'
import { KernelMemory } from './memory.ts'
import { RayCaster, type RayRoom } from './ray-caster.ts'
import type { BakeStage, TreeStage, WasmBuilding, WasmScene } from './wasm-scene.ts'
import { type PixelsElsewhere, type RaysElsewhere, WasmTracer } from './wasm-tracer.ts'

/** A memory with room for a stored scene. */
interface StoredRoom {
  readonly memory: WebAssembly.Memory
  readonly bytes: number
}

const TOGETHER: EngineGrain = { batchRays: 32768, fineRays: 12288, mostRays: 1 << 20, blockRows: 8 }
const ALONE: EngineGrain = { batchRays: 8192, fineRays: 4096, mostRays: 1 << 18, blockRows: 1 }

export class WasmEngine implements Engine<WasmBuilding, WasmScene> {
  readonly name: EngineName
  readonly grain: EngineGrain
  readonly #alone: boolean
  readonly #module: WebAssembly.Module
  readonly #fingerprint: () => string
  readonly #instancing: InstancingRule
  readonly #device: RaysElsewhere | PixelsElsewhere | undefined
  /** Workspaces of closed casters, by memory. */
  readonly #freeRooms = new WeakMap<WebAssembly.Memory, RayRoom[]>()

  /**
   * @param fingerprint computes the fingerprint on demand
   * @param alone whether rays are traced one by one: the scalar driver
   * @param instancing the rule by which meshes are instanced; pictures do not depend on it
   * @param device traces rays of scenes that are there, or computes their pixels
   */
  constructor(
    name: EngineName,
    module: WebAssembly.Module,
    fingerprint: () => string,
    alone = false,
    instancing = INSTANCING,
    device?: RaysElsewhere | PixelsElsewhere,
  ) {
    this.name = name
    this.grain = alone ? ALONE : TOGETHER
    this.#alone = alone
    this.#fingerprint = fingerprint
    this.#module = module
    this.#instancing = instancing
    this.#device = device
  }

  get fingerprint(): string {
    return this.#fingerprint()
  }

  /** @throws SceneTooLargeError, TooManyThreadsError */
  begin(scene: Uint8Array, threads: number, like?: RefitFrom<WasmScene>): WasmBuilding {
    return beginBuilding(this.#module, scene, threads, like, this.#instancing)
  }

  /**
   * Bytes of memory that a scene will take, with its structure and workspaces for `threads`. Builds nothing.
   * @param triangles how many of them have area
   */
  estimateBytes(scene: SceneDescription, triangles: number, threads: number): number {
    return estimateBytes(this.#module, scene, triangles, threads)
  }

  help(building: WasmBuilding): void {
    if (building.stage === 'bake') this.#bake(building)
    else if (building.stage === 'copy') copyParts(building)
    else this.#buildTree(building)
  }

  #bake(building: BakeStage): void {
    const baking = bakingOf(building)
    try {
      baking.help()
    } catch (error) {
      baking.abandon()
      throw error
    }
  }

  #buildTree(building: TreeStage): void {
    const kernel = instantiate(this.#module, building.memory)
    try {
      if (building.refitted) kernel.refitHelp()
      else kernel.buildHelp()
    } catch (error) {
      // A trap. Other threads would wait forever for the part that this thread had taken.
      kernel.buildAbandon()
      throw error
    }
  }

  /** @throws SceneTooLargeError, TooManyThreadsError, PackedSceneError */
  next(building: WasmBuilding): WasmBuilding | undefined {
    return nextStage(this.#module, building)
  }

  /** @throws SceneTooLargeError, TooManyThreadsError */
  finish(building: WasmBuilding): WasmScene {
    return finishBuilding(this.#module, building)
  }

  readonly storage: EngineStorage<WasmScene> = {
    image: ({ memory, bytes }) => new KernelMemory(memory).bytes.subarray(0, bytes),
    reserve: bytes => {
      const { memory, bytes: image } = KernelMemory.of(bytes)
      return { room: { memory, bytes } satisfies StoredRoom, image: image.subarray(0, bytes) }
    },
    restore: (room, threads) => {
      const { memory, bytes } = room as StoredRoom
      return restoreScene(this.#module, new KernelMemory(memory), bytes, threads)
    },
  }

  open(scene: WasmScene, thread: number): Tracer {
    return new WasmTracer(this.#module, scene, thread, this.#alone, this.#device)
  }

  /**
   * Creates a caster for single rays, with a separate workspace for `capacity` of them. A memory never shrinks, so the workspace of a
   * closed caster is reused.
   * @throws RangeError if there is no more memory
   */
  castRays(scene: WasmScene, capacity: number): RayCaster {
    const rooms = this.#freeRooms.get(scene.memory) ?? []
    this.#freeRooms.set(scene.memory, rooms)
    return new RayCaster(this.#module, scene, capacity, rooms)
  }

  /** @throws RangeError if there is no more memory */
  probe(scene: WasmScene): KernelProbe {
    return new KernelProbe(this.#module, scene)
  }
}
