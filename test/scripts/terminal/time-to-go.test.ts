import { expect, it } from 'vitest'
import { TimeToGo } from '../../../scripts/terminal/time-to-go.ts'

it('goes by the first frame, then by how fast frames come', () => {
  const toGo = new TimeToGo(6)
  expect(toGo.frame(1000, 3000)).toBe('15 s left')
  // Frames overlap: they come twice as often as each takes.
  expect(toGo.frame(2500, 3000)).toBe('9 s left')
  expect(toGo.frame(4000, 3000)).toBe('6 s left')
  expect(toGo.frame(5500, 3000)).toBe('4 s left')
  // What the first one took more is not what those that are left will.
  expect(toGo.frame(7000, 3000)).toBe('2 s left')
  expect(toGo.frame(8500, 3000)).toBe('')
})

it('is not misled by frames that arrive together', () => {
  const toGo = new TimeToGo(22)
  expect(toGo.frame(10_000, 10_000)).toBe('4 min left')
  // Two in progress: they come in pairs, 10 s for each of them.
  expect(toGo.frame(10_100, 10_000)).toBe('101 s left')
  expect(toGo.frame(20_000, 10_000)).toMatch(/^(2 min|12\d s) left$/)
  expect(toGo.frame(20_100, 10_000)).toMatch(/^9\d s left$/)
})

it('follows a film whose frames become harder', () => {
  const toGo = new TimeToGo(1000)
  for (let frame = 0; frame < 20; frame++) toGo.frame(frame * 100, 100)
  let left = ''
  for (let frame = 1; frame <= 8; frame++) left = toGo.frame(1900 + frame * 10_000, 10_000)
  expect(left).toBe('2.7 h left')
})

it('says nothing of frames beyond the last', () => {
  expect(new TimeToGo(0).frame(0, 1)).toBe('')
})
