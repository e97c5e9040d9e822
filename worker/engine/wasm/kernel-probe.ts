/** Single answers of the kernel's path tracer: how it scatters light at a surface and finds it, and its random numbers. For tests and `bench pictures`. */
import { stretchBits } from '../../../shared/frame/sample-layout.ts'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { instantiate, type Kernel } from './kernel.ts'
import { KernelMemory } from './memory.ts'
import { header, offsetOf } from './records/access.ts'
import { MATERIAL } from './records/material.ts'
import { DRAWN } from './records/rays.ts'
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

type Pair = readonly [number, number]

/** A direction and its value, or the numbers of four samples. */
const ANSWER_BYTES = 4 * DRAWN.bytes
/** Doubles from the beginning of an answer. */
const [DIRECTION, VALUE, DENSITY] = [
  offsetOf(ANSWER, 'direction') / 8,
  offsetOf(ANSWER, 'value') / 8,
  offsetOf(ANSWER, 'density') / 8,
]

export class KernelProbe {
  readonly #kernel: Kernel
  readonly #memory: KernelMemory
  readonly #answer: number
  /** The first material. */
  readonly #materials: number

  /** @throws RangeError if there is no more memory */
  constructor(module: WebAssembly.Module, scene: WasmScene) {
    this.#memory = new KernelMemory(scene.memory)
    this.#kernel = instantiate(module, scene.memory)
    this.#answer = this.#memory.extend(ANSWER_BYTES)
    this.#materials = header(this.#memory, 'materials')
    this.#kernel.bindShade(this.#memory.extend(this.#kernel.shadeBytes() >>> 0))
  }

  /**
   * @param material its number in the scene
   * @param inside whether the ray comes from inside
   * @param u numbers in [0, 1): the first chooses the lobe
   */
  sample(material: number, inside: boolean, wo: Vec3, u: Vec3): Scattered {
    this.#kernel.probeLobe(this.#answer, this.#addressOf(material), inside ? -1 : 1, ...wo, ...u)
    return this.#answered()
  }

  evaluate(material: number, inside: boolean, wo: Vec3, wi: Vec3): Scattered {
    this.#kernel.probeDirection(
      this.#answer,
      this.#addressOf(material),
      inside ? -1 : 1,
      wo[0],
      wo[1],
      wo[2],
      wi[0],
      wi[1],
      wi[2],
    )
    return this.#answered(wi)
  }

  /** A direction from a point towards a light of the scene, and the light's radiance. @param u numbers in [0, 1): the first chooses the light, too @param normal of an opaque surface there */
  sampleLight(point: Vec3, u: Pair, normal?: Vec3): Scattered {
    this.#kernel.probeLight(this.#answer, this.#facingOf(normal), ...point, ...u)
    return this.#answered()
  }

  /** The radiance of the scene's only light or map along a ray from a point, and the density with which `sampleLight` chooses its direction. */
  meetLight(point: Vec3, direction: Vec3, normal?: Vec3): Scattered {
    this.#kernel.probeMeeting(this.#answer, 0, this.#facingOf(normal), ...point, ...direction)
    return this.#answered(direction)
  }

  #facingOf(normal: Vec3 | undefined): number {
    return normal ? this.#kernel.probeFacing(...normal) : 0
  }

  /** Number of the light in the scene that `u` chooses for a point: behind those of the list come cells of emissive triangles, and behind these none. */
  chooseLight(point: Vec3, u: number): number {
    return this.#kernel.probeChoice(...point, u) >>> 0
  }

  /** Probability with which a light in the scene is chosen for a point. */
  chanceOfLight(number: number, point: Vec3): number {
    return this.#kernel.probeChance(number, ...point)
  }

  /**
   * Density with which the direction from a point to another, of an emissive triangle, is chosen; 0 if the triangle is not asked for light.
   * @param weights of corners b and c @param cosine between the direction and the triangle's normal
   */
  densityOfTriangle(triangle: number, weights: Pair, point: Vec3, distance: number, cosine: number): number {
    return this.#kernel.probeTriangle(triangle, ...weights, ...point, distance, cosine)
  }

  /** The numbers of one of a pixel's `samples` samples for one of its decisions: pairs, in [0, 1). */
  draw(x: number, y: number, samples: number, sample: number, set: number): Float64Array {
    const first = this.#kernel.probeFirst(x, y, stretchBits({ samples, bounces: 0 }))
    this.#kernel.probeSampler(this.#answer, this.#kernel.probeSeed(x, y, 0), set, first + sample)
    return this.#memory.doubles.slice(this.#answer >>> 3, (this.#answer >>> 3) + 8)
  }

  #addressOf(material: number): number {
    return this.#materials + material * MATERIAL.bytes
  }

  /** Benches ask millions of times: the view is taken once for each. @param direction if it was asked for, and not answered */
  #answered(direction?: Vec3): Scattered {
    const numbers = this.#memory.doubles
    const [to, value] = [this.#answer / 8 + DIRECTION, this.#answer / 8 + VALUE]
    return {
      direction: direction ?? [numbers[to]!, numbers[to + 1]!, numbers[to + 2]!],
      value: [numbers[value]!, numbers[value + 1]!, numbers[value + 2]!],
      density: numbers[this.#answer / 8 + DENSITY]!,
    }
  }
}
