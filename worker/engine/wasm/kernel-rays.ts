/**
 * What camera rays of a tracer's own hit, in the kernel. They take half the room of rays that pass surfaces, of which there are few enough
 * meanwhile.
 */
import { RAY_FLOATS } from '../camera-rays.ts'
import { BATCH_RAYS, CORNER_FLOATS, NORMAL_FLOATS, type RayBatch } from '../centre-hits.ts'
import type { Kernel } from './kernel.ts'
import type { KernelMemory } from './memory.ts'
import { get, wordsTo } from './records/access.ts'
import { RAY } from './records/rays.ts'

export class KernelRays {
  readonly #memory: KernelMemory
  readonly #kernel: Kernel
  readonly #alone: boolean

  /**
   * @param kernel bound to the workspace of this thread
   * @param alone whether rays are traced one by one
   */
  constructor(memory: KernelMemory, kernel: Kernel, alone: boolean) {
    this.#memory = memory
    this.#kernel = kernel
    this.#alone = alone
  }

  /** Needs the kernel to have the view. */
  closest({ rays, triangles, distances, corners, normals, objects, labels }: RayBatch, count: number): void {
    const address = this.#kernel.raysAddress() >>> 0
    // A placed triangle fits behind them, too.
    const triangle = address + BATCH_RAYS * RAY.bytes
    const { floats } = this.#memory
    for (let ray = 0; ray < count; ray++) {
      const from = ray * RAY_FLOATS
      const to = ((address + ray * RAY.bytes) >>> 2) + wordsTo(RAY, 'origin')
      for (let k = 0; k < RAY_FLOATS; k++) floats[to + k] = rays[from + k]!
    }
    if (this.#alone)
      for (let ray = 0; ray < count; ray++) this.#kernel.traceClosest(address + ray * RAY.bytes, 1, false)
    else this.#kernel.traceClosest(address, count, true)
    this.#kernel.passSurely(address, count, true)
    for (let ray = 0; ray < count; ray++) {
      const at = address + ray * RAY.bytes
      distances[ray] = get(this.#memory, RAY, at, 'tMax')
      triangles[ray] = -1
      if (get(this.#memory, RAY, at, 'hit') === 0) continue
      triangles[ray] = this.#kernel.hitTriangle(at, triangle)
      corners.set(floats.subarray(triangle >>> 2, (triangle >>> 2) + CORNER_FLOATS), ray * CORNER_FLOATS)
      if (objects) objects[ray] = this.#kernel.hitObject(at)
      if (labels) labels[ray] = this.#kernel.hitLabel(at)
      if (!normals) continue
      this.#kernel.hitNormal(at, triangle)
      normals.set(floats.subarray(triangle >>> 2, (triangle >>> 2) + NORMAL_FLOATS), ray * NORMAL_FLOATS)
    }
  }
}
