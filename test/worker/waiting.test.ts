import { expect, it } from 'vitest'
import { Waiting } from '../../worker/waiting.ts'

it('a worker says at once that no master answers, and then every few seconds', () => {
  const waiting = new Waiting('ws://192.0.2.7:7411/', 60_000)
  const refused = new Error('connection refused')
  const said: string[] = []
  // Tries are close together at first.
  for (let now = 0; now < 61_000; now += 500) {
    const text = waiting.failed(refused, now)
    if (text) said.push(text)
  }
  expect(said[0]).toBe('no master at ws://192.0.2.7:7411/ yet (connection refused); trying for another 60 s')
  expect(said[1]).toMatch(/another 55 s$/)
  expect(said).toHaveLength(12)
})

it('a worker that does not try again says nothing of it', () => {
  expect(new Waiting('ws://192.0.2.7:7411/', 1000).failed(new Error('no answer'), 1000)).toBeUndefined()
})
