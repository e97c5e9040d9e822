/**
 * Which worker traced each pixel of the newest frame, and how much of the screen changes owner from frame to frame. One array
 * serves a whole run: a frame's tiles overwrite those of the previous frame and are compared with them on the way.
 */
import { forEachRun, type PixelSet } from '../pixel-set.ts'
import type { Size } from '../rect.ts'

export interface OwnedTile extends PixelSet {
  readonly worker: string
}

export class OwnerMap {
  readonly #width: number
  /** Number of the owner, 0 for none; row-major. */
  readonly #owners: Uint32Array
  readonly #numbers = new Map<string, number>()
  #isEmpty = true

  constructor([w, h]: Size) {
    this.#width = w
    this.#owners = new Uint32Array(w * h)
  }

  /**
   * Records the tiles of the next frame, which partition it. Returns the share of pixels whose owner differs from the previous
   * frame's, 0 to 1; 0 for the first frame.
   */
  update(tiles: readonly OwnedTile[]): number {
    const isFirst = this.#isEmpty
    this.#isEmpty = false
    let moved = 0
    for (const tile of tiles) {
      const number = this.#numberOf(tile.worker)
      forEachRun(tile, (x, y, length) => {
        const start = y * this.#width + x
        if (!isFirst) moved += this.#foreign(number, start, length)
        this.#owners.fill(number, start, start + length)
      })
    }
    return moved / this.#owners.length
  }

  /** How many pixels of the set belonged to another worker in the newest frame; 0 before the first frame. */
  foreignPixels(worker: string, set: PixelSet): number {
    if (this.#isEmpty) return 0
    const number = this.#numbers.get(worker) ?? -1
    let foreign = 0
    forEachRun(set, (x, y, length) => {
      foreign += this.#foreign(number, y * this.#width + x, length)
    })
    return foreign
  }

  #foreign(number: number, start: number, length: number): number {
    let foreign = 0
    for (let i = start; i < start + length; i++) if (this.#owners[i] !== number) foreign++
    return foreign
  }

  #numberOf(worker: string): number {
    const known = this.#numbers.get(worker)
    if (known !== undefined) return known
    const number = this.#numbers.size + 1
    this.#numbers.set(worker, number)
    return number
  }
}
