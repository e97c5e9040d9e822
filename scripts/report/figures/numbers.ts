/** Number formats for readers: about three significant digits, the unit after a space. */

import type { Clock } from '../../../shared/frame/frame-limits.ts'
import { type AreaOfWorker, workerCount } from '../../../shared/session/worker-count.ts'
import { longTime } from '../../../shared/time/duration.ts'

/** Milliseconds without the unit: `0.42`, `8.31`, `41.2`, `412`. */
export function formatMs(ms: number): string {
  const size = Math.abs(ms)
  return ms.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2)
}

/** A time in a sentence: `1.82 ms`, `4321 ms`, `12.3 s`, `6 min 33 s`. */
export const formatTime = (ms: number): string => longTime(ms) ?? `${formatMs(ms)} ms`

/** A share of one as a percentage: `0.04 %`, `8.3 %`, `38 %`, `−12 %`. */
export function formatShare(share: number): string {
  const percent = Math.abs(share * 100)
  const digits = percent < 0.005 || percent >= 9.95 ? 0 : percent < 0.0995 ? 2 : 1
  const sign = share < 0 && percent >= 0.005 ? '−' : ''
  return `${sign}${percent.toFixed(digits)} %`
}

/** A ratio such as ε: `0`, `0.012`, `0.94`, `1.41`, `12.3`. */
export function formatRatio(ratio: number): string {
  if (ratio === 0) return '0'
  const size = Math.abs(ratio)
  return ratio.toFixed(size >= 9.995 ? 1 : size >= 0.0995 ? 2 : 3)
}

/** A factor: `1.62×`. */
export const formatFactor = (factor: number): string => `${factor.toFixed(2)}×`

/** Half the length of an interval: `±12`, `±2.1`, `±0.48`, `±0.05`. Empty without one. */
export function formatMargin(interval: readonly [number, number] | undefined): string {
  if (!interval) return ''
  const half = (interval[1] - interval[0]) / 2
  if (half === 0) return '±0'
  return `±${half >= 9.95 ? half.toFixed(0) : half.toPrecision(half >= 0.0995 ? 2 : 1)}`
}

/** An interval in a sentence: `95 % interval 1.55× to 1.70×`. */
export const formatInterval = ([low, high]: readonly [number, number], format: (value: number) => string): string =>
  `95 % interval ${format(low)} to ${format(high)}`

/** Frames per second, without the unit: `0.42`, `8.31`, `41.2`, `412`. */
export const formatRate = (perSecond: number): string => formatMs(perSecond)

/** Bytes in KiB without the unit: `0.8`, `412`. */
export function formatKiB(bytes: number): string {
  const kib = bytes / 1024
  return kib >= 99.95 ? formatCount(kib) : kib.toFixed(1)
}

/** Bytes with a unit: `812 bytes`, `41.2 KiB`, `8.3 MiB`, `1,024 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return plural(bytes, 'byte')
  return bytes < 2 ** 20 ? `${formatKiB(bytes)} KiB` : `${formatKiB(bytes / 1024)} MiB`
}

/** A count with a comma every three digits: `871,414`. */
export const formatCount = (count: number): string =>
  Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')

/** `1 frame`, `20 frames`. */
export const plural = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

/** `a`, `a and b`, `a, b and c`. */
export const listed = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`

/** `8 workers`, or `2 workers with 6 areas` if some have accelerators. */
export function workersText(areas: readonly AreaOfWorker[], noun = 'worker'): string {
  const workers = plural(workerCount(areas), noun)
  return workerCount(areas) === areas.length ? workers : `${workers} with ${areas.length} areas`
}

/** A clock's name within a sentence. */
export const clockName = (clock: Clock): string => (clock === 'cpu' ? 'CPU' : clock)

/** A scene's triangles; those of an added floor are counted separately. */
export function triangleText({
  triangles,
  floorTriangles = 0,
}: {
  triangles: number
  floorTriangles?: number
}): string {
  const own = plural(triangles - floorTriangles, 'triangle')
  return floorTriangles > 0 ? `${own}, and ${formatCount(floorTriangles)} of the floor` : own
}
