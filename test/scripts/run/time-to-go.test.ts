import { expect, it } from 'vitest'
import { TimeToGo } from '../../../scripts/run/time-to-go.ts'

it('goes by the first frame, then by how fast frames come', () => {
  const toGo = new TimeToGo(5)
  expect(toGo.frame(1000, 3000)).toBe('12 s left')
  // Frames overlap: they come twice as often as each takes.
  expect(toGo.frame(2500, 3000)).toBe('5 s left')
  expect(toGo.frame(4000, 3000)).toBe('3 s left')
  expect(toGo.frame(5500, 3000)).toBe('2 s left')
  expect(toGo.frame(7000, 3000)).toBe('')
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
