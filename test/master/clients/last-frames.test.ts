import { expect, it } from 'vitest'
import { LastFrames } from '../../../master/clients/last-frames.ts'

const limits = { idleMs: 10, allMs: 100 }

it('gives a client time as long as it takes something', () => {
  const last = new LastFrames(limits)
  const taker = { untaken: 9, given: 9, progress: 0 }
  const isLate = (now: number) => last.late([taker], now).length > 0
  expect([0, 9].map(isLate)).toEqual([false, false])
  taker.progress++
  expect([9, 18].map(isLate)).toEqual([false, false])
  expect([19, 20].map(isLate)).toEqual([true, true])
})

it('but not for ever', () => {
  const last = new LastFrames(limits)
  const taker = { untaken: 9, given: 9, progress: 0 }
  const late: number[] = []
  for (let now = 5; now < 110; now++) {
    taker.progress++
    if (last.late([taker], now).length > 0) late.push(now)
  }
  expect(late[0]).toBe(105)
})

it('begins anew when a frame is made, and does not count when there is none', () => {
  const last = new LastFrames(limits)
  const taker = { untaken: 1, given: 1, progress: 0 }
  const isLate = (now: number) => last.late([taker], now).length > 0
  expect([0, 9].map(isLate)).toEqual([false, false])
  taker.given++
  expect([9, 18].map(isLate)).toEqual([false, false])
  taker.untaken = 0
  expect([30, 60].map(isLate)).toEqual([false, false])
})

it('knows clients apart', () => {
  const last = new LastFrames(limits)
  const [a, b] = [
    { untaken: 1, given: 1, progress: 0 },
    { untaken: 1, given: 1, progress: 0 },
  ]
  last.late([a], 0)
  last.late([a, b], 5)
  expect(last.late([a, b], 10)).toEqual([[a, 'has taken nothing for 0.01 s']])
  expect(last.late([b], 15)).toEqual([[b, 'has taken nothing for 0.01 s']])
})
