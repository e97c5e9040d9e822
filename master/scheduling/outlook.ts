/**
 * Estimates for the tiles in flight: which are late and by how much, and which will wait longest where they are. A tile
 * is late once it has taken twice its own expected time; its remaining time is then estimated as the time it is overdue.
 * Reads leases, changes none.
 */

import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { AreaId } from '../../shared/ids.ts'
import type { Blame } from './blame.ts'
import type { Expectations } from './expectations.ts'
import type { Lease, LiveArea } from './lease-table.ts'
import type { SchedulerLimits } from './limits.ts'

/** A waiting tile is moved if it would wait for at least this many round trips where it is; moving it costs one. */
const MIN_WAIT_TRIPS = 2
/** A tile is late when it has taken this many times its expected time. */
const LATE_FACTOR = 2

export interface LateLease {
  readonly lease: Lease
  /** Estimated remaining time, ms; above 0. */
  readonly lateMs: number
}

export class Outlook {
  readonly #expectations: Expectations
  readonly #limits: SchedulerLimits

  constructor(expectations: Expectations, limits: SchedulerLimits) {
    this.#expectations = expectations
    this.#limits = limits
  }

  /** How long an idle area would take for these pixels, round trip included, ms. */
  durationMs(area: AreaId, pixels: PixelSet): number {
    return (this.#expectations.durationMs(area, pixels) ?? Number.POSITIVE_INFINITY) + this.#limits.roundTripMs
  }

  /** Late tiles of which no other area holds rows, longest remaining time first. */
  late(areas: Iterable<LiveArea>, now: number): LateLease[] {
    const late: LateLease[] = []
    for (const area of areas) {
      const [lease] = area.held
      if (!lease || now - area.begunAt < this.#limits.lateAfterMs) continue
      if (lease.original || lease.copies.size > 0) continue
      const lateMs = this.#lateMs(area, lease, now)
      if (lateMs !== undefined) late.push({ lease, lateMs })
    }
    return late.sort((a, b) => b.lateMs - a.lateMs)
  }

  /**
   * Of the tiles not yet started, the one that will wait longest where it is, if moving it is worthwhile.
   * @param stocked areas that hold several
   * @param onlyLate whether it must wait behind a late one
   */
  longestWaiting(
    stocked: Iterable<LiveArea>,
    onlyLate: boolean,
    now: number,
    may: (blames: readonly Blame[]) => boolean,
  ): Lease | undefined {
    let found: Lease | undefined
    let longest = MIN_WAIT_TRIPS * this.#limits.roundTripMs
    for (const area of stocked) {
      const { held } = area
      const last = held.at(-1)!
      if (last.original || last.copies.size > 0 || !may(last.blames)) continue
      if (onlyLate && this.#lateMs(area, held[0]!, now) === undefined) continue
      let waitMs = this.#restMs(area, held[0]!, now)
      for (let i = 1; i < held.length - 1; i++) waitMs += this.#ms(area, held[i]!.tile)
      if (waitMs <= longest) continue
      longest = waitMs
      found = last
    }
    return found
  }

  /** Estimated remaining time of a late tile; undefined if it is not late. */
  #lateMs(area: LiveArea, { tile }: Lease, now: number): number | undefined {
    const elapsed = now - area.begunAt
    if (elapsed < this.#limits.lateAfterMs) return undefined
    const expected = this.#expectations.durationMs(area.id, tile)
    return expected !== undefined && elapsed > LATE_FACTOR * expected ? elapsed - expected : undefined
  }

  /** Estimated remaining time of an area's first tile, ms. */
  #restMs(area: LiveArea, { tile }: Lease, now: number): number {
    return Math.abs(this.#ms(area, tile) - (now - area.begunAt))
  }

  #ms(area: LiveArea, tile: PixelSet): number {
    return this.#expectations.durationMs(area.id, tile) ?? 0
  }
}
