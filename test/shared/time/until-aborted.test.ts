import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { untilAborted } from '../../../shared/time/until-aborted.ts'

const listeners = (...aborts: AbortController[]): number =>
  aborts.reduce((sum, { signal }) => sum + getEventListeners(signal, 'abort').length, 0)

it('work is waited for until one of several signals aborts, which nothing listens to any more then', async () => {
  const [one, other] = [new AbortController(), new AbortController()]
  const waiting = untilAborted([one.signal, other.signal], new Promise(() => {}))
  expect(listeners(one, other)).toBe(2)
  other.abort(new Error('the other one'))
  await expect(waiting).rejects.toThrow('the other one')
  expect(listeners(one, other)).toBe(0)
  await expect(untilAborted([one.signal, other.signal], Promise.resolve(1))).rejects.toThrow('the other one')
  expect(listeners(one, other)).toBe(0)
})

it('work that settles leaves nothing behind either', async () => {
  const abort = new AbortController()
  expect(await untilAborted(abort.signal, Promise.resolve(1))).toBe(1)
  await expect(untilAborted(abort.signal, Promise.reject(new Error('no')))).rejects.toThrow('no')
  await new Promise(resolve => setImmediate(resolve))
  expect(listeners(abort)).toBe(0)
})
