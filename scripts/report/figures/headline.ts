/**
 * The result of a run in one sentence, for terminal and page. "Improved by half" can mean a ratio of 1.5 or a frame half as
 * long, so both readings are always given, along with the spread. A difference that may be due to chance is not reported
 * as one.
 */

import type { StrategySummary, Summary } from '../../../shared/frame/summary.ts'
import { isShort, SHORTEST_FRAME_MS } from '../../../shared/metrics/short-frames.ts'
import { BASELINE_STRATEGY } from '../../../shared/session/default-strategy.ts'
import { mostAtOnce } from './most-at-once.ts'
import {
  clockName,
  formatFactor,
  formatInterval,
  formatRatio,
  formatShare,
  formatTime,
  listed,
  plural,
  workersText,
} from './numbers.ts'
import { shortWords } from './short-frames.ts'

/** One strategy compared to another by mean frame time. */
export interface Comparison {
  /** Baseline's mean frame time over this one's: above 1 is faster. */
  readonly factor: number
  /** Saved share of the baseline's mean frame time, 0 to 1; negative if frames got longer. */
  readonly saved: number
}

/** The reference for comparisons: `static-blocks` if present, else the first strategy. */
export const baselineOf = ({ strategies }: { readonly strategies: readonly StrategySummary[] }): StrategySummary =>
  strategies.find(strategy => strategy.name === BASELINE_STRATEGY) ?? strategies[0]!

/** The fastest by mean frame time except the baseline; the baseline itself if it ran alone. */
export function fastestOf(summary: Summary): StrategySummary {
  const baseline = baselineOf(summary)
  return byMeanTime(summary.strategies.filter(strategy => strategy !== baseline))[0] ?? baseline
}

export function compareTo(baseline: StrategySummary, strategy: StrategySummary): Comparison {
  const before = baseline.frameMs.mean
  const after = strategy.frameMs.mean
  // A run that took no time (an empty simulation) compares as equal.
  if (before <= 0 || after <= 0) return { factor: 1, saved: 0 }
  return { factor: before / after, saved: 1 - after / before }
}

/** Standard deviation over mean of the frame times: 0 means that all frames take equally long. */
export const spreadOf = ({ frameMs }: StrategySummary): number => (frameMs.mean > 0 ? frameMs.stddev / frameMs.mean : 0)

/** Whether the difference from the baseline's frame times may be due to chance. */
export const isWithinNoise = ({ speedUp }: StrategySummary): boolean =>
  speedUp?.ci95 !== undefined && speedUp.ci95[0] <= 1 && 1 <= speedUp.ci95[1]

/** Whether the frames of those that would be compared are so short that chance decides between them. */
export const isUndecided = (summary: Summary): boolean =>
  summary.strategies.length > 1 && isShort(baselineOf(summary)) && isShort(fastestOf(summary))

/** The result in one or two plain sentences. */
export function headline(summary: Summary): string {
  const baseline = baselineOf(summary)
  const others = summary.strategies.filter(strategy => strategy !== baseline)
  if (others.length === 0) return single(summary, baseline)

  if (isUndecided(summary))
    return `The frames are too short to tell which strategy is better: ${shortWords(summary)}. Below ${SHORTEST_FRAME_MS} ms, chance decides.`
  const ranked = byMeanTime(others)
  const best = ranked[0]!
  const spreads = [best, baseline].map(strategy => `${strategy.name} ${formatShare(spreadOf(strategy))}`)
  return (
    `${against(baseline, best)}${rest(baseline, ranked.slice(1))}. ` +
    `Spread of the frame times (stddev/mean): ${listed(spreads)}.`
  )
}

function against(baseline: StrategySummary, best: StrategySummary): string {
  const { factor, saved } = compareTo(baseline, best)
  const times = `${formatTime(best.frameMs.mean)} instead of ${formatTime(baseline.frameMs.mean)}`
  const sure = best.speedUp?.ci95 ? `, ${formatInterval(best.speedUp.ci95, formatFactor)}` : ''
  if (isWithinNoise(best))
    return `Between ${best.name} and ${baseline.name} no difference is shown: ${formatFactor(factor)}${sure} (${times} on average)`
  const reading = `(${length(saved)}: ${times})`
  return `${best.name} renders a frame ${formatFactor(factor)} as fast as ${baseline.name} on average${sure} ${reading}`
}

function single(summary: Summary, strategy: StrategySummary): string {
  const { frameMs, epsilon } = strategy
  const frames = plural(strategy.frames.length, 'frame')
  const work = `${strategy.name} rendered ${frames} of ${summary.scene.name} on ${workersText(mostAtOnce(summary))}`
  const balance = `ε ${formatRatio(epsilon.mean)} by the ${clockName(epsilon.clock)} clock`
  if (strategy.frames.length === 1) return `${work} in ${formatTime(frameMs.mean)}; ${balance}.`
  const spread = `spread of the frame times (stddev/mean) ${formatShare(spreadOf(strategy))}`
  return `${work}, ${formatTime(frameMs.mean)} each on average; ${spread}, ${balance}.`
}

/** Fastest first. */
export const byMeanTime = (strategies: readonly StrategySummary[]): StrategySummary[] =>
  strategies.toSorted((a, b) => a.frameMs.mean - b.frameMs.mean)

const length = (saved: number): string => {
  if (formatShare(Math.abs(saved)) === '0 %') return 'equally long frame'
  return saved > 0 ? `${formatShare(saved)} shorter frame` : `${formatShare(-saved)} longer frame`
}

function rest(baseline: StrategySummary, strategies: readonly StrategySummary[]): string {
  // More would hide the result; the table lists all.
  const shown = strategies.slice(0, 3).map(strategy => {
    const { factor, saved } = compareTo(baseline, strategy)
    const reading = isWithinNoise(strategy) ? 'no difference shown' : length(saved)
    return `${strategy.name} ${formatFactor(factor)} (${reading})`
  })
  return shown.length > 0 ? `, ${strategies.length > 3 ? 'next ' : ''}${listed(shown)}` : ''
}
