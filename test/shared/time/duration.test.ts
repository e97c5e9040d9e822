import { expect, it } from 'vitest'
import { inWords } from '../../../shared/time/duration.ts'

it.each([
  [0, '0 s'],
  [400, '1 s'],
  [55_000, '55 s'],
  [119_500, '120 s'],
  [120_000, '2 min'],
  [3_600_000, '60 min'],
  [9_000_000, '2.5 h'],
])('%d ms are %s', (ms, words) => {
  expect(inWords(ms)).toBe(words)
})
