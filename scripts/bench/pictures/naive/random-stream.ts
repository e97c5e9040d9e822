/** One stream of random numbers per sample. Seeded apart from the kernels': the same numbers on both sides would hide errors. */
import { hash32, unitOf } from '../../../../shared/math/random.ts'

/** Keeps these streams apart from every other use of the hash. */
const NAIVE = 0x6e616976

export class RandomStream {
  readonly #first: number
  readonly #second: number
  #count = 0

  constructor(seed: number, frame = 0, pixel = 0, sample = 0) {
    this.#first = hash32(NAIVE, seed, frame, pixel, sample)
    this.#second = hash32(sample, pixel, frame, seed, NAIVE)
  }

  /** In [0, 1). */
  next(): number {
    return unitOf(hash32(this.#first, this.#second, this.#count++))
  }
}
