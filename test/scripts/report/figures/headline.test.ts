import { expect, test } from 'vitest'
import { baselineOf, compareTo, fastestOf, headline, isUndecided } from '../../../../scripts/report/figures/headline.ts'
import { summaryText } from '../../../../scripts/report/tables/summary-table.ts'
import type { StrategySummary, Summary } from '../../../../shared/frame/summary.ts'
import { alone, still, usual } from '../summaries.ts'

const withMeans = (means: Readonly<Record<string, number>>): Summary => {
  const summary = usual()
  const strategies = Object.entries(means).map(
    ([name, mean]): StrategySummary => ({
      ...summary.strategies[0]!,
      name,
      frameMs: { mean, median: mean, p95: mean, stddev: mean / 10, min: mean, max: mean },
    }),
  )
  return { ...summary, strategies }
}

test('gives both readings of an improvement, and the spread of each', () => {
  expect(headline(withMeans({ 'static-blocks': 405, pbt: 250 }))).toBe(
    'pbt renders a frame 1.62× as fast as static-blocks on average (38 % shorter frame: 250 ms instead of 405 ms). ' +
      'Spread of the frame times (stddev/mean): pbt 10 % and static-blocks 10 %.',
  )
})

const withInterval = (summary: Summary, ci95: [number, number]): Summary => ({
  ...summary,
  strategies: summary.strategies.map((strategy, i) =>
    i === 0
      ? strategy
      : {
          ...strategy,
          speedUp: { over: 'static-blocks', factor: compareTo(summary.strategies[0]!, strategy).factor, ci95 },
        },
  ),
})

test('says how sure a ratio is, and calls none a difference that may be chance', () => {
  const means = { 'static-blocks': 102, pbt: 100 }
  expect(headline(withInterval(withMeans(means), [1.01, 1.03]))).toMatch(
    /^pbt renders a frame 1\.02× as fast as static-blocks on average, 95 % interval 1\.01× to 1\.03× \(2\.0 % shorter frame/,
  )
  expect(headline(withInterval(withMeans(means), [0.97, 1.08]))).toMatch(
    /^Between pbt and static-blocks no difference is shown: 1\.02×, 95 % interval 0\.97× to 1\.08× \(100 ms instead of 102 ms/,
  )
  expect(headline(withInterval(withMeans({ ...means, scatter: 101 }), [0.97, 1.08]))).toContain(
    ', scatter 1.01× (no difference shown)',
  )
})

test('leads with the fastest, measures against static-blocks wherever it stands', () => {
  const summary = withMeans({ pbt: 200, 'static-blocks': 400, predictive: 160 })
  expect(baselineOf(summary).name).toBe('static-blocks')
  expect(fastestOf(summary).name).toBe('predictive')
  expect(headline(summary)).toMatch(/^predictive .*2\.50×.*60 % shorter.*pbt 2\.00× \(50 % shorter frame\)/)
})

test('says so when a strategy is slower or no different', () => {
  expect(headline(withMeans({ 'static-blocks': 100, scatter: 125 }))).toMatch(/0\.80×.*25 % longer frame/)
  expect(headline(withMeans({ 'static-blocks': 100, scatter: 100 }))).toMatch(/1\.00×.*equally long frame/)
})

test('no strategy is said to be better where frames are too short', () => {
  const short = withMeans({ 'static-blocks': 15, pbt: 8, scatter: 9 })
  expect(isUndecided(short)).toBe(true)
  expect(headline(short)).toBe(
    'The frames are too short to tell which strategy is better: static-blocks 15.0 ms, pbt 8.00 ms and scatter 9.00 ms on average. Below 20 ms, chance decides.',
  )
  expect(summaryText(short)).not.toMatch(/★|as fast as/)
  // One that is far from the other is not a matter of chance.
  expect(isUndecided(withMeans({ 'static-blocks': 150, pbt: 15 }))).toBe(false)
  expect(isUndecided(withMeans({ pbt: 15 }))).toBe(false)
})

test('without static-blocks the first strategy is the baseline', () => {
  expect(baselineOf(withMeans({ scatter: 3, pbt: 2 })).name).toBe('scatter')
})

test('a strategy alone is described, not compared', () => {
  expect(headline(alone())).toMatch(
    /^predictive rendered 12 frames of dragon on 3 workers, .* ms each on average; spread/,
  )
  expect(headline(still())).toMatch(/^pbt rendered 1 frame of dragon on 1 worker in [\d.]+ ms; ε 0 by the CPU clock\.$/)
})

test('frames that took no time compare as equal', () => {
  const [a, b] = withMeans({ a: 0, b: 0 }).strategies
  expect(compareTo(a!, b!)).toEqual({ factor: 1, saved: 0 })
})
