/** Single answers of the kernel's path tracer: how it scatters light at a surface and finds it, and its random numbers. For tests and `bench pictures`. */
import type { Vec3 } from '../../../shared/frame/view.ts'
import { instantiate, type Kernel } from './kernel.ts'
import { KernelMemory } from './memory.ts'
import { get, header, offsetOf } from './records/access.ts'
import { MATERIAL } from './records/material.ts'
import { ANSWER } from './records/view.ts'
import type { WasmScene } from './wasm-scene.ts'

/** Directions are in local coordinates, z along the shading normal on the ray's side. */
export interface Scattered {
  readonly direction: Vec3
  /** BSDF times the cosine; with a density of 0 the weight of the direction. */
  readonly value: Vec3
  /** Per solid angle; 0 for a perfectly smooth direction. */
  readonly density: number
}

const ANSWER_BYTES = 64

export class KernelProbe {
  readonly #kernel: Kernel
  readonly #memory: KernelMemory
  readonly #answer: number

  /** @throws RangeError if there is no more memory */
  constructor(module: WebAssembly.Module, scene: WasmScene) {
    this.#memory = new KernelMemory(scene.memory)
    this.#kernel = instantiate(module, scene.memory)
    this.#answer = this.#memory.extend(ANSWER_BYTES)
    this.#kernel.bindShade(this.#memory.extend(this.#kernel.shadeBytes() >>> 0))
  }

  /**
   * @param material its number in the scene
   * @param inside whether the ray comes from inside
   * @param u numbers in [0, 1): the first chooses the lobe
   */
  sample(material: number, inside: boolean, wo: Vec3, u: Vec3): Scattered {
    this.#kernel.probeLobe(this.#answer, this.#addressOf(material), inside ? -1 : 1, ...wo, ...u)
    const [x, y, z] = this.#answered('direction')
    return { direction: [x!, y!, z!], ...this.#value() }
  }

  evaluate(material: number, inside: boolean, wo: Vec3, wi: Vec3): Scattered {
    this.#kernel.probeDirection(this.#answer, this.#addressOf(material), inside ? -1 : 1, ...wo, ...wi)
    return { direction: wi, ...this.#value() }
  }

  /** A direction from a point towards a light of the scene, and the light's radiance. @param u numbers in [0, 1): the first chooses the light */
  sampleLight(point: Vec3, u: Vec3): Scattered {
    this.#kernel.probeLight(this.#answer, ...point, ...u)
    const [x, y, z] = this.#answered('direction')
    return { direction: [x!, y!, z!], ...this.#value() }
  }

  /** The radiance of the scene's only light or map along a ray from a point, and the density with which `sampleLight` chooses its direction. */
  meetLight(point: Vec3, direction: Vec3): Scattered {
    this.#kernel.probeMeeting(this.#answer, 0, ...point, ...direction)
    return { direction, ...this.#value() }
  }

  /** Number of the light in the scene that `u` chooses for a point: behind those of the list come cells of emissive triangles, and behind these none. */
  chooseLight(point: Vec3, u: number): number {
    return this.#kernel.probeChoice(...point, u) >>> 0
  }

  /** Probability with which a light in the scene is chosen for a point. */
  chanceOfLight(number: number, point: Vec3): number {
    return this.#kernel.probeChance(number, ...point)
  }

  /** Density with which a point of an emissive triangle is chosen for another, over its area: 1 if all points are as probable. @param weights of corners b and c */
  chanceOnTriangle(triangle: number, weights: readonly [number, number], point: Vec3): number {
    return this.#kernel.probeTriangle(triangle, ...weights, ...point)
  }

  /** The numbers of one of a pixel's `samples` samples for one of its decisions: pairs, in [0, 1). */
  draw(x: number, y: number, samples: number, sample: number, set: number): Float64Array {
    const first = this.#kernel.probeFirst(x, y, 32 - Math.clz32(samples - 1))
    this.#kernel.probeSampler(this.#answer, this.#kernel.probeSeed(x, y, 0), set, first + sample)
    return this.#memory.doubles.slice(this.#answer >>> 3, (this.#answer >>> 3) + 8)
  }

  #addressOf(material: number): number {
    return header(this.#memory, 'materials') + material * MATERIAL.bytes
  }

  #value(): Omit<Scattered, 'direction'> {
    const [red, green, blue] = this.#answered('value')
    return { value: [red!, green!, blue!], density: get(this.#memory, ANSWER, this.#answer, 'density') }
  }

  #answered(name: 'direction' | 'value'): Float64Array {
    const first = (this.#answer + offsetOf(ANSWER, name)) >>> 3
    return this.#memory.doubles.subarray(first, first + 3)
  }
}
