import { expect, it } from 'vitest'
import { settledAfter } from '../../../shared/metrics/settled-after.ts'

it.each<[string, number[], number | null]>([
  ['at once', [5, 5.25, 4.75], 0],
  ['after the last value that is not near', [0, 4, 5], 2],
  ['not before it comes back', [0, 5, 9, 5], 3],
  ['at a distance that is just allowed', [0, 5.5], 1],
  ['never, where the last value is not near', [5, 5, 9], null],
  ['never, where there are no values', [], null],
])('a value settles %s', (_, values, expected) => {
  expect(settledAfter(values, 5, 0.5)).toBe(expected)
})
