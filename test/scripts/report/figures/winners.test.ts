import { expect, test } from 'vitest'
import { rankings } from '../../../../scripts/report/figures/winners.ts'
import type { Summary } from '../../../../shared/frame/summary.ts'
import { alone, field, still, usual } from '../summaries.ts'

const winners = (summary: Summary): Map<string, readonly string[]> =>
  new Map(rankings(summary).map(({ measure, places }) => [measure.name, places[0]!.names]))

test('the smallest number wins its measure', () => {
  for (const { measure, places } of rankings(field())) {
    const values = field().strategies.flatMap(strategy => measure.of(strategy) ?? [])
    const best = field().strategies.find(({ name }) => name === places[0]!.names[0])!
    expect(measure.of(best)).toBe(Math.min(...values))
    expect(places[0]!.text).toBe(measure.text(Math.min(...values)))
  }
})

test('strategies whose numbers read the same share a place, and no strategy stands in two', () => {
  for (const { places } of rankings(field())) {
    const names = places.flatMap(place => place.names)
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(places.map(({ text }) => text)).size).toBe(places.length)
  }
  expect(winners(field()).get('messages per frame')?.length).toBeGreaterThan(2)
})

test('a measure that tells nobody apart is left out', () => {
  expect(rankings(alone())).toEqual([])
  expect(winners(usual()).has('error of the predicted costs')).toBe(false)
})

test('results come before what explains them', () => {
  const matters = rankings(field()).map(({ measure }) => measure.matters)
  expect(matters).toEqual(matters.toSorted((a, b) => Number(b) - Number(a)))
  const [first, ...others] = rankings(field())
  expect(first!.measure.name).toBe('mean frame time')
  expect(others.find(({ measure }) => measure.name === 'messages per frame')?.measure.matters).toBe(false)
})

test('a single frame has no spread and no migration', () => {
  const [pbt] = still().strategies
  const other = { ...pbt!, name: 'other', frameMs: { ...pbt!.frameMs, mean: pbt!.frameMs.mean * 2 } }
  expect([...winners({ ...still(), strategies: [pbt!, other] }).keys()]).toEqual(['frame time'])
})
