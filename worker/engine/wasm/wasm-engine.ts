/**
 * The fast engine: a kernel in WebAssembly with SIMD, one instance per thread over one memory. Runs anywhere that has
 * WebAssembly, with one thread also in a browser's page; `worker/node/load-kernel.ts` finds the kernel in Node.
 */
import type { Engine, EngineStorage, Tracer } from '../engine.ts'
import { beginBuilding, finishBuilding, restoreScene, type WasmBuilding, type WasmScene } from './building.ts'
import { instantiate } from './kernel.ts'
import { KernelMemory } from './memory.ts'
import { RayCaster, type RayRoom } from './ray-caster.ts'
import { WasmTracer } from './wasm-tracer.ts'

export type WasmEngineName = 'wasm' | 'wasm-fast'

/** A memory with room for a stored scene. */
interface StoredRoom {
  readonly memory: WebAssembly.Memory
  readonly bytes: number
}

export class WasmEngine implements Engine<WasmBuilding, WasmScene> {
  readonly name: WasmEngineName
  readonly grain = { batchRays: 32768, fineRays: 12288, mostRays: 1 << 20, blockRows: 8 }
  readonly #module: WebAssembly.Module
  readonly #fingerprint: () => string
  /** Of casters over a memory that were closed. */
  readonly #freeRooms = new WeakMap<WebAssembly.Memory, RayRoom[]>()

  /** @param fingerprint works it out when it is asked for */
  constructor(name: WasmEngineName, module: WebAssembly.Module, fingerprint: () => string) {
    this.name = name
    this.#fingerprint = fingerprint
    this.#module = module
  }

  get fingerprint(): string {
    return this.#fingerprint()
  }

  /** @throws SceneTooLargeError, TooManyThreadsError */
  begin(scene: Uint8Array, threads: number): WasmBuilding {
    return beginBuilding(this.#module, scene, threads)
  }

  help(building: WasmBuilding): void {
    const kernel = instantiate(this.#module, building.memory)
    try {
      kernel.buildHelp()
    } catch (error) {
      // A trap. Those who wait for the part that this thread had taken would wait for ever.
      kernel.buildAbandon()
      throw error
    }
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
    return new WasmTracer(this.#module, scene, thread)
  }

  /**
   * Something to ask single rays of, in room of its own for `capacity` of them. A memory never shrinks: the room of a caster
   * that was closed is used again.
   * @throws RangeError where there is no more memory
   */
  castRays(scene: WasmScene, capacity: number): RayCaster {
    const rooms = this.#freeRooms.get(scene.memory) ?? []
    this.#freeRooms.set(scene.memory, rooms)
    return new RayCaster(this.#module, scene, capacity, rooms)
  }
}
