/** How much of a pass is done: by predicted costs where they are known, and otherwise by pixels. */
import { invariant } from '../../shared/errors.ts'
import { type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import type { LeaseId } from '../../shared/ids.ts'
import type { Plan } from '../strategies/strategy.ts'

interface Known {
  readonly tile: PixelSet
  placed: number
  said: number
}

export class PassProgress {
  /** Pixels of the pass. */
  readonly pixels: number
  readonly #weigh: (set: PixelSet) => number
  readonly #total: number
  /** By lease: its tile, what has arrived of it, and what its worker says that it has done, which includes that. */
  readonly #leases = new Map<LeaseId, Known>()
  #done = 0
  /** A lease that is lost takes what it said with it, but progress does not go back. */
  #share = 0

  constructor({ tiles, predicted }: Pick<Plan, 'tiles' | 'predicted'>) {
    this.pixels = tiles.reduce((sum, tile) => sum + pixelCount(tile), 0)
    // Costs of rectangles say nothing of the share of interleaved pixels.
    const isWhole = tiles.every(({ pattern }) => !pattern || pattern.kind === 'mask' || pattern.kind === 'gaps')
    const field = isWhole ? predicted?.field() : undefined
    const cost = field ? tiles.reduce((sum, { rect }) => sum + field.total(rect), 0) : 0
    this.#weigh = field && cost > 0 ? ({ rect }) => field.total(rect) : pixelCount
    this.#total = field && cost > 0 ? cost : this.pixels
  }

  /** A lease of the pass has been sent. */
  ordered(lease: LeaseId, tile: PixelSet): void {
    this.#leases.set(lease, { tile, placed: 0, said: 0 })
  }

  /** A worker says that the first rows of its tile are done. Of leases of other passes, which may still be traced in vain, nothing counts. */
  said(lease: LeaseId, rows: number): void {
    const known = this.#leases.get(lease)
    if (!known || rows <= 0) return
    const { rect, pattern } = known.tile
    const set = { rect: { ...rect, h: Math.min(rows, rect.h) }, ...(pattern ? { pattern } : {}) }
    this.#note(known, () => {
      known.said = this.#weigh(set)
    })
  }

  /** Pixels of a lease of the pass are in place. */
  placed(lease: LeaseId, tile: PixelSet): void {
    const known = this.#leases.get(lease)
    invariant(known, `pixels of lease ${lease} are in place, which was never ordered`)
    this.#note(known, () => {
      known.placed += this.#weigh(tile)
    })
  }

  /** From 0 to 1. Rows that two workers trace are counted twice until they are there. */
  get share(): number {
    if (this.#total > 0) this.#share = Math.max(this.#share, Math.min(1, this.#done / this.#total))
    return this.#share
  }

  #note(known: Known, change: () => void): void {
    const before = Math.max(known.placed, known.said)
    change()
    this.#done += Math.max(known.placed, known.said) - before
  }
}
