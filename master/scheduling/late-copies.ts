/**
 * Shares a late tile with idle areas: each copies some of its rows, from the bottom, so that all of them finish together
 * if the late one continues at its present pace. Nothing is revoked: the first result of a row wins, and both are
 * identical bytes. Pure.
 */
import type { AreaId } from '../../shared/ids.ts'
import { type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import type { Plan } from '../strategies/strategy.ts'
import type { Lease } from './lease-table.ts'
import type { LateLease } from './outlook.ts'
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
    if (tile.pattern && pixelCount(strip) === 0) continue
    copies.push({ area, tile: strip })
    end = top
  }
  return copies
}

/** Whether an area of `worker` may copy what one of `late` is late with: workers of several areas, or undefined. */
export const mayCopy = (
  duplicates: Plan['duplicates'],
  worker: AreaId | undefined,
  late: AreaId | undefined,
): boolean => duplicates !== 'own-areas' || (worker !== undefined && worker === late)

export interface LateCopy {
  readonly lease: Lease
  readonly area: AreaId
  readonly tile: PixelSet
}

/** Deals idle areas out among late tiles: those that may take rows of one, and would be done with all of it sooner than it is. */
export function lateCopies(
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
