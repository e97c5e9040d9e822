/** Areas of one worker as a formula: each takes so long for a share of the work. For rules that share within a worker. */
import type { Within } from '../../master/strategies/within/within.ts'
import { areaId } from '../../shared/ids.ts'
import { settledAfter } from '../../shared/metrics/settled-after.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../shared/session/strategy-options.ts'

export interface Device {
  /** Declared. */
  readonly speed: number
  /** Work per ms. @default the declared speed */
  readonly rate?: number
  /** Before the first of it, ms. @default 0 */
  readonly startMs?: number
}

/** Work of a frame. */
export const WORK = 1000

/** The shares of `frames` frames, each adjusted after the one before, and how long each frame took. */
export function adjust(
  within: Within,
  devices: readonly Device[],
  frames: number,
  options: Partial<StrategyOptions> = {},
  noise: (frame: number, device: number) => number = () => 1,
): { readonly shares: readonly number[]; readonly frameMs: number }[] {
  const areas = devices.map(({ speed }, i) => ({ id: areaId(`a${i}`), speed }))
  const common = { areas, options: { ...DEFAULT_STRATEGY_OPTIONS, ...options } }
  let { shares, memory } = within.divide(common)
  const seen: { shares: readonly number[]; frameMs: number }[] = []
  for (let frame = 0; frame < frames; frame++) {
    const measured = devices.map(({ speed, rate = speed, startMs = 0 }, i) => {
      const work = shares[i]! * WORK
      return { work, busyMs: work > 0 ? (startMs + work / rate) * noise(frame, i) : 0 }
    })
    seen.push({ shares, frameMs: Math.max(...measured.map(({ busyMs }) => busyMs)) })
    ;({ shares, memory } = within.divide({ ...common, previous: { shares, measured, frames: 1, memory } }))
  }
  return seen
}

/** How many adjustments it takes until the accelerators' share stays within `points` of `goal`; Infinity: it never does. */
export function adjustmentsUntil(seen: readonly { shares: readonly number[] }[], goal: number, points = 0.02): number {
  const accelerators = seen.map(({ shares }) => 1 - shares[0]!)
  return settledAfter(accelerators, goal, points) ?? Number.POSITIVE_INFINITY
}
