/** Rays, each of a pixel, and what `wasm` finds along them. */
import type { BakedScene } from '../../../../shared/scene/ambient-look.ts'
import { RAY_FIELDS, RAY_WORDS, type RayCaster } from '../../../../worker/engine/wasm/ray-caster.ts'
import { RAY_FLOATS, type Ray, type RaySet } from './ray-kinds.ts'
import { type RayStart, startOf } from './start-of.ts'

const NOTHING = -1

/** A ray has hit a triangle: where a ray starts that leaves it. */
export interface Hit extends RayStart {
  readonly pixel: number
}

export class RayList {
  readonly #rays: Float32Array
  readonly #pixels: Uint32Array
  readonly #distances: Float32Array
  readonly #triangles: Int32Array
  #count = 0

  constructor(most: number) {
    this.#rays = new Float32Array(most * RAY_FLOATS)
    this.#pixels = new Uint32Array(most)
    this.#distances = new Float32Array(most)
    this.#triangles = new Int32Array(most)
  }

  get count(): number {
    return this.#count
  }

  /** Distances of the hits, Infinity for none; borrowed. */
  get distances(): Float32Array {
    return this.#distances.subarray(0, this.#count)
  }

  add(ray: Ray, pixel: number): void {
    this.#rays.set(ray, this.#count * RAY_FLOATS)
    this.#pixels[this.#count++] = pixel
  }

  /** Appends rays `from` to below `to` of a traced list, and what they have hit. */
  append(list: RayList, from: number, to: number): void {
    this.#rays.set(list.#rays.subarray(from * RAY_FLOATS, to * RAY_FLOATS), this.#count * RAY_FLOATS)
    this.#pixels.set(list.#pixels.subarray(from, to), this.#count)
    this.#distances.set(list.#distances.subarray(from, to), this.#count)
    this.#triangles.set(list.#triangles.subarray(from, to), this.#count)
    this.#count += to - from
  }

  /** Finds what the rays hit first. */
  trace(caster: RayCaster): this {
    for (let first = 0; first < this.#count; first += caster.capacity)
      this.#tracePart(caster, first, Math.min(caster.capacity, this.#count - first))
    return this
  }

  #tracePart(caster: RayCaster, first: number, count: number): void {
    const { rays, words } = caster
    for (let i = 0; i < count; i++) rays.set(this.#ray(first + i), i * RAY_WORDS)
    caster.closest(count, false)
    for (let i = 0; i < count; i++) {
      const hit = words[i * RAY_WORDS + RAY_FIELDS.hit]!
      this.#distances[first + i] = hit === 0 ? Number.POSITIVE_INFINITY : rays[i * RAY_WORDS + RAY_FIELDS.tMax]!
      this.#triangles[first + i] = hit === 0 ? NOTHING : caster.triangleOf(i)
    }
  }

  /** What the traced rays `from` to below `to` have hit, without those that have hit nothing. */
  *hits(scene: BakedScene, from = 0, to = this.#count): Generator<Hit> {
    for (let i = from; i < to; i++) {
      const triangle = this.#triangles[i]!
      if (triangle === NOTHING) continue
      yield { ...startOf(scene, triangle, this.#ray(i), this.#distances[i]!), pixel: this.#pixels[i]! }
    }
  }

  done(): RaySet {
    return {
      count: this.#count,
      rays: this.#rays.slice(0, this.#count * RAY_FLOATS),
      answers: this.#distances.slice(0, this.#count),
    }
  }

  #ray(i: number): Float32Array {
    return this.#rays.subarray(i * RAY_FLOATS, (i + 1) * RAY_FLOATS)
  }
}
