/** The coverage mask C(i, j) of a frame (§III.B of the PBT paper), and the table that sums it over any rectangle. */
import type { Size } from '../../shared/frame/rect.ts'

/** One bit per pixel, row-major, 32 pixels per word, rows padded to whole words. A set bit: geometry may project there. */
export class CoverageMask {
  readonly size: Size
  /** Words per row. */
  readonly stride: number
  readonly bits: Uint32Array

  constructor(size: Size) {
    this.size = size
    this.stride = Math.ceil(size[0] / 32)
    this.bits = new Uint32Array(this.stride * size[1])
  }

  has(x: number, y: number): boolean {
    return ((this.bits[y * this.stride + (x >> 5)]! >>> (x & 31)) & 1) === 1
  }

  set(x: number, y: number): void {
    this.bits[y * this.stride + (x >> 5)]! |= 1 << (x & 31)
  }

  /** Sets the pixels `fromX` to `toX`, both inclusive, of row `y`. */
  setRun(y: number, fromX: number, toX: number): void {
    const row = y * this.stride
    const first = row + (fromX >> 5)
    const last = row + (toX >> 5)
    const headBits = -1 << (fromX & 31)
    const tailBits = -1 >>> (31 - (toX & 31))
    if (first === last) {
      this.bits[first]! |= headBits & tailBits
      return
    }
    this.bits[first]! |= headBits
    this.bits.fill(0xffffffff, first + 1, last)
    this.bits[last]! |= tailBits
  }

  /** Whether every pixel from `fromX` to `toX`, both inclusive, of row `y` is set. */
  runIsSet(y: number, fromX: number, toX: number): boolean {
    const row = y * this.stride
    const first = row + (fromX >> 5)
    const last = row + (toX >> 5)
    const headBits = -1 << (fromX & 31)
    const tailBits = -1 >>> (31 - (toX & 31))
    if (first === last) return (~this.bits[first]! & headBits & tailBits) === 0
    if ((~this.bits[first]! & headBits) !== 0 || (~this.bits[last]! & tailBits) !== 0) return false
    for (let word = first + 1; word < last; word++) if (this.bits[word] !== 0xffffffff) return false
    return true
  }
}

/** Counts of set pixels: entry (x, y) of (w + 1) × (h + 1) counts those above and to the left of it (Crow 1984). */
export function summedAreaTable({ size: [w, h], bits, stride }: CoverageMask): Int32Array {
  const table = new Int32Array((w + 1) * (h + 1))
  let to = w + 1
  for (let y = 0; y < h; y++) {
    let inRow = 0
    to++
    for (let x = 0; x < w; x += 32) {
      let word = bits[y * stride + (x >> 5)]! | 0
      for (const end = to + Math.min(32, w - x); to < end; to++) {
        inRow += word & 1
        word >>>= 1
        table[to] = (table[to - w - 1]! + inRow) | 0
      }
    }
  }
  return table
}
