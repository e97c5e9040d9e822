import { describe, expect, test } from 'vitest'
import { summaryJson } from '../../../../scripts/report/figures/summary-json.ts'
import { everySummary, usual } from '../summaries.ts'

describe.each(everySummary)('%s', (_, make) => {
  test('reads back as it was', () => {
    expect(JSON.parse([...summaryJson(make())].join(''))).toEqual(JSON.parse(JSON.stringify(make())))
  })
})

test('has a frame on each line, and no line of a million characters', () => {
  const lines = [...summaryJson(usual())].join('').split('\n')
  expect(lines.filter(line => /^ +\{"frame":\d/.test(line))).toHaveLength(40)
  expect(lines[1]).toBe(' "version": 4,')
  expect(Math.max(...lines.map(line => line.length))).toBeLessThan(10_000)
})
