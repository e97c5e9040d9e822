/**
 * How many samples the pixels of a frame have, cell by cell, and what their sums mean. Engines weight every sample by one over the
 * most that a pixel can have, so the sums of a pixel with fewer are scaled up: only here, by one factor per cell. It is a power of two
 * where both numbers are, and then the product is exact.
 */
import { type CellMask, NOISE_CELL } from '../../shared/cell-mask.ts'
import type { Size } from '../../shared/rect.ts'

export class SampleCounts {
  readonly #size: Size
  readonly #columns: number
  /** Samples that a pixel has in the end unless it is left out of a pass. */
  readonly #most: number
  /** By cell, row-major. */
  readonly #taken: Uint32Array

  constructor(size: Size, most: number) {
    this.#size = size
    this.#columns = Math.ceil(size[0] / NOISE_CELL)
    this.#most = most
    this.#taken = new Uint32Array(this.#columns * Math.ceil(size[1] / NOISE_CELL))
  }

  /** Every pixel has so many more, or those in these cells. */
  add(samples: number, cells?: CellMask): void {
    const taken = this.#taken
    for (let at = 0; at < taken.length; at++)
      if (!cells || cells.has(at % this.#columns, Math.floor(at / this.#columns))) taken[at]! += samples
  }

  /** The samples of each pixel, row-major. */
  plane(): Float32Array {
    const plane = new Float32Array(this.#size[0] * this.#size[1])
    this.#forEachRun(0, plane.length, (start, end, taken) => plane.fill(taken, start, end))
    return plane
  }

  /**
   * Means of whole pixels from the `first` on: of the sums so far, weighted by one over the most samples. The same array if all
   * samples are there.
   */
  means(sums: Float64Array, components: number, first = 0): Float64Array {
    if (this.#isComplete) return sums
    const means = new Float64Array(sums.length)
    this.#forEachRun(first, first + sums.length / components, (start, end, taken) => {
      const factor = this.#most / taken
      for (let i = (start - first) * components; i < (end - first) * components; i++) means[i] = sums[i]! * factor
    })
    return means
  }

  /** What share of the samples of each pixel these are, row-major over the frame. */
  shares(counts: ArrayLike<number>): Float32Array {
    const shares = new Float32Array(counts.length)
    this.#forEachRun(0, counts.length, (start, end, taken) => {
      for (let i = start; i < end; i++) shares[i] = counts[i]! / taken
    })
    return shares
  }

  get #isComplete(): boolean {
    return this.#taken.every(taken => taken === this.#most)
  }

  /** Visits the pixels from `from` to `to` (exclusive) in runs that have the same number of samples. */
  #forEachRun(from: number, to: number, visit: (start: number, end: number, taken: number) => void): void {
    const [w] = this.#size
    for (let at = from; at < to; ) {
      const y = Math.floor(at / w)
      const x = at - y * w
      const column = Math.floor(x / NOISE_CELL)
      const end = Math.min(to, y * w + Math.min(w, (column + 1) * NOISE_CELL))
      visit(at, end, this.#taken[Math.floor(y / NOISE_CELL) * this.#columns + column]!)
      at = end
    }
  }
}
