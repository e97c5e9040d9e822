/** Random choices that depend only on the seed and the number of an input, so that any input can be made again alone. */
import { hash32, unitOf } from '../../../shared/math/random.ts'

export class Dice {
  readonly #seed: number
  readonly #input: number
  #thrown = 0

  constructor(seed: number, input: number) {
    this.#seed = seed
    this.#input = input
  }

  /** From 0 inclusive to 1 exclusive. */
  unit(): number {
    return unitOf(hash32(this.#seed, this.#input, this.#thrown++))
  }

  /** A whole number below `end`, which is at least 1. */
  below(end: number): number {
    return Math.floor(this.unit() * end)
  }

  chance(share: number): boolean {
    return this.unit() < share
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  bytes(length: number): Uint8Array<ArrayBuffer> {
    return Uint8Array.from({ length }, () => this.below(256))
  }
}
