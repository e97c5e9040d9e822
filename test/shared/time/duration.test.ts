import { expect, it } from 'vitest'
import { inWords, longTime } from '../../../shared/time/duration.ts'

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

it.each([
  [0, undefined],
  [9999.4, undefined],
  [9999.5, '10.0 s'],
  [10_000, '10.0 s'],
  [119_949, '119.9 s'],
  [119_950, '2 min 0 s'],
  [393_001, '6 min 33 s'],
  [599_600, '10 min 0 s'],
  [7_199_400, '119 min 59 s'],
  [7_199_500, '2 h 0 min'],
  [100 * 3_600_000 + 90_000, '100 h 2 min'],
])('what took %d ms took %s', (ms, words) => {
  expect(longTime(ms)).toBe(words)
})
