/** Pictures of a film for a page that watches it: the newest now and then, and none before the page has drawn the one before. */
import type { Size } from '../../../shared/frame/rect.ts'
import { packPicture } from '../../../shared/page/page-pictures.ts'
import type { EncodePicture } from '../picture-files.ts'

export interface FilmFrame {
  readonly size: Size
  /** Of a pixel: mean over the frame, and of the one that has the most. */
  readonly samples: number
  readonly mostSamples: number
  readonly workers: readonly string[]
}

/** How often, ms: the dashboard's figures come sooner. */
const EVERY_MS = 2000

export class FilmPictures {
  readonly #encode: EncodePicture
  readonly #now: () => number
  readonly #send: (bytes: Uint8Array) => void
  #lastAt = Number.NEGATIVE_INFINITY
  #count = 0
  /** The number of the picture that was sent and not drawn yet; or one is being made. */
  #onItsWay: number | undefined

  constructor(encode: EncodePicture, now: () => number, send: (bytes: Uint8Array) => void) {
    this.#encode = encode
    this.#now = now
    this.#send = send
  }

  /** Whether the page takes another one. */
  get isDue(): boolean {
    return this.#onItsWay === undefined && this.#now() - this.#lastAt >= EVERY_MS
  }

  /** @param pixels borrowed until this returns */
  async take(pixels: Uint8Array, { size, samples, mostSamples, workers }: FilmFrame): Promise<void> {
    if (!this.isDue) return
    const picture = ++this.#count
    this.#onItsWay = picture
    const began = this.#now()
    this.#lastAt = began
    try {
      const file = await this.#encode(pixels.slice(), size, 'preview')
      const times = { waitMs: 0, traceMs: 0, encodeMs: this.#now() - began }
      const facts = { picture, seq: 0, stage: 'preview' as const, size, fullSize: size, times, workers }
      this.#send(packPicture({ ...facts, samples, mostSamples }, file))
    } catch {
      // Another one is tried with a later frame.
      this.#onItsWay = undefined
    }
  }

  drawn(picture: number): void {
    if (picture === this.#onItsWay) this.#onItsWay = undefined
  }
}
