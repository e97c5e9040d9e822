import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { headline } from '../../../../scripts/report/figures/headline.ts'
import { summaryTable, summaryText } from '../../../../scripts/report/tables/summary-table.ts'
import { alone, everySummary, field, still, usual } from '../summaries.ts'

const ESC = String.fromCharCode(27)

describe.each(everySummary)('%s', (_, make) => {
  test('is plain text unless colours are asked for', () => {
    expect(summaryText(make())).not.toContain(ESC)
    const colored = summaryText(make(), { color: true, width: 200 })
    expect(colored).toContain(ESC)
    expect(stripVTControlCharacters(colored)).toBe(summaryText(make(), { width: 200 }))
  })

  test('has no value missing', () => {
    expect(summaryText(make())).not.toMatch(/NaN|undefined|Infinity/)
  })

  test('says what was left out of the light', () => {
    const summary = make()
    const quality = { ...summary.quality, bounces: 8, clamp: 3, caustics: 'off' } as const
    expect(summaryText({ ...summary, quality })).toContain('Not all light: indirect light clamped to 3, no caustics.')
    expect(summaryText(summary)).not.toContain('Not all light')
  })
})

test('holds the numbers of each strategy', () => {
  const [, row] = summaryTable(usual(), { width: 200 })
    .split('\n')
    .filter(line => /static-blocks|pbt/.test(line))
  const pbt = usual().strategies[1]!
  expect(row).toContain(pbt.frameMs.mean.toFixed(0))
  expect(row).toContain(`${pbt.epsilon.first.toFixed(2)} → ${pbt.epsilon.last.toFixed(2)}`)
  expect(row).toContain(`${(pbt.efficiency * 100).toFixed(0)} %`)
  expect(row).toMatch(/\d\.\d\d×/)
})

test('says how sure means and ratios are, and what that rests on', () => {
  const text = summaryText(usual(), { width: 400 })
  const [, row = ''] = text.split('\n').filter(line => /^ +pbt/.test(line) || /^ static-blocks/.test(line))
  expect(row.match(/±\d/g)).toHaveLength(3)
  expect(text).toContain('(bootstrap) over the frames of one run')
  expect(summaryText({ ...usual(), repeats: 3 }, { width: 400 })).toContain('over the 3 runs of each strategy')
  expect(summaryText(still())).not.toContain('±')
})

test('lies on its side where the terminal is narrow', () => {
  const narrow = summaryTable(usual(), { width: 80 })
  expect(Math.max(...narrow.split('\n').map(line => line.length))).toBeLessThanOrEqual(80)
  expect(narrow).toMatch(/efficiency +\d/)
})

test('a strategy alone has no speed-up', () => {
  expect(summaryTable(alone(), { width: 200 })).not.toContain('speed')
})

test('begins with the headline and tells the host', () => {
  const text = summaryText(usual(), { width: 400 })
  expect(text.startsWith(headline(usual()))).toBe(true)
  expect(text).toContain('host with 2 cores')
  expect(text).toContain('byte-identical')
})

describe('of sixteen strategies', () => {
  const widest = (text: string): number => Math.max(...text.split('\n').map(line => line.length))

  test.each([100, 120, 160])('is a table of rows that fits into %i columns', width => {
    const table = summaryTable(field(), { width })
    expect(widest(table)).toBeLessThanOrEqual(width)
    expect(table.split('\n').filter(line => /^ [a-z]/.test(line))).toHaveLength(1 + 16)
    for (const head of ['speed-', 'mean', 'messages', 'migra-']) expect(table).toContain(head)
  })

  test('names them all, marks the fastest, and says by what', () => {
    const text = summaryText(field(), { width: 160 })
    for (const { name } of field().strategies) expect(text).toContain(` ${name} `)
    const best = field().strategies.reduce((a, b) => (b.frameMs.mean < a.frameMs.mean ? b : a))
    expect(text.match(/\S+ ★/g)).toEqual([`${best.name} ★`])
    expect(text).toContain('★ shortest mean frame')
  })
})

test('whoever runs alone has won nothing', () => {
  expect(summaryText(alone())).not.toContain('★')
})
