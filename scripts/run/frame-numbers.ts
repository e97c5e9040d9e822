/** The numbers of a film's frames that are to be rendered, in order, without a list of them: a film may have a million. */
import type { FrameRange } from './frame-range.ts'

export class FrameNumbers implements Iterable<number> {
  readonly #first: number
  readonly #end: number
  readonly #finished: ReadonlySet<number>
  /** How many there are. */
  readonly length: number

  /**
   * @param frames how many, from `firstFrame`
   * @param finished left out; may hold other frames of the film, too
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
