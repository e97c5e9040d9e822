/**
 * What is known of the areas of a frame: whose they are, and how fast. They are as fast as they declare, corrected by what earlier frames
 * showed: an area that returns under a new id is as fast as it was, and one that has not been seen before is taken at its word.
 */
import type { AreaId } from '../../shared/ids.ts'
import type { AreaShare, Plan } from '../strategies/strategy.ts'
import { batchRows } from './batch-rows.ts'
import { type Identify, newcomers } from './blame.ts'

export class KnownAreas {
  readonly identify: Identify
  /** By area, the workers of those that have several. */
  readonly #workers = new Map<AreaId, AreaId>()
  readonly #speeds = new Map<AreaId, number>()
  readonly #grains = new Map<AreaId, AreaShare['grain']>()
  /** Ratios of actual to declared speeds, by id, and by name. */
  readonly #ratios: Readonly<Record<string, number>>
  readonly #learned = new Map<string, number>()
  readonly #resting: ReadonlySet<AreaId>

  /** @param identify says who an area is @default it is new, and so is its worker */
  constructor({ learned, resting }: Pick<Plan, 'learned' | 'resting'>, identify?: Identify) {
    this.identify = identify ?? newcomers(this.#workers)
    this.#ratios = learned ?? {}
    this.#resting = new Set(resting)
  }

  /** An area is there that the plan was made for. Returns it with the speed that it has. */
  planned(area: AreaShare): AreaShare {
    const ratio = this.#ratios[area.id]
    // It may come back under another id.
    if (ratio !== undefined) this.#learned.set(this.identify(area.id).area, ratio)
    return this.#note(area, ratio)
  }

  /** An area joined or returned. Returns it with the speed that it has. */
  welcome(area: AreaShare): AreaShare {
    return this.#note(area, this.#learned.size > 0 ? this.#learned.get(this.identify(area.id).area) : undefined)
  }

  #note(area: AreaShare, ratio = 1): AreaShare {
    const { id, workerId, grain } = area
    if (grain) this.#grains.set(id, grain)
    if (workerId) this.#workers.set(id, workerId)
    const speed = area.speed * ratio
    this.#speeds.set(id, speed)
    return { ...area, speed }
  }

  speedOf(area: AreaId): number {
    return this.#speeds.get(area) ?? 1
  }

  /** Rows of a tile of this width that an area starts at once. */
  rowsAtOnce(area: AreaId, width: number): number {
    return batchRows(this.#grains.get(area), width)
  }

  /** Whether two areas are of one worker. */
  areOfOne(a: AreaId, b: AreaId): boolean {
    const worker = this.#workers.get(a)
    return worker !== undefined && worker === this.#workers.get(b)
  }

  /** Whether the plan lets an area work at all. */
  isAwake({ id, speed }: Pick<AreaShare, 'id' | 'speed'>): boolean {
    return speed > 0 && !this.#resting.has(id)
  }
}
