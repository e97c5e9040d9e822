/**
 * What a session remembers from frame to frame, for each size that its frames have: the planner with its history, and who owned the pixels.
 * Frames of a film have one size; those of a viewer are smaller while it moves.
 */
import type { Size } from '../../shared/frame/rect.ts'
import { keepNewest } from '../../shared/keep-newest.ts'
import { OwnerMap } from '../../shared/metrics/owner-map.ts'
import { FramePlanner, type PlannerSettings } from '../frames/frame-planner.ts'
import type { Strategy } from '../strategies/strategy.ts'

interface OfSize {
  readonly planner: FramePlanner
  readonly strategy: Strategy
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

  /** @param strategy of the frames from now on; by default, that of the session */
  of(size: Size, strategy: Strategy = this.#settings.strategy): OfSize {
    const name = size.join('x')
    const before = this.#known.get(name)
    const found = before?.strategy === strategy ? before : this.#begun(size, strategy, before)
    this.#known.delete(name)
    this.#known.set(name, found)
    keepNewest(this.#known, MOST_SIZES)
    this.#newest = found.planner
    return found
  }

  /** A size that is new, and a strategy that is, know where the work was in the frames before. */
  #begun(size: Size, strategy: Strategy, before: OfSize | undefined): OfSize {
    const planner = new FramePlanner({ ...this.#settings, strategy, size })
    const last = before?.planner ?? this.#newest
    if (last) planner.primeFrom(last)
    return { planner, strategy, owners: before?.owners ?? new OwnerMap(size) }
  }
}
