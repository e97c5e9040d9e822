/**
 * Costs of the small pictures traced to warm up areas: a session that begins with the same view as an earlier one knows
 * where the work of its first frame lies, even if no area is cold any more.
 */

import type { View } from '../../shared/frame/view.ts'
import { keepNewest } from '../../shared/keep-newest.ts'
import type { CostMap } from '../costs/cost-map.ts'

/** Maximum number of remembered views; each takes some 20 kB. */
const MAX_REMEMBERED = 16

export class Thumbnails {
  readonly #costs = new Map<string, CostMap>()

  /** Costs of the small picture of a view, in units of work; undefined if none is remembered. */
  of(scene: string, view: View): CostMap | undefined {
    return this.#costs.get(nameOf(scene, view))
  }

  keep(scene: string, view: View, costs: CostMap): void {
    this.#costs.set(nameOf(scene, view), costs)
    keepNewest(this.#costs, MAX_REMEMBERED)
  }
}

/** Everything that determines which rays are traced. */
const nameOf = (scene: string, { camera, size, quality }: View): string =>
  JSON.stringify([scene, camera, size, quality])
