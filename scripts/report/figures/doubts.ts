/**
 * Reasons to doubt a comparison: idle devices, other load on the machine, frames that are too short, differences within the noise, frames noisier
 * than they were to be. As sentences for `warnings` of the summary. Pure.
 */
import type { StrategySummary, Summary } from '../../../shared/frame/summary.ts'
import { SHORTEST_FRAME_MS } from '../../../shared/metrics/short-frames.ts'
import { idleWords } from './device-use.ts'
import { isWithinNoise } from './headline.ts'
import { noiseWords } from './noise-left.ts'
import { formatFactor, formatInterval, formatShare, listed, plural } from './numbers.ts'
import { shortWords } from './short-frames.ts'

/** Share of the machine that other programs may use without a warning. */
const TOLERATED_SHARE = 0.1

/** Cores of the machine, and how many of them other programs kept busy during the frames. */
export interface OtherLoad {
  readonly cores: number
  readonly otherCores: number
}

/** @param loads by strategy name, where known; the total under `undefined` */
export function doubtsOf(summary: Summary, loads: ReadonlyMap<string | undefined, OtherLoad> = new Map()): string[] {
  const { strategies } = summary
  const doubts = [busyDoubt(loads), shortDoubt(summary), single(summary), noiseDoubt(strategies)]
  return [...idleWords(summary.idleDevices ?? []), ...noiseWords(strategies), ...doubts.flatMap(doubt => doubt ?? [])]
}

function busyDoubt(loads: ReadonlyMap<string | undefined, OtherLoad>): string | undefined {
  const whole = loads.get(undefined)
  if (!whole || !isBusy(whole)) return undefined
  const each = [...loads].flatMap(([name, load]) => (name === undefined ? [] : `${name} ${coresOf(load)}`))
  const spread = each.length > 1 && each.length <= MAX_NAMED ? `; by strategy: ${listed(each)}` : ''
  return `the host was busy with other work: ${busyWords(whole)} while frames were made${spread}. Times are longer than on an idle host, and not equally for all strategies; run it again when the host is idle.`
}

export const isBusy = ({ cores, otherCores }: OtherLoad): boolean => otherCores > TOLERATED_SHARE * cores

/** `1.2 of its 2 cores (60 %)`. */
export const busyWords = (load: OtherLoad): string =>
  `${coresOf(load)} of its ${plural(load.cores, 'core')} (${formatShare(load.otherCores / load.cores)})`

const coresOf = ({ otherCores }: OtherLoad): string => otherCores.toFixed(otherCores >= 9.95 ? 0 : 1)

function shortDoubt(summary: Summary): string | undefined {
  const short = shortWords(summary)
  return (
    short &&
    `frames are short (${short}): below ${SHORTEST_FRAME_MS} ms, timers, messages and the operating system's time slices matter as much as balance; make them longer with --size or --samples.`
  )
}

/** Reasons to doubt what a simulation says of real clusters. */
export function simulationDoubts(summary: Pick<Summary, 'strategies'>): string[] {
  const short = shortWords(summary)
  if (short === undefined) return []
  return [
    `frames are short (${short}): below ${SHORTEST_FRAME_MS} ms, timers and the operating system's time slices, which no simulation knows, decide which strategy is faster; make them longer with --size or --samples, or simulate fewer workers.`,
  ]
}

function single({ strategies, frames, repeats }: Summary): string | undefined {
  if (strategies.length < 2 || frames * repeats > 1) return undefined
  return 'one frame of each strategy cannot tell a difference from chance: use more --frames, or --repeat.'
}

function noiseDoubt(strategies: readonly StrategySummary[]): string | undefined {
  const within = strategies.filter(isWithinNoise)
  const [first, ...others] = within
  if (!first?.speedUp?.ci95) return undefined
  const { over, factor, ci95 } = first.speedUp
  const advice = 'more --frames or --repeat may show one.'
  if (others.length === 0)
    return `${first.name} and ${over}: the spread is larger than the difference (${formatFactor(factor)}, ${formatInterval(ci95, formatFactor)}); ${advice}`
  const named = within.map(({ name, speedUp }) => `${name} ${formatFactor(speedUp!.factor)}`)
  return `the spread is larger than the difference from ${over}: ${listed(named)}; ${advice}`
}

const MAX_NAMED = 4
