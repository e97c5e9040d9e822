import { expect, it } from 'vitest'
import { timesOf } from '../../../scripts/library/shutter.ts'

it('sees the middles of equal parts of the time for which it is open', () => {
  expect(timesOf(0, { share: 1, steps: 2 })).toEqual([0.25, 0.75])
  expect(timesOf(6, { share: 0.5, steps: 4 })).toEqual([6.0625, 6.1875, 6.3125, 6.4375])
})
