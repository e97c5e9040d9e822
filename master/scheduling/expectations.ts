/**
 * How long a tile should take: its predicted cost times the time per unit of cost so far in this frame. Without a
 * prediction, the unit is a pixel and the reference is the slowest finished tile: pixel costs differ by orders of
 * magnitude, so only a tile that takes longer than every earlier one stands out.
 */

import { type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import { area as pixelsOf } from '../../shared/frame/rect.ts'
import type { AreaId } from '../../shared/ids.ts'
import type { CostField } from '../costs/cost-field.ts'
import type { KnownAreas } from './known-areas.ts'

export class Expectations {
  readonly #costs: CostField | undefined
  readonly #areas: Pick<KnownAreas, 'speedOf'>
  /** Totals over finished pixels: cost, and time × speed, ms. */
  #cost = 0
  #elapsed = 0
  /** Maximum of time × speed per unit of cost. */
  #slowest = 0

  /** @param costs as predicted */
  constructor(costs: CostField | undefined, areas: Pick<KnownAreas, 'speedOf'>) {
    this.#costs = costs
    this.#areas = areas
  }

  /** Records how long an area took for these pixels. */
  traced(area: AreaId, pixels: PixelSet, ms: number): void {
    const cost = this.#costOf(pixels)
    const elapsed = ms * this.#areas.speedOf(area)
    if (!(cost > 0 && elapsed > 0)) return
    this.#cost += cost
    this.#elapsed += elapsed
    this.#slowest = Math.max(this.#slowest, elapsed / cost)
  }

  /** How long an area should take for these pixels, ms; undefined until something of this frame has been traced. */
  durationMs(area: AreaId, pixels: PixelSet): number | undefined {
    if (this.#cost === 0) return undefined
    const pace = this.#costs ? this.#elapsed / this.#cost : this.#slowest
    return (this.#costOf(pixels) * pace) / this.#areas.speedOf(area)
  }

  /** How long it should take for the costliest `rows` rows of them, ms; undefined also if no costs were predicted. */
  rowsMs(area: AreaId, pixels: PixelSet, rows: number): number | undefined {
    if (!this.#costs) return undefined
    const all = this.durationMs(area, pixels)
    const { rect } = pixels
    if (all === undefined || rows >= rect.h) return all
    const profile = this.#costs.profile(rect, 'y')
    let total = 0
    let inside = 0
    let most = 0
    for (let row = 0; row < rect.h; row++) {
      total += profile[row]!
      inside += profile[row]! - (row >= rows ? profile[row - rows]! : 0)
      most = Math.max(most, inside)
    }
    return total > 0 ? (all * most) / total : 0
  }

  /** What is predicted of these pixels, for a worker of speed 1, in the unit of the predictions; undefined without any. */
  predicted(pixels: PixelSet): number | undefined {
    return this.#costs && this.#costOf(pixels)
  }

  #costOf(pixels: PixelSet): number {
    if (!this.#costs) return pixelCount(pixels)
    const { rect, pattern } = pixels
    const cost = this.#costs.total(rect)
    // Cells that a pass leaves out are predicted to cost nothing.
    const thinned = pattern?.kind === 'mask' ? pattern.of : pattern
    return thinned ? (cost * pixelCount({ rect, pattern: thinned })) / pixelsOf(rect) : cost
  }
}
