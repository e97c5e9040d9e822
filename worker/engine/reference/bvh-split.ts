/**
 * Binned search for the best split of a range. Expected cost of a split (surface area heuristic, up to constants):
 * area(left) · count(left) + area(right) · count(right).
 *
 * Triangles are represented by their doubled centroid min + max, which needs no division. The same expression is used for
 * binning and partitioning, so both agree on every triangle regardless of rounding.
 */
import { RECORD_MAX, RECORD_MIN, RECORD_WORDS, type Records, swapRecords } from './triangle-records.ts'

const MAX_BINS = 16
/**
 * An axis is searched only if the centroids' extent along it is at least this fraction of the largest extent: on scans this
 * saves a quarter of the build time and costs nothing in traversal; long thin parts keep all of their good axes.
 */
const MIN_WIDTH = 0.6
/** min xyz and max xyz of a box. */
const BOX = 6

/** Half the surface area of a box given as min xyz, max xyz. */
export function boxArea(box: Float64Array): number {
  const x = box[3]! - box[0]!
  const y = box[4]! - box[1]!
  const z = box[5]! - box[2]!
  return x * y + y * z + z * x
}

/** Processes one range of records at a time; its fields are scratch, valid until the next `measure`. */
export class BinnedSplit {
  /** Bounds of the measured range. */
  readonly box = new Float64Array(BOX)
  readonly #records: Records
  /** Bounds of the doubled centroids of the measured range. */
  readonly #centroids = new Float64Array(BOX)
  /** Bins per axis for the measured range: small ranges need fewer. */
  #bins = MAX_BINS
  /** Per searched axis, how many bins a unit of doubled centroid spans. */
  readonly #scale = new Float64Array(3)
  /** Bins of the current axis. */
  readonly #binBoxes = new Float64Array(MAX_BINS * BOX)
  readonly #binCounts = new Int32Array(MAX_BINS)
  /** Cost of its bins up to each bin, and from each bin on. */
  readonly #leftCosts = new Float64Array(MAX_BINS)
  readonly #rightCosts = new Float64Array(MAX_BINS)
  #bestAxis = -1
  #bestBorder = 0

  constructor(records: Records) {
    this.#records = records
  }

  /** Bounds of the records `first` to `end` (exclusive). */
  measure(first: number, end: number): void {
    const { floats } = this.#records
    for (let axis = 0; axis < 3; axis++) {
      let low = Number.POSITIVE_INFINITY
      let high = Number.NEGATIVE_INFINITY
      let lowCentroid = Number.POSITIVE_INFINITY
      let highCentroid = Number.NEGATIVE_INFINITY
      for (let at = first * RECORD_WORDS + axis; at < end * RECORD_WORDS; at += RECORD_WORDS) {
        const min = floats[at + RECORD_MIN]!
        const max = floats[at + RECORD_MAX]!
        if (min < low) low = min
        if (max > high) high = max
        if (min + max < lowCentroid) lowCentroid = min + max
        if (min + max > highCentroid) highCentroid = min + max
      }
      this.box[axis] = low
      this.box[axis + 3] = high
      this.#centroids[axis] = lowCentroid
      this.#centroids[axis + 3] = highCentroid
    }
  }

  /** Finds the best split of the measured range; returns its cost, Infinity if no split separates the centroids. */
  search(first: number, end: number): number {
    this.#bins = Math.min(MAX_BINS, end - first)
    let widest = 0
    for (let axis = 0; axis < 3; axis++) widest = Math.max(widest, this.#centroidWidth(axis))
    this.#bestAxis = -1
    let best = Number.POSITIVE_INFINITY
    for (let axis = 0; axis < 3; axis++) {
      const width = this.#centroidWidth(axis)
      if (width === 0 || width < MIN_WIDTH * widest) continue
      // Slightly less than `bins`, so that the last centroid falls into the last bin.
      this.#scale[axis] = (this.#bins * 0.999999) / width
      this.#fillBins(axis, first, end)
      best = this.#sweep(axis, best)
    }
    return best
  }

  /** Partitions the range by the split found; returns the first record of its right part, `first` if there is no split. */
  partition(first: number, end: number): number {
    const axis = this.#bestAxis
    if (axis < 0) return first
    const { floats } = this.#records
    const low = this.#centroids[axis]!
    const scale = this.#scale[axis]!
    const border = this.#bestBorder
    let left = first
    let right = end - 1
    while (left <= right) {
      const at = left * RECORD_WORDS + axis
      const bin = ((floats[at + RECORD_MIN]! + floats[at + RECORD_MAX]! - low) * scale) | 0
      if (bin < border) left++
      else swapRecords(this.#records, left, right--)
    }
    return left
  }

  /** Extent of the doubled centroids of the measured range. */
  #centroidWidth(axis: number): number {
    return this.#centroids[axis + 3]! - this.#centroids[axis]!
  }

  /** Puts every record of the range into its bin of one axis. */
  #fillBins(axis: number, first: number, end: number): void {
    const binBoxes = this.#binBoxes
    const binCounts = this.#binCounts
    const bins = this.#bins
    const { floats } = this.#records
    const low = this.#centroids[axis]!
    const scale = this.#scale[axis]!
    for (let bin = 0; bin < bins; bin++) {
      binCounts[bin] = 0
      for (let k = 0; k < 3; k++) {
        binBoxes[bin * BOX + k] = Number.POSITIVE_INFINITY
        binBoxes[bin * BOX + k + 3] = Number.NEGATIVE_INFINITY
      }
    }
    for (let at = first * RECORD_WORDS; at < end * RECORD_WORDS; at += RECORD_WORDS) {
      const bin = ((floats[at + RECORD_MIN + axis]! + floats[at + RECORD_MAX + axis]! - low) * scale) | 0
      const box = bin * BOX
      binCounts[bin]!++
      if (floats[at + RECORD_MIN]! < binBoxes[box]!) binBoxes[box] = floats[at + RECORD_MIN]!
      if (floats[at + RECORD_MIN + 1]! < binBoxes[box + 1]!) binBoxes[box + 1] = floats[at + RECORD_MIN + 1]!
      if (floats[at + RECORD_MIN + 2]! < binBoxes[box + 2]!) binBoxes[box + 2] = floats[at + RECORD_MIN + 2]!
      if (floats[at + RECORD_MAX]! > binBoxes[box + 3]!) binBoxes[box + 3] = floats[at + RECORD_MAX]!
      if (floats[at + RECORD_MAX + 1]! > binBoxes[box + 4]!) binBoxes[box + 4] = floats[at + RECORD_MAX + 1]!
      if (floats[at + RECORD_MAX + 2]! > binBoxes[box + 5]!) binBoxes[box + 5] = floats[at + RECORD_MAX + 2]!
    }
  }

  /** The smaller of `best` and the lowest cost over one axis' borders, which then becomes the split. */
  #sweep(axis: number, best: number): number {
    const leftCosts = this.#leftCosts
    const rightCosts = this.#rightCosts
    const bins = this.#bins
    this.#accumulate(0, bins - 1, 1, leftCosts)
    this.#accumulate(bins - 1, 0, -1, rightCosts)
    for (let border = 1; border < bins; border++) {
      const cost = leftCosts[border - 1]! + rightCosts[border]!
      if (cost < best) {
        best = cost
        this.#bestAxis = axis
        this.#bestBorder = border
      }
    }
    return best
  }

  /**
   * Writes area times count of the bins `from` to `to` of an axis, accumulated bin by bin, to `out`. The outermost bins contain
   * the outermost centroids and are never empty, so no sum is empty.
   */
  #accumulate(from: number, to: number, step: 1 | -1, out: Float64Array): void {
    const binBoxes = this.#binBoxes
    const binCounts = this.#binCounts
    let count = 0
    let x0 = Number.POSITIVE_INFINITY
    let y0 = Number.POSITIVE_INFINITY
    let z0 = Number.POSITIVE_INFINITY
    let x1 = Number.NEGATIVE_INFINITY
    let y1 = Number.NEGATIVE_INFINITY
    let z1 = Number.NEGATIVE_INFINITY
    for (let bin = from; bin !== to; bin += step) {
      const box = bin * BOX
      count += binCounts[bin]!
      x0 = Math.min(x0, binBoxes[box]!)
      y0 = Math.min(y0, binBoxes[box + 1]!)
      z0 = Math.min(z0, binBoxes[box + 2]!)
      x1 = Math.max(x1, binBoxes[box + 3]!)
      y1 = Math.max(y1, binBoxes[box + 4]!)
      z1 = Math.max(z1, binBoxes[box + 5]!)
      out[bin] = count * ((x1 - x0) * (y1 - y0) + (y1 - y0) * (z1 - z0) + (z1 - z0) * (x1 - x0))
    }
  }
}
