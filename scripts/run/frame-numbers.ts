/** The numbers of a film's frames that are to be rendered, in order, without a list of them: a film may have a million. */

export class FrameNumbers implements Iterable<number> {
  readonly #frames: number
  readonly #finished: ReadonlySet<number>
  /** How many there are. */
  readonly length: number

  /**
   * @param frames of the whole film: 0 to `frames` − 1
   * @param finished left out; may hold frames of a longer film
   */
  constructor(frames: number, finished: ReadonlySet<number> = new Set()) {
    this.#frames = frames
    this.#finished = finished
    let missing = frames
    for (const frame of finished) if (frame < frames) missing--
    this.length = missing
  }

  *[Symbol.iterator](): Generator<number> {
    for (let frame = 0; frame < this.#frames; frame++) if (!this.#finished.has(frame)) yield frame
  }
}
