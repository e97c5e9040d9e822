/** The newest frames of a run, in the few bytes that they are sent in. Frames have places, counted from the run's first. */

/** The most frames, and bytes, of a run. */
export const MOST_FRAMES = 10_000
const MOST_BYTES = 32 * 2 ** 20

export class FrameRing {
  readonly #mostFrames: number
  readonly #mostBytes: number
  /** In order of insertion, which is that of their places. */
  readonly #texts = new Map<number, string>()
  #to = 0
  #bytes = 0

  constructor(mostFrames = MOST_FRAMES, mostBytes = MOST_BYTES) {
    this.#mostFrames = mostFrames
    this.#mostBytes = mostBytes
  }

  /** Place of the first frame that is kept. */
  get from(): number {
    return this.#to - this.#texts.size
  }

  /** One past the last. */
  get to(): number {
    return this.#to
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The newest is kept, however long it is. @returns its place */
  add(text: string): number {
    const place = this.#to++
    this.#texts.set(place, text)
    this.#bytes += text.length
    while (this.#texts.size > this.#mostFrames || (this.#bytes > this.#mostBytes && this.#texts.size > 1)) this.#drop()
    return place
  }

  get(place: number): string | undefined {
    return this.#texts.get(place)
  }

  /** Frames before a place are forgotten. */
  forgetBefore(place: number): void {
    while (this.from < Math.min(place, this.#to)) this.#drop()
  }

  #drop(): void {
    const { from } = this
    this.#bytes -= this.#texts.get(from)!.length
    this.#texts.delete(from)
  }
}
