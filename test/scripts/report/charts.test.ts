import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { epsilonChart } from '../../../scripts/report/charts/epsilon-chart.ts'
import { frameSpreadChart } from '../../../scripts/report/charts/frame-spread-chart.ts'
import { frameTimesChart } from '../../../scripts/report/charts/frame-times.ts'
import { ledgerChart } from '../../../scripts/report/charts/ledger-chart.ts'
import { strategyStyles } from '../../../scripts/report/charts/palette.ts'
import { priceChart } from '../../../scripts/report/charts/price-chart.ts'
import { utilisationChart } from '../../../scripts/report/charts/utilisation-chart.ts'
import { workerLoadChart } from '../../../scripts/report/charts/worker-load-chart.ts'
import { PHASE_COLORS, PHASE_ORDER } from '../../../shared/dashboard/phase-colors.ts'
import type { Summary } from '../../../shared/frame/summary.ts'
import { alone, crowd, everySummary, field, still, usual, WEIRD_STRATEGY, weird, wide } from './summaries.ts'

const charts: readonly (readonly [string, (summary: Summary) => string])[] = [
  ['frame times', frameTimesChart],
  ['epsilon', epsilonChart],
  ['ledger', ledgerChart],
  ['worker load', workerLoadChart],
  ['frame spread', frameSpreadChart],
  ['utilisation', utilisationChart],
  ['price', priceChart],
]

/** Whoever prints the report wants a figure whole on its page. */
const TALLEST = 1400
/** A page of a dozen charts has to load. */
const LARGEST_BYTES = 700_000

const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => decoded(text!))

const decoded = (text: string): string =>
  text
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

describe.each(charts)('%s', (_chart, draw) => {
  test.each(everySummary)('%s: well-formed, self-contained, no stray numbers', async (_summary, make) => {
    const svg = draw(make())
    // The renderer parses strictly: an unknown entity or an open element is an error.
    const { width, height } = await sharp(Buffer.from(svg)).metadata()
    expect(width).toBe(920)
    expect(height).toBeGreaterThan(50)
    expect(height).toBeLessThan(TALLEST)
    expect(svg.length).toBeLessThan(LARGEST_BYTES)
    expect(svg).not.toMatch(/NaN|Infinity|undefined/)
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/https?:|href|url\(|<script/)
    expect(svg).toContain('DejaVu Sans')
    expect(svg).toMatch(/aria-label="[^"]+"/)
  })

  test('names every strategy', () => {
    for (const make of [usual, alone, wide, field]) {
      const summary = make()
      const texts = textsOf(draw(summary))
      for (const { name } of summary.strategies) {
        expect(
          texts.some(text => text === name || text.startsWith(`${name} `)),
          `${name} in ${texts.join(' | ')}`,
        ).toBe(true)
      }
    }
  })

  test('keeps a hostile name as text', () => {
    const texts = textsOf(draw(weird())).join('\n')
    expect(texts).toContain(WEIRD_STRATEGY.slice(0, 6))
    expect(draw(weird())).not.toMatch(/<b\b|<\/b>/)
  })

  test('draws the same twice', () => {
    expect(draw(usual())).toBe(draw(usual()))
  })
})

test('the strict parser does refuse what is not well-formed', async () => {
  const broken = frameTimesChart(usual()).replace('</svg>', '<g></svg>')
  await expect(sharp(Buffer.from(broken)).metadata()).rejects.toThrow()
})

test('lines carry their mean, and both axes their unit', () => {
  const summary = usual()
  const texts = textsOf(frameTimesChart(summary))
  expect(texts).toContain('frame time, ms')
  expect(texts).toContain('frame')
  for (const { name, frameMs } of summary.strategies)
    expect(texts).toContain(`${name} mean ${frameMs.mean.toFixed(0)} ms`)
})

test('time axes begin at zero', () => {
  for (const draw of [frameTimesChart, epsilonChart, frameSpreadChart]) {
    expect(textsOf(draw(usual())).some(text => Number(text) === 0)).toBe(true)
  }
  expect(textsOf(ledgerChart(usual()))).toContain('0 ms')
})

test('many strategies have a panel each, to one scale, with their mean', () => {
  for (const draw of [frameTimesChart, epsilonChart]) {
    const texts = textsOf(draw(field()))
    for (const { name } of field().strategies) expect(texts.filter(text => text === name)).toHaveLength(1)
  }
  const texts = textsOf(frameTimesChart(field()))
  for (const { frameMs } of field().strategies) expect(texts).toContain(` ${frameMs.mean.toFixed(0)} ms`)
  // Small values beside large ones: ticks of a square-root scale crowd at neither end.
  expect(textsOf(epsilonChart(field()))).toEqual(expect.arrayContaining(['0', '0.2', '0.5', '2']))
})

test('many strategies are ranked by their median', () => {
  const ranked = field().strategies.toSorted((a, b) => a.frameMs.median - b.frameMs.median)
  const names = new Set(ranked.map(({ name }) => name))
  expect(textsOf(frameSpreadChart(field())).filter(text => names.has(text))).toEqual(ranked.map(({ name }) => name))
})

test('a great many workers are drawn in groups', () => {
  const groups = textsOf(ledgerChart(crowd())).filter(text => text.startsWith('worker-'))
  expect(groups.length).toBeLessThanOrEqual(64)
  expect(groups).toContain('worker-16')
  expect(utilisationChart(crowd())).toContain('aria-label')
})

test('utilisation shows every strategy against the baseline, and its mean', () => {
  const texts = textsOf(utilisationChart(usual()))
  expect(texts).toContain('outlined: static-blocks')
  const { frames } = usual().strategies[1]!
  const rows = frames.flatMap(({ ledger, frameMs }) => ledger.map(({ render }) => ({ render, frameMs })))
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  const mean = sum(rows.map(({ render }) => render)) / sum(rows.map(({ frameMs }) => frameMs))
  expect(texts.some(text => Math.abs(Number.parseFloat(text) / 100 - mean) < 0.01)).toBe(true)
  expect(textsOf(utilisationChart(alone())).some(text => text.startsWith('outlined'))).toBe(false)
})

test('prices carry their numbers', () => {
  const svg = priceChart(field())
  for (const head of ['messages', 'traffic', 'migration', 'decision']) expect(svg).toContain(head)
  expect(textsOf(svg)).toContain('1,152')
})

test('a single frame becomes a row instead of a line', () => {
  expect(frameTimesChart(still())).toBe(frameSpreadChart(still()))
})

test('every phase and every worker is named in the ledger', () => {
  const texts = textsOf(ledgerChart(usual()))
  for (const kind of PHASE_ORDER) expect(texts).toContain(kind)
  for (const { name } of usual().workers) expect(texts).toContain(name)
})

test('a strategy keeps its colour, no two look alike', () => {
  expect(strategyStyles(usual()).get('pbt')).toEqual(strategyStyles(wide()).get('pbt'))
  const looks = [...strategyStyles(wide()).values()].map(style => `${style.color} ${style.dash}`)
  expect(new Set(looks).size).toBe(looks.length)
  for (const { color } of strategyStyles(wide()).values())
    expect(contrastOnWhite(color), color).toBeGreaterThanOrEqual(4.5)
  expect(new Set(Object.values(PHASE_COLORS)).size).toBe(PHASE_ORDER.length)
})

/** WCAG contrast ratio of a `#rrggbb` colour on white. */
function contrastOnWhite(color: string): number {
  const [red, green, blue] = [1, 3, 5].map(at => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05)
}
