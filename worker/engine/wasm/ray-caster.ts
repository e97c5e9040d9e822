/**
 * Rays instead of pixels, for benchmarks, tests and picking. Works in a separate workspace at the end of the scene's memory,
 * alongside the threads that trace it; one thread per caster.
 */
import { SortfirstError } from '../../../shared/errors.ts'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { instantiate, type Kernel } from './kernel.ts'
import { KernelMemory } from './memory.ts'
import { wordsTo } from './records/access.ts'
import { PLACED_TRIANGLE } from './records/instances.ts'
import { RAY } from './records/rays.ts'
import { align128, centreIn } from './scene-header.ts'
import type { WasmScene } from './wasm-scene.ts'

/** A ray without a valid origin or direction. */
export class BadRayError extends SortfirstError {
  readonly code = 'BAD_RAY'
}

/** What a ray hit. */
export interface Pick {
  /** The triangle's number in the scene. */
  readonly triangle: number
  /** From the origin, scene units. */
  readonly distance: number
}

/** Words (and floats) of a ray's record in `rays` and `words`, and the offsets of its fields. */
export const RAY_WORDS = RAY.bytes / 4
export const RAY_FIELDS = {
  origin: wordsTo(RAY, 'origin'),
  tMin: wordsTo(RAY, 'tMin'),
  direction: wordsTo(RAY, 'direction'),
  tMax: wordsTo(RAY, 'tMax'),
  hit: wordsTo(RAY, 'hit'),
  steps: wordsTo(RAY, 'steps'),
  instance: wordsTo(RAY, 'instance'),
} as const

/** A caster's workspace at the end of a scene's memory. */
export interface RayRoom {
  readonly address: number
  readonly bytes: number
}

export class RayCaster {
  /** How many rays fit. */
  readonly capacity: number
  readonly #memory: KernelMemory
  readonly #kernel: Kernel
  /** Address of the first record. */
  readonly #rays: number
  readonly #room: RayRoom
  readonly #freeRooms: RayRoom[]
  #closed = false

  /**
   * @param freeRooms unused workspaces in the scene's memory: the caster takes one from there, and puts it back
   * @throws RangeError if there is no more memory
   */
  constructor(module: WebAssembly.Module, scene: WasmScene, capacity: number, freeRooms: RayRoom[]) {
    this.capacity = capacity
    this.#memory = new KernelMemory(scene.memory)
    this.#kernel = instantiate(module, scene.memory)
    const bytes = align128(scene.traceBytes) + capacity * RAY.bytes + PLACED_TRIANGLE.bytes
    this.#freeRooms = freeRooms
    this.#room = takeRoom(freeRooms, bytes) ?? { address: this.#memory.extend(bytes), bytes }
    this.#kernel.bindTrace(this.#room.address)
    this.#rays = this.#room.address + align128(scene.traceBytes)
  }

  /** Gives its workspace back; the caster must not be used any more. */
  close(): void {
    if (!this.#closed) this.#freeRooms.push(this.#room)
    this.#closed = true
  }

  /** Address of the records. */
  get address(): number {
    return this.#rays
  }

  /** The records as floats, RAY_WORDS each: the first eight are origin (relative to the scene's centre), tMin, direction (any length), tMax. */
  get rays(): Float32Array<SharedArrayBuffer> {
    return this.#memory.floats.subarray(this.#rays >>> 2, (this.#rays >>> 2) + this.capacity * RAY_WORDS)
  }

  /** The records as words: `hit` and `steps`. */
  get words(): Uint32Array<SharedArrayBuffer> {
    return this.#memory.words.subarray(this.#rays >>> 2, (this.#rays >>> 2) + this.capacity * RAY_WORDS)
  }

  /** Finds the closest hits of `count` rays from number `first` on: `hit` is 0 or what was hit, and `tMax` its distance. */
  closest(count: number, coherent: boolean, first = 0): void {
    this.#kernel.traceClosest(this.#rays + first * RAY.bytes, count, coherent)
  }

  /** Finds whether `count` rays from `first` on are occluded: bit 0 of `hit` by something opaque, bit 1 by glass. */
  shadow(count: number, coherent: boolean, first = 0): void {
    this.#kernel.traceShadow(this.#rays + first * RAY.bytes, count, coherent)
  }

  /** The number in the scene of the triangle that a ray, given by its number here, has hit; it must have hit one. */
  triangleOf(ray: number): number {
    return this.#kernel.hitTriangle(this.#rays + ray * RAY.bytes, this.#rays + this.capacity * RAY.bytes)
  }

  /**
   * What a ray hits, if anything, in world coordinates; overwrites the first record.
   * @throws BadRayError for a direction of length 0, or numbers that are not finite
   */
  pick(origin: Vec3, direction: Vec3): Pick | undefined {
    const [x, y, z] = direction
    const length = Math.sqrt(x * x + y * y + z * z)
    // The kernel uses floats: what is too large for one is not finite there.
    if (!origin.every(coordinate => Number.isFinite(Math.fround(coordinate))) || !Number.isFinite(length))
      throw new BadRayError(
        `pick: expected finite numbers, got origin ${origin.join(', ')} and direction ${direction.join(', ')}`,
      )
    if (length === 0) throw new BadRayError('pick: expected a direction of nonzero length, got 0, 0, 0')
    const { rays, words } = this
    const centre = centreIn(this.#memory)
    rays.set(
      origin.map((coordinate, axis) => coordinate - centre[axis]!),
      RAY_FIELDS.origin,
    )
    rays.set(
      direction.map(component => component / length),
      RAY_FIELDS.direction,
    )
    rays[RAY_FIELDS.tMin] = 0
    rays[RAY_FIELDS.tMax] = Number.POSITIVE_INFINITY
    this.closest(1, false)
    return words[RAY_FIELDS.hit] === 0 ? undefined : { triangle: this.triangleOf(0), distance: rays[RAY_FIELDS.tMax]! }
  }
}

/** Takes the smallest workspace of at least `bytes` bytes, if there is one. */
function takeRoom(rooms: RayRoom[], bytes: number): RayRoom | undefined {
  const [best] = rooms.filter(room => room.bytes >= bytes).sort((a, b) => a.bytes - b.bytes)
  if (best) rooms.splice(rooms.indexOf(best), 1)
  return best
}
