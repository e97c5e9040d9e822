import { describe, expect, it } from 'vitest'
import { AT_ONCE, inTurns, type Steps } from '../../../shared/time/steps.ts'

/** Steps that take so long on a clock of their own, and what was done when. */
function setUp(stepMs: number, count: number) {
  const state = { now: 0, done: 0, pauses: [] as number[] }
  function* steps(): Steps<string> {
    for (let i = 0; i < count; i++) {
      state.now += stepMs
      state.done++
      yield
    }
    return 'all'
  }
  const pause = async () => void state.pauses.push(state.done)
  return { state, steps, ports: { now: () => state.now, pause } }
}

describe('a long computation in turns', () => {
  it('pauses after each few milliseconds of it, and no more often', async () => {
    const { state, steps, ports } = setUp(3, 7)
    expect(await inTurns(steps(), ports)).toBe('all')
    expect(state.pauses).toEqual([3, 6])
  })

  it('pauses after every step that is longer than that', async () => {
    const { state, steps, ports } = setUp(40, 3)
    await inTurns(steps(), ports)
    expect(state.pauses).toEqual([1, 2, 3])
  })

  it('does not pause where nobody waits, and passes on what goes wrong', async () => {
    const { steps } = setUp(40, 3)
    expect(await inTurns(steps(), AT_ONCE)).toBe('all')
    function* wrong(): Steps<never> {
      yield
      throw new Error('no')
    }
    await expect(inTurns(wrong(), AT_ONCE)).rejects.toThrow('no')
  })
})
