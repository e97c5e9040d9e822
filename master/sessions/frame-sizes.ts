/**
 * What a session remembers from frame to frame, for each size that its frames have: the planner with its history, and who owned the pixels.
 * Frames of a film have one size; those of a viewer are smaller while it moves.
 */
import type { Size } from '../../shared/frame/rect.ts'
import { keepNewest } from '../../shared/keep-newest.ts'
import { OwnerMap } from '../../shared/metrics/owner-map.ts'
import { FramePlanner, type PlannerSettings } from '../frames/frame-planner.ts'

interface OfSize {
  readonly planner: FramePlanner
  /** Of the newest reported frame of this size. */
  readonly owners: OwnerMap
}

/** Most sizes that are remembered: that of a still, and those between which one that moves changes. */
const MOST_SIZES = 4

export class FrameSizes {
  readonly #settings: PlannerSettings
  /** Least recently used first. */
  readonly #known = new Map<string, OfSize>()
  #newest: FramePlanner | undefined

  /** @param settings with the session's own size */
  constructor(settings: PlannerSettings) {
    this.#settings = settings
    this.of(settings.size)
  }

  of(size: Size): OfSize {
    const name = size.join('x')
    const found = this.#known.get(name) ?? this.#begun(size)
    this.#known.delete(name)
    this.#known.set(name, found)
    keepNewest(this.#known, MOST_SIZES)
    this.#newest = found.planner
    return found
  }

  /** A size that is new knows where the work was in frames of the size before. */
  #begun(size: Size): OfSize {
    const planner = new FramePlanner({ ...this.#settings, size })
    if (this.#newest) planner.primeFrom(this.#newest)
    return { planner, owners: new OwnerMap(size) }
  }
}
