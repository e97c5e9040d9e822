/** Whose each pixel of a frame was. */
import { forEachRun, type PixelSet } from '../../shared/pixel-set.ts'
import type { Size } from '../../shared/rect.ts'

export class OwnerMap {
  readonly #width: number
  /** Number of the owner, 0 for nobody; row-major. */
  readonly #owners: Uint32Array
  readonly #numbers = new Map<string, number>()

  constructor([w, h]: Size, tiles: readonly (PixelSet & { readonly worker: string })[]) {
    this.#width = w
    this.#owners = new Uint32Array(w * h)
    for (const tile of tiles) {
      if (!this.#numbers.has(tile.worker)) this.#numbers.set(tile.worker, this.#numbers.size + 1)
      const number = this.#numbers.get(tile.worker)!
      forEachRun(tile, (x, y, length) => this.#owners.fill(number, y * w + x, y * w + x + length))
    }
  }

  /** How many pixels of the set were another worker's. */
  foreignPixels(worker: string, set: PixelSet): number {
    const own = this.#numbers.get(worker) ?? -1
    let foreign = 0
    forEachRun(set, (x, y, length) => {
      const start = y * this.#width + x
      for (let i = start; i < start + length; i++) if (this.#owners[i] !== own) foreign++
    })
    return foreign
  }
}
