/**
 * How long a tile should take: its predicted cost times the time per unit of cost so far in this frame. Without a
 * prediction, the unit is a pixel and the reference is the slowest finished tile: pixel costs differ by orders of
 * magnitude, so only a tile that takes longer than every earlier one stands out.
 */
import type { AreaId } from '../../shared/ids.ts'
import { type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import { area as pixelsOf } from '../../shared/rect.ts'
import type { CostField } from '../costs/cost-field.ts'
import type { AreaShare, Plan } from '../strategies/strategy.ts'

export class Expectations {
  readonly #costs: CostField | undefined
  readonly #speeds: ReadonlyMap<AreaId, number>
  /** Totals over finished pixels: cost, and time × speed, ms. */
  #cost = 0
  #elapsed = 0
  /** Maximum of time × speed per unit of cost. */
  #slowest = 0

  constructor({ predicted, learned }: Plan, areas: readonly AreaShare[]) {
    this.#costs = predicted?.field()
    this.#speeds = new Map(areas.map(({ id, speed }) => [id, speed * (learned?.[id] ?? 1)]))
  }

  /** Records how long an area took for these pixels. */
  traced(area: AreaId, pixels: PixelSet, ms: number): void {
    const cost = this.#costOf(pixels)
    const elapsed = ms * this.#speedOf(area)
    if (!(cost > 0 && elapsed > 0)) return
    this.#cost += cost
    this.#elapsed += elapsed
    this.#slowest = Math.max(this.#slowest, elapsed / cost)
  }

  /** How long an area should take for these pixels, ms; undefined until something of this frame has been traced. */
  durationMs(area: AreaId, pixels: PixelSet): number | undefined {
    if (this.#cost === 0) return undefined
    const pace = this.#costs ? this.#elapsed / this.#cost : this.#slowest
    return (this.#costOf(pixels) * pace) / this.#speedOf(area)
  }

  #costOf(pixels: PixelSet): number {
    if (!this.#costs) return pixelCount(pixels)
    const { rect, pattern } = pixels
    const cost = this.#costs.total(rect)
    // Cells that a pass leaves out are predicted to cost nothing.
    const thinned = pattern?.kind === 'mask' ? pattern.of : pattern
    return thinned ? (cost * pixelCount({ rect, pattern: thinned })) / pixelsOf(rect) : cost
  }

  /** Nothing is known about areas that joined later. */
  #speedOf(area: AreaId): number {
    return this.#speeds.get(area) ?? 1
  }
}
