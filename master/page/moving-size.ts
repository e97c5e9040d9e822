/**
 * How large a picture of a view that moves may be, so that it is there in time: the largest of a few shares of the full size whose cost, by what
 * the pictures before took, suits. That is a line, fitted to their times over their pixels: a part that depends on them, and one that does not,
 * because pictures have a way to go, machines are busy, and the first rays of a picture find nothing in the caches; smaller pictures
 * would not be sooner there. A share changes only if that is clearly better, because sizes that change back and forth are more disturbing than
 * pixels that are missing.
 */
import type { Size } from '../../shared/frame/rect.ts'

/** Shares of a side: each has about 0.7 times the pixels of the one before. */
const SHARES = [1, 0.84, 0.71, 0.6, 0.5, 0.42, 0.35, 0.3, 0.25, 0.21, 0.18, 0.15, 0.125] as const
/** Smaller pictures would hardly be sooner there: about 211 × 119; but half of the width and height of a small place will do. */
const LEAST_PIXELS = 25_000
const LEAST_SIDE = 0.5
/** Before anything is known. */
const FIRST_SHARE = 4
const NOTHING = { one: 0, px: 0, ms: 0, pxPx: 0, pxMs: 0 } as const
/** How long a picture may take if the page wants nothing else, ms. */
export const USUAL_MS = 27
/** A picture that takes longer than what is wanted, by this factor, is made smaller, so that it takes at most that. */
const LATE = 1.25
/** One is made larger when that would have taken at most this share of what is wanted, for so many pictures in a row. */
const EARLY = 0.92
const EARLY_PICTURES = 4
/** Share of these times that is left to the pixels, whatever else there is. */
const LEAST_SHARE = 0.5
/** So many shares are skipped at most when a picture is late: the line is not known well before there are pictures of several sizes. */
const MOST_STEPS = 3
/** Weight of older pictures in the fit, for each newer one. */
const OLDER = 0.9
/** Pictures tell what depends on pixels if their numbers of these differ by so much, as a share: their standard deviation. */
const LEAST_SPREAD = 0.08
/** The most that is believed not to depend on pixels, as a share. */
const MOST_FIXED = 0.99
/**
 * A picture whose time is so many times what was expected, or as small a part, is left out: machines have other things to do now and then. After
 * another one, what was known counts no more: the view has come upon something else.
 */
const SURPRISING = 2
const MOST_SURPRISES = 2

export class MovingSize {
  #share = FIRST_SHARE
  #early = 0
  /** Weighted sums over pictures: of 1, pixels, ms, and the products of pixels with both. */
  #sums: { readonly [of in keyof typeof NOTHING]: number } = NOTHING
  /** ms = fixed + perPixel · pixels */
  #fixed = 0
  #perPixel = 0
  #surprises = 0
  #newestPx = 0
  #isCold = true

  /**
   * A picture of this size took so long, ms, until it was encoded; of a view whose full size is `full`. The first one of all is cold.
   * @param wantedMs how long pictures may take
   */
  measured([w, h]: Size, full: Size, ms: number, wantedMs = USUAL_MS): void {
    if (this.#isCold) {
      this.#isCold = false
      return
    }
    if (!this.#learn(w * h, ms)) return
    if (!this.#suits(this.#share, full, wantedMs * LATE)) {
      this.#early = 0
      const last = Math.min(SHARES.length - 1, this.#share + MOST_STEPS)
      while (this.#share < last && !this.#suits(this.#share, full, wantedMs)) this.#share++
    } else if (this.#share > 0 && this.#suits(this.#larger(full), full, wantedMs * EARLY)) {
      if (++this.#early < EARLY_PICTURES) return
      this.#early = 0
      this.#share = this.#larger(full)
    } else this.#early = 0
  }

  /** Of a view whose full size is this, px. */
  of(full: Size): Size {
    return sizeAt(full, this.#share)
  }

  /** The next share that has more pixels; the first one if there is none. */
  #larger(full: Size): number {
    const [w] = this.of(full)
    let share = this.#share
    while (share > 0 && sizeAt(full, share)[0] === w) share--
    return share
  }

  #suits(share: number, full: Size, most: number): boolean {
    const [w, h] = sizeAt(full, share)
    return w * h * this.#perPixel <= Math.max(most * LEAST_SHARE, most - this.#fixed)
  }

  /** @returns whether it is to be acted upon */
  #learn(px: number, ms: number): boolean {
    const expected = this.#fixed + this.#perPixel * px
    // What a picture of another size takes is still to be found out.
    const isSurprise = px === this.#newestPx && (ms > expected * SURPRISING || ms < expected / SURPRISING)
    this.#newestPx = px
    this.#surprises = isSurprise ? this.#surprises + 1 : 0
    if (isSurprise && this.#surprises < MOST_SURPRISES) return false
    if (isSurprise) {
      this.#surprises = 0
      this.#sums = NOTHING
    }
    this.#fit(px, ms)
    return true
  }

  /** Least squares; where sizes do not differ, the fixed part stays as it was. */
  #fit(newPx: number, newMs: number): void {
    const old = this.#sums
    const sums = {
      one: old.one * OLDER + 1,
      px: old.px * OLDER + newPx,
      ms: old.ms * OLDER + newMs,
      pxPx: old.pxPx * OLDER + newPx * newPx,
      pxMs: old.pxMs * OLDER + newPx * newMs,
    }
    this.#sums = sums
    const [px, ms] = [sums.px / sums.one, sums.ms / sums.one]
    const variance = sums.pxPx / sums.one - px * px
    if (variance > (LEAST_SPREAD * px) ** 2) {
      const slope = (sums.pxMs / sums.one - px * ms) / variance
      this.#fixed = ms - slope * px
    }
    this.#fixed = Math.min(MOST_FIXED * ms, Math.max(0, this.#fixed))
    this.#perPixel = (ms - this.#fixed) / px
  }
}

/** Of small places, a small share has too few pixels to show anything. */
function sizeAt(full: Size, share: number): Size {
  const least = Math.sqrt(LEAST_PIXELS / (full[0] * full[1]))
  return scaled(full, Math.max(SHARES[share]!, Math.min(LEAST_SIDE, least)))
}

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
