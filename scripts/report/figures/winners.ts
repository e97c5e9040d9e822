/**
 * Rankings: for every measure by which strategies are compared, the best and the next best. What users wait for comes first:
 * how long frames take, then how equally long they are, then how evenly work was shared. Everything else, such as messages or
 * idle time, is a cause of these, and a strategy that does nothing at all wins most of it.
 */
import type { StrategySummary, Summary } from '../../../shared/frame/summary.ts'
import { epsilonBy } from './clocks.ts'
import { spreadOf } from './headline.ts'
import { clockName, formatCount, formatKiB, formatRatio, formatShare, formatTime } from './numbers.ts'

export interface Measure {
  readonly name: string
  /** Whether it is a result; the others are its causes. */
  readonly matters: boolean
  /** Less is better; undefined if a strategy has no such number. */
  of(strategy: StrategySummary): number | undefined
  /** With its unit. */
  text(value: number): string
}

export interface Ranking {
  readonly measure: Measure
  /** Best first, equal texts together; only strategies that have the number. */
  readonly places: readonly Place[]
}

/** Strategies whose formatted numbers are equal. */
export interface Place {
  readonly names: readonly string[]
  readonly text: string
}

const worst = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0)

/** Measures by which the strategies of this run differ, most important first. */
export function rankings(summary: Summary): Ranking[] {
  return measures(summary)
    .map(measure => ({ measure, places: placesOf(measure, summary.strategies) }))
    .filter(({ places }) => places.length > 1)
}

function measures(summary: Summary): Measure[] {
  const moving = summary.strategies.some(({ frames }) => frames.length > 1)
  const clock = summary.strategies[0]!.epsilon.clock
  const epsilon = (frame: StrategySummary['frames'][number]) => epsilonBy(clock, frame)
  const ms = (value: number) => `${formatTime(value)}`
  const only = (measure: Omit<Measure, 'matters'>) => (moving ? [measure] : [])
  const results = [
    { name: moving ? 'mean frame time' : 'frame time', of: (s: StrategySummary) => s.frameMs.mean, text: ms },
    ...only({ name: 'frame time, 95th percentile', of: s => s.frameMs.p95, text: ms }),
    ...only({ name: 'longest frame', of: s => s.frameMs.max, text: ms }),
    ...only({ name: 'steadiness: stddev/mean of the frame times', of: spreadOf, text: formatShare }),
    {
      name: `imbalance ε, ${clockName(clock)} clock${moving ? ', mean' : ''}`,
      of: (s: StrategySummary) => s.epsilon.mean,
      text: formatRatio,
    },
  ]
  const causes = [
    ...only({ name: 'imbalance ε, first frame', of: s => s.epsilon.first, text: formatRatio }),
    ...only({ name: 'imbalance ε, worst frame', of: s => worst(s.frames.map(epsilon)), text: formatRatio }),
    { name: 'idle workers, share of wall time', of: (s: StrategySummary) => s.idleShare, text: formatShare },
    { name: 'overhead, share of wall time', of: (s: StrategySummary) => s.overheadShare, text: formatShare },
    { name: 'decision', of: (s: StrategySummary) => s.decideMs, text: ms },
    { name: 'messages per frame', of: (s: StrategySummary) => s.messagesPerFrame, text: formatCount },
    {
      name: 'traffic per frame',
      of: (s: StrategySummary) => s.bytesPerFrame,
      text: (bytes: number) => `${formatKiB(bytes)} KiB`,
    },
    ...only({ name: 'migration, share of pixels', of: s => s.migrationShare, text: formatShare }),
    { name: 'error of the predicted costs', of: (s: StrategySummary) => s.predictionError, text: formatShare },
  ]
  return [
    ...results.map(measure => ({ ...measure, matters: true })),
    ...causes.map(measure => ({ ...measure, matters: false })),
  ]
}

function placesOf({ of, text }: Measure, strategies: readonly StrategySummary[]): Place[] {
  const known = strategies.flatMap(strategy => {
    const value = of(strategy)
    return value === undefined ? [] : [{ name: strategy.name, value, text: text(value) }]
  })
  const places: { names: string[]; text: string }[] = []
  for (const { name, text } of known.toSorted((a, b) => a.value - b.value)) {
    const last = places.at(-1)
    if (last?.text === text) last.names.push(name)
    else places.push({ names: [name], text })
  }
  return places
}
