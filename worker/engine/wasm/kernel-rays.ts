/**
 * Closest hits of a tracer's own rays, in the kernel. Their room at the end of the scene's memory is made when it is first needed: a
 * memory never shrinks, and most pictures have no channels beside colour.
 */
import { RAY_FLOATS } from '../camera-rays.ts'
import { BATCH_RAYS, CORNER_FLOATS, type RayBatch } from '../centre-hits.ts'
import { PLACED_TRIANGLE_BYTES } from './kernel/instance-layout.ts'
import { RAY_BYTES, RAY_HIT, RAY_ORIGIN, RAY_T_MAX } from './kernel/layout.ts'
import type { Kernel } from './kernel.ts'
import type { KernelMemory } from './memory.ts'

export class KernelRays {
  readonly #memory: KernelMemory
  readonly #kernel: Kernel
  readonly #alone: boolean
  #address: number | undefined

  /**
   * @param kernel bound to the workspace of this thread
   * @param alone whether rays are traced one by one
   */
  constructor(memory: KernelMemory, kernel: Kernel, alone: boolean) {
    this.#memory = memory
    this.#kernel = kernel
    this.#alone = alone
  }

  /** @throws RangeError if there is no memory for the rays */
  closest({ rays, triangles, distances, corners }: RayBatch, count: number): void {
    this.#address ??= this.#memory.extend(BATCH_RAYS * RAY_BYTES + PLACED_TRIANGLE_BYTES)
    const address = this.#address
    const triangle = address + BATCH_RAYS * RAY_BYTES
    const { floats, words } = this.#memory
    for (let ray = 0; ray < count; ray++) {
      const from = ray * RAY_FLOATS
      const to = (address + ray * RAY_BYTES + RAY_ORIGIN) >>> 2
      for (let k = 0; k < RAY_FLOATS; k++) floats[to + k] = rays[from + k]!
    }
    if (this.#alone)
      for (let ray = 0; ray < count; ray++) this.#kernel.traceClosest(address + ray * RAY_BYTES, 1, false)
    else this.#kernel.traceClosest(address, count, true)
    for (let ray = 0; ray < count; ray++) {
      const at = address + ray * RAY_BYTES
      distances[ray] = floats[(at + RAY_T_MAX) >>> 2]!
      triangles[ray] = -1
      if (words[(at + RAY_HIT) >>> 2] === 0) continue
      triangles[ray] = this.#kernel.hitTriangle(at, triangle)
      corners.set(floats.subarray(triangle >>> 2, (triangle >>> 2) + CORNER_FLOATS), ray * CORNER_FLOATS)
    }
  }
}
