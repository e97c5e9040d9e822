/** The picture, and over it the tiles in their workers' colours. Of pictures that come faster than they can be decoded, the newest is shown. */
import type { PictureFacts } from '../../../shared/page/page-messages.ts'

interface Arrived {
  readonly facts: PictureFacts
  readonly file: Uint8Array<ArrayBuffer>
}

/** Hues of workers: neighbours are as far apart as they can be, however many there are. Degrees. */
const HUE_STEP = 137.5
export const workerColor = (worker: number): string => `hsl(${(worker * HUE_STEP) % 360}deg 75% 50%)`

/** Browsers keep pixels as they are only where nothing is converted. */
const AS_IT_IS: ImageBitmapOptions = { colorSpaceConversion: 'none', premultiplyAlpha: 'none' }

export class Screen {
  readonly #picture: HTMLCanvasElement
  readonly #tiles: HTMLCanvasElement
  readonly #drawn: (facts: PictureFacts) => void
  #next: Arrived | undefined
  #isDecoding = false

  /** @param drawn called when a picture is there to see */
  constructor(picture: HTMLCanvasElement, tiles: HTMLCanvasElement, drawn: (facts: PictureFacts) => void) {
    this.#picture = picture
    this.#tiles = tiles
    this.#drawn = drawn
  }

  show(facts: PictureFacts, file: Uint8Array<ArrayBuffer>): void {
    this.#next = { facts, file }
    if (!this.#isDecoding) void this.#decode()
  }

  async #decode(): Promise<void> {
    this.#isDecoding = true
    try {
      for (let next = this.#next; next; next = this.#next) {
        this.#next = undefined
        const { facts, file } = next
        const type = facts.stage === 'finished' ? 'image/png' : 'image/jpeg'
        const bitmap = await createImageBitmap(new Blob([file], { type }), AS_IT_IS)
        this.#draw(bitmap)
        bitmap.close()
        this.#drawTiles(facts)
        this.#drawn(facts)
      }
    } finally {
      this.#isDecoding = false
    }
  }

  #draw(bitmap: ImageBitmap): void {
    const canvas = this.#picture
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width
      canvas.height = bitmap.height
    }
    canvas.getContext('2d', { alpha: false })!.drawImage(bitmap, 0, 0)
  }

  #drawTiles({ size: [w, h], tiles, workers }: PictureFacts): void {
    const canvas = this.#tiles
    canvas.hidden = tiles === undefined
    if (!tiles) return
    // As many pixels as the page has: thin lines stay thin.
    const scale = Math.max(1, Math.ceil((canvas.clientWidth * devicePixelRatio) / w))
    canvas.width = w * scale
    canvas.height = h * scale
    const context = canvas.getContext('2d')!
    context.lineWidth = 2
    for (const [x, y, width, height, worker] of tiles) {
      context.fillStyle = context.strokeStyle = workerColor(worker)
      context.globalAlpha = workers.length > 1 ? 0.12 : 0
      context.fillRect(x * scale, y * scale, width * scale, height * scale)
      context.globalAlpha = 0.9
      context.strokeRect(x * scale + 1, y * scale + 1, width * scale - 2, height * scale - 2)
    }
  }
}
