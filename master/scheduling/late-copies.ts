/**
 * Shares a late tile with idle areas: each copies some of its rows, from the bottom, so that all of them finish together
 * if the late one continues at its present pace. Nothing is revoked: the first result of a row wins, and both are
 * identical bytes. Decides, and changes nothing.
 */

import { hasPixels, type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import type { AreaId } from '../../shared/ids.ts'
import type { Plan } from '../strategies/strategy.ts'
import type { Suspicion } from './blame.ts'
import type { KnownAreas } from './known-areas.ts'
import type { Lease, LeaseTable } from './lease-table.ts'
import type { LateLease, Outlook } from './outlook.ts'
import { MIN_STRIP_PX } from './strips.ts'

/** An area that could help, and how long it would take for all that is left, ms. */
export interface Helper {
  readonly area: AreaId
  readonly ms: number
}

export interface Copy {
  readonly area: AreaId
  readonly tile: PixelSet
}

/** What each helper should copy of a tile whose holder is estimated to need another `lateMs`. All times are above 0. */
export function copiesOf(tile: PixelSet, lateMs: number, helpers: readonly Helper[]): Copy[] {
  const { rect } = tile
  const most = Math.max(1, Math.floor(pixelCount(tile) / MIN_STRIP_PX))
  const able = helpers.toSorted((a, b) => a.ms - b.ms).slice(0, most)
  const rates = able.map(({ ms }) => 1 / ms)
  const total = rates.reduce((sum, rate) => sum + rate, 1 / lateMs)
  let end = rect.y + rect.h
  let below = 0
  const copies: Copy[] = []
  for (const [i, { area }] of able.entries()) {
    below += rates[i]!
    // At least the lowest row: a single row cannot be shared.
    const top = Math.min(rect.y + rect.h - 1, rect.y + rect.h - Math.round((rect.h * below) / total))
    if (top >= end) continue
    const strip = { ...tile, rect: { ...rect, y: top, h: end - top } }
    if (!hasPixels(strip)) continue
    copies.push({ area, tile: strip })
    end = top
  }
  return copies
}

/** A lease, and who should trace which of its rows a second time. */
export interface LateCopy {
  readonly lease: Lease
  readonly area: AreaId
  readonly tile: PixelSet
}

export class LateCopies {
  readonly #duplicates: Plan['duplicates']
  readonly #known: Pick<KnownAreas, 'areOfOne'>
  readonly #suspicion: Pick<Suspicion, 'mayTake'>
  readonly #leases: Pick<LeaseTable, 'all' | 'areas' | 'idle'>

  constructor(
    duplicates: Plan['duplicates'],
    known: Pick<KnownAreas, 'areOfOne'>,
    suspicion: Pick<Suspicion, 'mayTake'>,
    leases: Pick<LeaseTable, 'all' | 'areas' | 'idle'>,
  ) {
    this.#duplicates = duplicates
    this.#known = known
    this.#suspicion = suspicion
    this.#leases = leases
  }

  /** Of tiles that take longer than they should, if the plan wants that. Idle areas are looked for first: often there is none. */
  ofLate(outlook: Outlook, now: number): LateCopy[] {
    if (!this.#duplicates || this.#leases.idle.size === 0) return []
    const late = outlook.late(this.#leases.areas.values(), now)
    if (late.length === 0) return []
    return dealt(
      late,
      Array.from(this.#leases.idle, ({ id }) => id),
      (area, lease) => this.#mayTake(area, lease) && this.#mayCopy(area, lease),
      (area, tile) => outlook.durationMs(area, tile),
    )
  }

  /** Of all tiles that these areas hold, whatever the plan: they may be gone, and no idle area should wait to find out. */
  ofQuiet(quiet: ReadonlySet<AreaId>): LateCopy[] {
    const held = [...quiet].flatMap(id => this.#leases.areas.get(id)?.held ?? [])
    const late = held
      .filter(lease => !lease.original && lease.copies.size === 0)
      .map(lease => ({ lease, lateMs: Number.POSITIVE_INFINITY }))
    const idle = [...this.#leases.idle].flatMap(({ id }) => (quiet.has(id) ? [] : id))
    return dealt(
      late,
      idle,
      (area, lease) => this.#mayTake(area, lease),
      () => 1,
    )
  }

  /** For an idle area: the lower half of the largest tile in flight that no other area holds rows of. The first result counts. */
  ofLargest(area: AreaId): LateCopy | undefined {
    let largest: Lease | undefined
    let most = 1
    for (const lease of this.#leases.all()) {
      if (lease.original || lease.copies.size > 0 || lease.tile.rect.h < 2 || !this.#mayTake(area, lease)) continue
      const pixels = pixelCount(lease.tile)
      if (pixels > most) [most, largest] = [pixels, lease]
    }
    if (!largest) return undefined
    const { rect } = largest.tile
    const upper = rect.h >> 1
    const tile = { ...largest.tile, rect: { ...rect, y: rect.y + upper, h: rect.h - upper } }
    return pixelCount(tile) > 0 ? { lease: largest, area, tile } : undefined
  }

  #mayTake(area: AreaId, { blames }: Lease): boolean {
    return this.#suspicion.mayTake(area, blames)
  }

  /** Whether an idle area may trace what another is late with. */
  #mayCopy(area: AreaId, { area: late }: Lease): boolean {
    return this.#duplicates !== 'own-areas' || this.#known.areOfOne(area, late)
  }
}

/** Deals idle areas out among late tiles: those that may take rows of one, and would be done with all of it sooner than it is. */
function dealt(
  late: readonly LateLease[],
  idle: readonly AreaId[],
  mayCopy: (area: AreaId, lease: Lease) => boolean,
  durationMs: (area: AreaId, tile: PixelSet) => number,
): LateCopy[] {
  const left = [...idle]
  return late.flatMap(({ lease, lateMs }, i) => {
    const share = left.splice(0, Math.ceil(left.length / (late.length - i)))
    const helpers = share
      .filter(area => mayCopy(area, lease))
      .map(area => ({ area, ms: durationMs(area, lease.tile) }))
      .filter(({ ms }) => ms < lateMs)
    return copiesOf(lease.tile, lateMs, helpers).map(copy => ({ lease, ...copy }))
  })
}
