/**
 * How many samples the pixels of a frame have, cell by cell, and what their sums mean. Engines weight every sample by one over a number
 * (`sample-layout.ts`) that a pixel need not have, so sums are scaled: only here, by one factor per cell. It is a power of two where both
 * numbers are, and then the product is exact.
 */
import { type CellMask, NOISE_CELL } from '../../shared/frame/cell-mask.ts'
import type { Size } from '../../shared/frame/rect.ts'

/** Plain data of `SampleCounts`. */
export interface CountsData {
  readonly size: Size
  readonly most: number
  readonly taken: Uint32Array
}

export class SampleCounts {
  readonly #size: Size
  readonly #columns: number
  /** Samples that the weights in sums are for. */
  readonly #most: number
  /** By cell, row-major. */
  readonly #taken: Uint32Array

  /** @param taken samples of each cell. @default none */
  constructor(size: Size, most: number, taken?: Uint32Array) {
    this.#size = size
    this.#columns = Math.ceil(size[0] / NOISE_CELL)
    this.#most = most
    this.#taken = taken ?? new Uint32Array(this.#columns * Math.ceil(size[1] / NOISE_CELL))
  }

  static of({ size, most, taken }: CountsData): SampleCounts {
    return new SampleCounts(size, most, taken)
  }

  /** A copy of some rows of pixels, a frame of their own. @param from a multiple of a cell's side */
  rows(from: number, to: number): CountsData {
    const [first, last] = [from / NOISE_CELL, Math.ceil(to / NOISE_CELL)]
    const taken = this.#taken.slice(first * this.#columns, last * this.#columns)
    return { size: [this.#size[0], to - from], most: this.#most, taken }
  }

  /** A copy: samples of each cell. */
  taken(): Uint32Array {
    return this.#taken.slice()
  }

  /** Every pixel has so many more, or those in these cells. */
  add(samples: number, cells?: CellMask): void {
    const taken = this.#taken
    if (!cells) {
      for (let at = 0; at < taken.length; at++) taken[at]! += samples
      return
    }
    const marks = cells.marks()
    for (let at = 0; at < taken.length; at++) taken[at]! += marks[at]! * samples
  }

  /** The samples of each pixel, row-major. */
  plane(): Float32Array<ArrayBuffer> {
    const plane = new Float32Array(this.#size[0] * this.#size[1])
    this.forEachRun((start, end, taken) => plane.fill(taken, start, end))
    return plane
  }

  /** Means of pixels, of the sums so far. The same array if these are means already. */
  means(sums: Float64Array, components: number): Float64Array {
    if (this.#taken.every(taken => taken === this.#most)) return sums
    const means = new Float64Array(sums.length)
    this.forEachRun((start, end, taken) => {
      const factor = this.#most / taken
      for (let i = start * components; i < end * components; i++) means[i] = sums[i]! * factor
    })
    return means
  }

  /** What share of the samples of each pixel these are, row-major over the frame. */
  shares(counts: ArrayLike<number>): Float32Array<ArrayBuffer> {
    const shares = new Float32Array(counts.length)
    this.forEachRun((start, end, taken) => {
      for (let i = start; i < end; i++) shares[i] = counts[i]! / taken
    })
    return shares
  }

  /** Visits the pixels in runs that have the same number of samples. */
  forEachRun(visit: (start: number, end: number, taken: number) => void): void {
    const [w, h] = this.#size
    for (let y = 0; y < h; y++) {
      const first = Math.floor(y / NOISE_CELL) * this.#columns
      for (let column = 0; column < this.#columns; column++) {
        const taken = this.#taken[first + column]!
        const start = column
        while (column + 1 < this.#columns && this.#taken[first + column + 1] === taken) column++
        visit(y * w + start * NOISE_CELL, y * w + Math.min(w, (column + 1) * NOISE_CELL), taken)
      }
    }
  }
}
