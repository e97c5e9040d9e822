import { expect, it } from 'vitest'
import { Breaks } from '../../../master/live-frames/breaks.ts'

it('a break comes after a while of work, and the work goes on after it, unless it is over', () => {
  let now = 100
  const alarms = new Set<() => void>()
  const alarm = (wake: () => void, inMs: number) => {
    expect(inMs).toBe(0)
    alarms.add(wake)
    return () => void alarms.delete(wake)
  }
  let goneOn = 0
  const breaks = new Breaks({ clock: { now: () => now }, alarm }, () => {
    goneOn++
  })
  breaks.begin()
  expect(breaks.take()).toBe(false)
  now += 7.9
  expect(breaks.take()).toBe(false)
  now += 0.1
  expect(breaks.take()).toBe(true)
  // Something else happened meanwhile, and it is asked again: there is one break.
  expect(breaks.take()).toBe(true)
  expect(alarms.size).toBe(1)
  for (const wake of alarms) wake()
  expect(goneOn).toBe(1)
  breaks.begin()
  expect(breaks.take()).toBe(false)
  breaks.end()
  expect(alarms.size).toBe(0)
})
