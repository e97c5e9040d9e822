/** Which cells of a frame take part in its next pass: all until there is an estimate of their noise, then those that are too noisy. */
import { CellMask, NOISE_CELL } from '../../shared/cell-mask.ts'
import type { Size } from '../../shared/rect.ts'
import type { SampleRange } from '../../shared/view.ts'
import { type NoiseLimit, noisyCells } from './cell-noise.ts'

export class AdaptiveSamples {
  readonly #size: Size
  readonly #limit: NoiseLimit
  readonly #most: number
  #open: CellMask
  /** The frame's light before the newest pass. */
  #before: Float64Array | undefined

  /** @param most samples that a pixel can have */
  constructor(size: Size, most: number, limit: NoiseLimit) {
    this.#size = size
    this.#most = most
    this.#limit = limit
    this.#open = new CellMask(size, NOISE_CELL, () => true)
  }

  /** Cells of the pass in progress: a cell that has been left out stays out. */
  get open(): CellMask {
    return this.#open
  }

  /** Decides about the next pass when one is complete. `light`: the frame's sums so far; borrowed. */
  passDone(range: SampleRange, light: Float64Array): CellMask {
    if (this.#before) {
      const halves = { size: this.#size, before: this.#before, sums: light, range, most: this.#most }
      this.#open = noisyCells(halves, this.#limit, this.#open)
      this.#before.set(light)
    } else this.#before = light.slice()
    return this.#open
  }
}
