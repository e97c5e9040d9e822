/** The frame numbers to render, in order, without storing them as a list: a film may have a million frames. */
import type { FrameRange } from './groups/film.ts'

export class FrameNumbers implements Iterable<number> {
  readonly #first: number
  readonly #end: number
  readonly #finished: ReadonlySet<number>
  /** Number of frames to render. */
  readonly length: number

  /**
   * @param frames number of frames, starting at `firstFrame`
   * @param finished frames to skip; may contain others of the film
   */
  constructor({ firstFrame, frames }: FrameRange, finished: ReadonlySet<number> = new Set()) {
    this.#first = firstFrame
    this.#end = firstFrame + frames
    this.#finished = finished
    let missing = frames
    for (const frame of finished) if (frame >= firstFrame && frame < this.#end) missing--
    this.length = missing
  }

  *[Symbol.iterator](): Generator<number> {
    for (let frame = this.#first; frame < this.#end; frame++) if (!this.#finished.has(frame)) yield frame
  }
}
