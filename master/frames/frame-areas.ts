/** Who is there while a frame is made: areas come, are lost, are quarantined and return in any phase of it. */
import type { AreaId } from '../../shared/ids.ts'
import type { ClusterEvent } from '../scheduling/events.ts'
import type { AreaShare } from '../strategies/strategy.ts'

export class FrameAreas {
  /** Every area that has been there, as it was last. */
  readonly #all: Map<string, AreaShare>
  readonly #gone = new Set<AreaId>()
  /** Areas that may be gone. */
  quiet: ReadonlySet<AreaId> = new Set()

  constructor(areas: readonly AreaShare[]) {
    this.#all = new Map(areas.map(area => [area.id, area]))
  }

  /** Every area that has been there. */
  get all(): AreaShare[] {
    return [...this.#all.values()]
  }

  /** Those that are there. */
  get present(): AreaShare[] {
    return this.all.filter(({ id }) => !this.#gone.has(id))
  }

  find(area: string): AreaShare | undefined {
    return this.#all.get(area)
  }

  isGone(area: AreaId): boolean {
    return this.#gone.has(area)
  }

  /** An area is lost, or quarantined: it is given no tiles until it is ready again. */
  lose(area: AreaId): void {
    this.#gone.add(area)
  }

  /** Takes note of an event. The last area is not quarantined, so that is left to the caller, which knows the others. */
  happened(event: ClusterEvent): void {
    switch (event.type) {
      case 'quiet':
        this.quiet = event.areas
        break
      case 'area-lost':
      case 'area-leaving':
        this.lose(event.area)
        break
      case 'area-ready':
        this.#all.set(event.area, event.share)
        this.#gone.delete(event.area)
    }
  }
}
