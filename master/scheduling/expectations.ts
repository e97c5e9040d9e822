/**
 * How long a tile should take: its cost, as the plan predicted it, times what a unit of cost has taken so far in this
 * frame. Without a prediction pixels are the unit, and the slowest finished tile is the measure: pixels differ in cost by
 * orders of magnitude, and only a tile that takes longer than any before it stands out.
 */
import type { AreaId } from '../../shared/ids.ts'
import { type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import { area as pixelsOf } from '../../shared/rect.ts'
import type { CostField } from '../costs/cost-field.ts'
import type { AreaShare, Plan } from '../strategies/strategy.ts'

export class Expectations {
  readonly #costs: CostField | undefined
  readonly #speeds: ReadonlyMap<AreaId, number>
  /** Of all that is done: its cost, and time × speed that it took, ms. */
  #cost = 0
  #elapsed = 0
  /** Highest time × speed per unit of cost. */
  #slowest = 0

  constructor({ predicted, learned }: Plan, areas: readonly AreaShare[]) {
    this.#costs = predicted?.field()
    this.#speeds = new Map(areas.map(({ id, speed }) => [id, speed * (learned?.[id] ?? 1)]))
  }

  /** These pixels took an area so long. */
  traced(area: AreaId, pixels: PixelSet, ms: number): void {
    const cost = this.#costOf(pixels)
    const elapsed = ms * this.#speedOf(area)
    if (!(cost > 0 && elapsed > 0)) return
    this.#cost += cost
    this.#elapsed += elapsed
    this.#slowest = Math.max(this.#slowest, elapsed / cost)
  }

  /** How long an area should take for these pixels, ms; undefined as long as nothing is known of this frame. */
  durationMs(area: AreaId, pixels: PixelSet): number | undefined {
    if (this.#cost === 0) return undefined
    const pace = this.#costs ? this.#elapsed / this.#cost : this.#slowest
    return (this.#costOf(pixels) * pace) / this.#speedOf(area)
  }

  #costOf(pixels: PixelSet): number {
    if (!this.#costs) return pixelCount(pixels)
    const cost = this.#costs.total(pixels.rect)
    return pixels.pattern ? (cost * pixelCount(pixels)) / pixelsOf(pixels.rect) : cost
  }

  /** Of who came later nothing is known. */
  #speedOf(area: AreaId): number {
    return this.#speeds.get(area) ?? 1
  }
}
