/**
 * Pictures of a film for a page that watches it: the newest frame now and then, and none before the page has drawn the one before. Of frames that come
 * meanwhile the newest waits, so that the last one of a film is shown, too.
 */
import type { Size } from '../../../shared/frame/rect.ts'
import { packPicture } from '../../../shared/page/page-pictures.ts'
import type { Alarm } from '../../live-frames/tracers.ts'
import { fitted } from '../moving-size.ts'
import type { EncodePicture } from '../picture-files.ts'

export interface FilmFrame {
  readonly fullSize: Size
  /** Of the pixels that are kept. */
  readonly size: Size
  /** Of a pixel: mean over the frame, and of the one that has the most. */
  readonly samples: number
  readonly mostSamples: number
  readonly workers: readonly string[]
  /** RGB8; nothing changes them any more. */
  readonly pixels: Uint8Array
}

export interface FilmPicturesPorts {
  readonly encode: EncodePicture
  readonly alarm: Alarm
  /** ms */
  now(): number
  send(bytes: Uint8Array): void
}

/** The most pixels that are kept of a frame: those of 4K are all. */
export const MOST_KEPT_PX = 2 ** 24

/** A copy of a frame's pixels; of a larger one than pages show of those that a smaller one has. @param pixels RGB8, borrowed */
export function keptPixels(pixels: Uint8Array, fullSize: Size): Pick<FilmFrame, 'fullSize' | 'size' | 'pixels'> {
  const size = fitted(fullSize, MOST_KEPT_PX)
  const [[width, height], [w, h]] = [fullSize, size]
  if (w === width && h === height) return { fullSize, size, pixels: pixels.slice() }
  const kept = new Uint8Array(w * h * 3)
  const from = (at: number, few: number, many: number) => Math.floor(((at + 0.5) * many) / few)
  const columns = Uint32Array.from({ length: w }, (_, x) => from(x, w, width) * 3)
  let to = 0
  for (let y = 0; y < h; y++) {
    const row = from(y, h, height) * width * 3
    for (const column of columns) {
      const at = row + column
      kept[to++] = pixels[at]!
      kept[to++] = pixels[at + 1]!
      kept[to++] = pixels[at + 2]!
    }
  }
  return { fullSize, size, pixels: kept }
}

/** How often, ms: the dashboard's figures come sooner. */
const EVERY_MS = 2000

export class FilmPictures {
  readonly #ports: FilmPicturesPorts
  #lastAt = Number.NEGATIVE_INFINITY
  #count = 0
  /** The number of the picture that was sent and not drawn yet; or one is being made. */
  #onItsWay: number | undefined
  #held: FilmFrame | undefined
  #isShown = true
  #disarm = () => {}

  constructor(ports: FilmPicturesPorts) {
    this.#ports = ports
  }

  take(frame: FilmFrame): void {
    this.#held = frame
    this.#go()
  }

  drawn(picture: number): void {
    if (picture !== this.#onItsWay) return
    this.#onItsWay = undefined
    this.#go()
  }

  /** The page is hidden, or shown again: it is sent nothing that nobody sees. */
  shown(isShown: boolean): void {
    this.#isShown = isShown
    this.#go()
  }

  close(): void {
    this.#held = undefined
    this.#disarm()
  }

  #go(): void {
    this.#disarm()
    const held = this.#held
    if (!held || this.#onItsWay !== undefined || !this.#isShown) return
    const { now, alarm } = this.#ports
    const waitMs = this.#lastAt + EVERY_MS - now()
    if (waitMs > 0) {
      this.#disarm = alarm(() => this.#go(), waitMs)
      return
    }
    this.#held = undefined
    void this.#send(held)
  }

  async #send({ pixels, size, ...said }: FilmFrame): Promise<void> {
    const { encode, now, send } = this.#ports
    const picture = ++this.#count
    this.#onItsWay = picture
    const began = now()
    this.#lastAt = began
    try {
      const file = await encode(pixels, size, 'preview')
      const times = { waitMs: 0, traceMs: 0, encodeMs: now() - began }
      send(packPicture({ picture, seq: 0, stage: 'preview', size, times, ...said }, file))
    } catch {
      // A later frame is tried.
      this.drawn(picture)
    }
  }
}
