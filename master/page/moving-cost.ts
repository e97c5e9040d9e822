/**
 * What coarse pictures of a view take, by those before. That is a line, fitted to their times over their pixels: a part that depends on them, and
 * one that does not, because pictures have a way to go, machines are busy, and the first rays of a picture find nothing in the caches.
 * Pictures of different views are comparable because it is known how dear each view is beside the others.
 */
import type { Size } from '../../shared/frame/rect.ts'

/** A coarse picture. */
export interface Coarse {
  readonly size: Size
  /** With mirrors and glass, beside sun and shadow. */
  readonly isDeep: boolean
}

/** What a picture is expected to take, ms: whatever its pixels are, and for these. */
export interface Expected {
  readonly fixed: number
  readonly pixels: number
}

const NOTHING = { one: 0, px: 0, ms: 0, pxPx: 0, pxMs: 0 } as const
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
/** How many times as long a pixel takes with mirrors and glass: before that is known, and at most. */
const USUAL_DEPTH = 1.6
const MOST_DEPTH = 8
/** What a picture with them says of that: its error to this power. The rest is taken for the view's. */
const DEPTH_GAIN = 0.25

export class MovingCost {
  /** Weighted sums over pictures: of 1, pixels, ms, and the products of pixels with both. */
  #sums: { readonly [of in keyof typeof NOTHING]: number } = NOTHING
  /** ms = fixed + perPixel · pixels, of a view that costs 1. */
  #fixed = 0
  #perPixel = 0
  #depth = USUAL_DEPTH
  #surprises = 0
  #newestPx = 0
  #isCold = true

  get isKnown(): boolean {
    return this.#perPixel > 0
  }

  /** @param viewCost how dear its view is, beside others */
  of(picture: Coarse, viewCost: number): Expected {
    return { fixed: this.#fixed * viewCost, pixels: this.#perPixel * this.#pixels(picture) * viewCost }
  }

  /**
   * A picture took so long, ms. The first one of all is cold.
   * @returns whether that is to be acted upon
   */
  measured(picture: Coarse, viewCost: number, ms: number): boolean {
    if (this.#isCold) {
      this.#isCold = false
      return false
    }
    const [w, h] = picture.size
    const { fixed, pixels } = this.of(picture, viewCost)
    const error = ms / (fixed + pixels)
    // What a picture of another size takes is still to be found out.
    const isSurprise = w * h === this.#newestPx && (error > SURPRISING || error < 1 / SURPRISING)
    this.#newestPx = w * h
    this.#surprises = isSurprise ? this.#surprises + 1 : 0
    if (isSurprise && this.#surprises < MOST_SURPRISES) return false
    if (isSurprise) {
      this.#surprises = 0
      this.#sums = NOTHING
    } else if (picture.isDeep && this.isKnown)
      this.#depth = Math.min(MOST_DEPTH, Math.max(1, this.#depth * error ** DEPTH_GAIN))
    this.#fit(this.#pixels(picture), ms / viewCost)
    return true
  }

  /** As many without mirrors and glass would take as long. */
  #pixels({ size: [w, h], isDeep }: Coarse): number {
    return w * h * (isDeep ? this.#depth : 1)
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
