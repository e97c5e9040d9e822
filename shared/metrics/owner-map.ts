/**
 * Which worker traced each pixel of the newest frame, and how much of the screen changes owner from frame to frame. One array
 * serves a whole run: a frame's tiles overwrite those of the previous frame and are compared with them on the way.
 */
import { forEachRun, type PixelSet, pixelCount } from '../frame/pixel-set.ts'
import type { Size } from '../frame/rect.ts'
import { atOnce, type Steps } from '../time/steps.ts'

export interface OwnedTile extends PixelSet {
  readonly worker: string
}

type Owners = Uint8Array | Uint16Array | Uint32Array

/** Some milliseconds of work. */
const STEP_PIXELS = 2 ** 21

export class OwnerMap {
  readonly #width: number
  readonly #pixels: number
  /** Number of the owner of each pixel, row-major; absent until a frame has several owners. */
  #owners: Owners | undefined
  /** Number of the owner of all pixels while there is no array. */
  #sole = 0
  /** From 1, of the workers of the newest frame: those of others are used again. */
  #numbers: ReadonlyMap<string, number> = new Map()
  #isEmpty = true

  constructor([w, h]: Size) {
    this.#width = w
    this.#pixels = w * h
  }

  /** Memory that it takes. */
  get bytes(): number {
    return this.#owners?.byteLength ?? 0
  }

  /**
   * Records the tiles of the next frame, which partition it. Returns the share of pixels whose owner differs from the previous
   * frame's, 0 to 1; 0 for the first frame.
   */
  update(tiles: readonly OwnedTile[]): number {
    return atOnce(this.updateSteps(tiles))
  }

  /** The same in steps, of whole tiles. */
  *updateSteps(tiles: readonly OwnedTile[]): Steps<number> {
    const numbers = this.#numbersOf(tiles)
    const moved = this.#owners || numbers.size > 1 ? yield* this.#place(tiles, numbers) : this.#giveAll(numbers)
    this.#numbers = numbers
    this.#isEmpty = false
    return moved / this.#pixels
  }

  /** How many pixels of the set belonged to another worker in the newest frame; 0 before the first frame. */
  foreignPixels(worker: string, set: PixelSet): number {
    if (this.#isEmpty) return 0
    const number = this.#numbers.get(worker) ?? 0
    const owners = this.#owners
    if (!owners) return number === this.#sole ? 0 : pixelCount(set)
    let foreign = 0
    forEachRun(set, (x, y, length) => {
      foreign += foreignIn(owners, number, y * this.#width + x, length)
    })
    return foreign
  }

  *#place(tiles: readonly OwnedTile[], numbers: ReadonlyMap<string, number>): Steps<number> {
    const owners = this.#roomFor(numbers)
    let moved = 0
    let seen = 0
    for (const tile of tiles) {
      if (seen > STEP_PIXELS) {
        yield
        seen = 0
      }
      const number = numbers.get(tile.worker)!
      forEachRun(tile, (x, y, length) => {
        const start = y * this.#width + x
        if (!this.#isEmpty) moved += foreignIn(owners, number, start, length)
        owners.fill(number, start, start + length)
        seen += length
      })
    }
    return moved
  }

  #giveAll(numbers: ReadonlyMap<string, number>): number {
    const [number = 0] = numbers.values()
    const moved = this.#isEmpty || number === this.#sole ? 0 : this.#pixels
    this.#sole = number
    return moved
  }

  /** An array of the narrowest type that has been needed so far. */
  #roomFor(numbers: ReadonlyMap<string, number>): Owners {
    let largest = 0
    for (const number of numbers.values()) largest = Math.max(largest, number)
    const before = this.#owners
    const bytes = largest < 2 ** 8 ? 1 : largest < 2 ** 16 ? 2 : 4
    if (before && before.BYTES_PER_ELEMENT >= bytes) return before
    const Numbers = bytes === 1 ? Uint8Array : bytes === 2 ? Uint16Array : Uint32Array
    this.#owners = before ? Numbers.from(before) : new Numbers(this.#pixels).fill(this.#sole)
    return this.#owners
  }

  /** A worker that was there in the newest frame keeps its number, which no other may have now. */
  #numbersOf(tiles: readonly OwnedTile[]): Map<string, number> {
    const numbers = new Map<string, number>()
    const taken = new Set(this.#numbers.values())
    let free = 1
    for (const { worker } of tiles) {
      if (numbers.has(worker)) continue
      let number = this.#numbers.get(worker)
      if (number === undefined) {
        while (taken.has(free)) free++
        number = free++
      }
      numbers.set(worker, number)
    }
    return numbers
  }
}

function foreignIn(owners: Owners, number: number, start: number, length: number): number {
  let foreign = 0
  for (let i = start; i < start + length; i++) if (owners[i] !== number) foreign++
  return foreign
}
