/**
 * How large a picture of a view that moves is, so that it is there in time: the best of a few whose expected time suits. What a view costs is
 * predicted before it is traced, so that the first picture after a jump suits, too. It becomes larger only if that is clearly in time, and several
 * times: sizes that change back and forth are more disturbing than pixels that are missing.
 */
import type { Size } from '../../shared/frame/rect.ts'
import { type Coarse, MovingCost } from './moving-cost.ts'

/** From the best to the worst: shares of a side. Each has about 0.8 times the pixels of the one before; mirrors and glass come before still more pixels. */
const STEPS: readonly { readonly share: number; readonly isDeep: boolean }[] = [
  ...[1, 0.9, 0.8, 0.71].map(share => ({ share, isDeep: true })),
  ...[0.71, 0.63, 0.56, 0.5, 0.46, 0.42, 0.375, 0.335, 0.3, 0.268, 0.24, 0.215, 0.192, 0.172, 0.154, 0.138, 0.125].map(
    share => ({ share, isDeep: false }),
  ),
]
const WORST = STEPS.length - 1
/** Smaller pictures would hardly be sooner there: about 211 × 119; but half of the width and height of a small place will do. */
const LEAST_PIXELS = 25_000
const LEAST_SIDE = 0.5
/** Before anything is known: half of both sides. */
const FIRST_STEP = 7
/**
 * How long a picture may take if the page wants nothing else, ms: thirty a second, because the next one is begun while one is encoded. Where two cores
 * trace 3.9 million pixels a second, that is 480 × 270, and a picture is there 46 ms after its view; with 27 ms it was 403 × 227, and 39 ms.
 */
export const USUAL_MS = 34
/** A picture that takes longer than what is wanted, by this factor, is made smaller, so that it takes at most that. */
const LATE = 1.25
/** One is made larger when that would take at most this share of what is wanted, after so many pictures in a row. */
const EARLY = 0.92
const EARLY_PICTURES = 4
/** Share of these times that is left to the pixels, whatever else there is. */
const LEAST_SHARE = 0.5
/** So many steps at most when a picture is late, or early: the line is not known well before there are pictures of several sizes. */
const MOST_LATE_STEPS = 6
const MOST_EARLY_STEPS = 2
/** A view that costs so many times what the one before did, or as small a part, is a jump: nothing is left to be disturbed. */
const JUMP = 1.3

export class MovingSize {
  readonly #cost = new MovingCost()
  #step = FIRST_STEP
  #early = 0
  /** Of the view before. */
  #viewCost = 1

  /** A picture took so long, ms, until it was encoded; of a view that costs so much, and whose full size is `full`. */
  measured(picture: Coarse, full: Size, ms: number, wantedMs = USUAL_MS, viewCost = 1): void {
    if (!this.#cost.measured(picture, viewCost, ms)) return
    const suits = this.#suiting(full, viewCost)
    if (!suits(this.#step, wantedMs * LATE)) {
      this.#early = 0
      const last = Math.min(WORST, this.#step + MOST_LATE_STEPS)
      while (this.#step < last && !suits(this.#step, wantedMs)) this.#step++
    } else if (this.#step > 0 && suits(this.#better(full), wantedMs * EARLY)) {
      if (++this.#early < EARLY_PICTURES) return
      this.#early = 0
      for (let i = 0; i < MOST_EARLY_STEPS && suits(this.#better(full), wantedMs * EARLY); i++)
        this.#step = this.#better(full)
    } else this.#early = 0
  }

  /** The next picture, of a view whose full size is this, px. @param viewCost predicted, in any unit, the same for all views */
  of(full: Size, wantedMs = USUAL_MS, viewCost = 1): Coarse {
    const change = viewCost / this.#viewCost
    this.#viewCost = viewCost
    if (this.#cost.isKnown && (change > JUMP || change < 1 / JUMP)) {
      this.#early = 0
      const suits = this.#suiting(full, viewCost)
      // What it costs is predicted, and not sure.
      if (change > 1) while (this.#step < WORST && !suits(this.#step, wantedMs)) this.#step++
      else while (this.#step > 0 && suits(this.#better(full), wantedMs * EARLY)) this.#step = this.#better(full)
    }
    return coarse(full, this.#step)
  }

  /** The next step that has more pixels, or more of what is to be seen; the first one if there is none. */
  #better(full: Size): number {
    const { size, isDeep } = coarse(full, this.#step)
    let step = this.#step
    while (step > 0 && coarse(full, step).size[0] === size[0] && STEPS[step]!.isDeep === isDeep) step--
    return step
  }

  #suiting(full: Size, viewCost: number): (step: number, most: number) => boolean {
    return (step, most) => {
      const { fixed, pixels } = this.#cost.of(coarse(full, step), viewCost)
      return pixels <= Math.max(most * LEAST_SHARE, most - fixed)
    }
  }
}

/** Of small places, a small share has too few pixels to show anything. */
function coarse(full: Size, step: number): Coarse {
  const { share, isDeep } = STEPS[step]!
  const least = Math.sqrt(LEAST_PIXELS / (full[0] * full[1]))
  return { size: scaled(full, Math.max(share, Math.min(LEAST_SIDE, least))), isDeep }
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
