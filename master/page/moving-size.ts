/**
 * How large a picture of a view that moves may be, so that it is there in time: the largest of a few shares of the full size whose cost, by what
 * the pictures before took, suits. What a picture takes whatever its size is, on its way and on a busy machine, is told from what its pixels
 * take: fewer of them would not help. A share changes only if that is clearly better, because sizes that change back and forth are
 * more disturbing than pixels that are missing.
 */
import type { Size } from '../../shared/frame/rect.ts'

/** Shares of a side: each has about 0.7 times the pixels of the one before. */
const SHARES = [1, 0.84, 0.71, 0.6, 0.5, 0.42, 0.35, 0.3, 0.25, 0.21, 0.18, 0.15, 0.125] as const
/** Before anything is known. */
const FIRST_SHARE = 4
/** A picture that takes longer than `late` is made smaller, so that it takes at most `wanted`; ms. */
const LATE_MS = 33
const WANTED_MS = 27
/** One is made larger when that would have taken at most so long, ms, for so many pictures in a row. */
const EARLY_MS = 25
const EARLY_PICTURES = 4
/** Share of these times that is left to the pixels, whatever else there is. */
const LEAST_SHARE = 0.4
/** Weight of the newest picture in the means. */
const NEWEST = 0.3

/** What a picture took, ms: in all, until it was encoded, and the part of it that its pixels took. */
export interface PictureTime {
  readonly ms: number
  readonly pixelMs: number
}

export class MovingSize {
  #share = FIRST_SHARE
  #msPerPixel: number | undefined
  #otherMs = 0
  #early = 0

  /** A picture of this size is made, of a view whose full size is `full`. */
  measured([w, h]: Size, full: Size, { ms, pixelMs }: PictureTime): void {
    const own = Math.min(ms, pixelMs)
    const isFirst = this.#msPerPixel === undefined
    this.#msPerPixel = mixed(this.#msPerPixel, own / (w * h))
    this.#otherMs = mixed(isFirst ? undefined : this.#otherMs, ms - own)
    if (!this.#suits(this.#share, full, LATE_MS)) {
      this.#early = 0
      const last = SHARES.length - 1
      while (this.#share < last && !this.#suits(this.#share, full, WANTED_MS)) this.#share++
    } else if (this.#share > 0 && this.#suits(this.#share - 1, full, EARLY_MS)) {
      if (++this.#early < EARLY_PICTURES) return
      this.#early = 0
      this.#share--
    } else this.#early = 0
  }

  /** Of a view whose full size is this, px. */
  of(full: Size): Size {
    return scaled(full, SHARES[this.#share]!)
  }

  #suits(share: number, full: Size, most: number): boolean {
    const [w, h] = scaled(full, SHARES[share]!)
    return w * h * (this.#msPerPixel ?? 0) <= Math.max(most * LEAST_SHARE, most - this.#otherMs)
  }
}

const mixed = (mean: number | undefined, newest: number): number =>
  mean === undefined ? newest : mean + NEWEST * (newest - mean)

const scaled = ([w, h]: Size, share: number): Size => [
  Math.max(1, Math.round(w * share)),
  Math.max(1, Math.round(h * share)),
]

/** The size of a picture for a place of this size, with at most so many pixels and the same proportions. */
export function fitted([w, h]: Size, mostPixels: number): Size {
  if (w * h <= mostPixels) return [w, h]
  const share = Math.sqrt(mostPixels / (w * h))
  const width = Math.max(1, Math.min(Math.floor(w * share), mostPixels))
  return [width, Math.max(1, Math.min(Math.floor(h * share), Math.floor(mostPixels / width)))]
}
