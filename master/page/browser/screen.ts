/**
 * The picture, and over it the tiles in their workers' colours. Of pictures that come faster than they can be decoded, the newest is shown; and one
 * of a view that was left is shown as the newest view would see it.
 */
import { opacityOfEach } from '../../../shared/dashboard/drawing/layers.ts'
import { workerColor } from '../../../shared/dashboard/worker-colors.ts'
import type { FullViewpoint } from '../../../shared/frame/viewpoint.ts'
import { keepNewest } from '../../../shared/keep-newest.ts'
import { unpackNearness } from '../../../shared/page/page-depths.ts'
import type { PictureFacts } from '../../../shared/page/page-messages.ts'
import type { ArrivedPicture } from '../../../shared/page/page-pictures.ts'
import { pointAt } from '../../../shared/page/warp-view.ts'
import { PictureWarp } from './warp.ts'

/** Views whose pictures may still come: of a view that is dragged for a minute. */
const MOST_ASKED = 4096

interface Shown {
  readonly facts: PictureFacts
  readonly viewpoint: FullViewpoint
  readonly nearness: Float32Array<ArrayBuffer> | undefined
}

/** Browsers keep pixels as they are only where nothing is converted. */
const AS_IT_IS: ImageBitmapOptions = { colorSpaceConversion: 'none', premultiplyAlpha: 'none' }

export class Screen {
  readonly #picture: HTMLCanvasElement
  readonly #tiles: HTMLCanvasElement
  readonly #drawn: (facts: PictureFacts) => void
  readonly #warp: PictureWarp | undefined
  /** Where each picture that is still to come was taken from. */
  readonly #asked = new Map<number, FullViewpoint>()
  #newest: { readonly seq: number; readonly viewpoint: FullViewpoint } | undefined
  #shown: Shown | undefined
  #next: ArrivedPicture | undefined
  #isDecoding = false
  /** The newest picture that was drawn, and whether its tiles are shown. */
  #drawnFacts: PictureFacts | undefined
  #showsTiles = false

  /** @param drawn called when a picture is there to see */
  constructor(
    picture: HTMLCanvasElement,
    warp: HTMLCanvasElement,
    tiles: HTMLCanvasElement,
    drawn: (facts: PictureFacts) => void,
  ) {
    this.#picture = picture
    this.#warp = PictureWarp.on(warp)
    this.#tiles = tiles
    this.#drawn = drawn
  }

  /** A view was asked for: until its picture comes, the one that is there is shown from there. @returns whether it is */
  look(seq: number, viewpoint: FullViewpoint): boolean {
    this.#asked.set(seq, viewpoint)
    keepNewest(this.#asked, MOST_ASKED)
    this.#newest = { seq, viewpoint }
    return this.#shown !== undefined && this.#warp?.show(viewpoint) === true
  }

  /** There is another scene: the picture that is there cannot be seen from elsewhere. */
  forget(): void {
    this.#drawnFacts = undefined
    this.#shown = undefined
    this.#next = undefined
    this.#asked.clear()
    this.#warp?.hide()
  }

  /** Shows the tiles of pictures, or hides them. @returns whether those of the picture that is there are known */
  showTiles(isOn: boolean): boolean {
    this.#showsTiles = isOn
    if (this.#drawnFacts) this.#drawTiles(this.#drawnFacts)
    return this.#drawnFacts?.tiles !== undefined
  }

  /** The point that is seen at a place, x and y from -1 to 1, y up; undefined: none, or it is not known. */
  pointAt(x: number, y: number): readonly [number, number, number] | undefined {
    const { facts, viewpoint, nearness } = this.#shown ?? {}
    if (!facts?.depths || !viewpoint || !nearness) return undefined
    const { columns, rows, cell } = facts.depths
    const [w, h] = facts.size
    const column = Math.min(columns - 1, Math.max(0, Math.floor(((x + 1) / 2) * (w / cell))))
    const row = Math.min(rows - 1, Math.max(0, Math.floor(((1 - y) / 2) * (h / cell))))
    const near = nearness[row * columns + column]!
    return near > 0 ? pointAt(viewpoint, facts.fullSize[0] / facts.fullSize[1], x, y, 1 / near) : undefined
  }

  show(picture: ArrivedPicture): void {
    this.#next = picture
    if (!this.#isDecoding) void this.#decode()
  }

  async #decode(): Promise<void> {
    this.#isDecoding = true
    try {
      for (let next = this.#next; next; next = this.#next) {
        this.#next = undefined
        const { facts, file, depths } = next
        const type = facts.stage === 'finished' ? 'image/png' : 'image/jpeg'
        const bitmap = await createImageBitmap(new Blob([file], { type }), AS_IT_IS)
        this.#draw(bitmap)
        this.#bend(bitmap, facts, depths)
        bitmap.close()
        this.#drawnFacts = facts
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

  /** Of a view that moves, every picture is shown in the same way: it would flicker otherwise. */
  #bend(bitmap: ImageBitmap, facts: PictureFacts, depths: Uint8Array): void {
    const viewpoint = this.#asked.get(facts.seq)
    for (const seq of this.#asked.keys()) if (seq < facts.seq) this.#asked.delete(seq)
    if (!viewpoint || !this.#newest) return
    const nearness = facts.depths && unpackNearness(facts.depths, depths)
    const before = this.#shown?.facts.seq === facts.seq ? this.#shown : undefined
    // A preview shows what the picture before it did.
    this.#shown = !nearness && before ? before : { facts, viewpoint, nearness }
    this.#warp?.take(bitmap, facts, viewpoint, nearness)
    if (facts.stage === 'moving' || facts.seq < this.#newest.seq) this.#warp?.show(this.#newest.viewpoint)
    else this.#warp?.hide()
  }

  #drawTiles({ size: [w, h], tiles, workers, places }: PictureFacts): void {
    const canvas = this.#tiles
    canvas.hidden = tiles === undefined || !this.#showsTiles
    if (!tiles || canvas.hidden) return
    // As many pixels as the page has: thin lines stay thin.
    const scale = Math.max(1, Math.ceil((canvas.clientWidth * devicePixelRatio) / w))
    canvas.width = w * scale
    canvas.height = h * scale
    const context = canvas.getContext('2d')!
    context.lineWidth = 2
    const rects = tiles.map(([, , width, height]) => ({ w: width, h: height }))
    const alpha = workers.length > 1 ? opacityOfEach(0.12, rects, [w, h]) : 0
    for (const [x, y, width, height, worker] of tiles) {
      context.fillStyle = context.strokeStyle = workerColor(places?.[worker] ?? worker)
      context.globalAlpha = alpha
      context.fillRect(x * scale, y * scale, width * scale, height * scale)
      context.globalAlpha = 0.9
      context.strokeRect(x * scale + 1, y * scale + 1, width * scale - 2, height * scale - 2)
    }
  }
}
