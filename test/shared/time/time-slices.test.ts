import { describe, expect, it } from 'vitest'
import { TimeSlices } from '../../../shared/time/time-slices.ts'

/** TimeSlices on a clock that only tasks advance. */
function turns() {
  let now = 0
  const next: (() => void)[] = []
  const done: string[] = []
  const all = new TimeSlices(
    () => now,
    turn => next.push(turn),
  )
  const run = (name: string, ms: number) =>
    all.run(() => {
      now += ms
      done.push(name)
    })
  return { all, run, done, next, turn: () => next.shift()?.() }
}

describe('turns', () => {
  it('let short tasks run at once', () => {
    const { run, done } = turns()
    expect(['a', 'b', 'c'].map(name => run(name, 1))).toEqual([true, true, true])
    expect(done).toEqual(['a', 'b', 'c'])
  })

  it('make what comes after long ones wait, in order, and do some milliseconds of it at a time', () => {
    const { run, done, next, turn } = turns()
    expect(['a', 'b', 'c', 'd', 'e'].map(name => run(name, 5))).toEqual([true, true, false, false, false])
    turn()
    expect(done).toEqual(['a', 'b', 'c', 'd'])
    // Nobody passes those that wait.
    expect(run('f', 0)).toBe(false)
    turn()
    expect(done).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    expect(next).toEqual([])
    expect(run('g', 0)).toBe(true)
  })

  it('begin anew when everybody else has had one', () => {
    const { run, turn } = turns()
    expect(run('a', 9)).toBe(true)
    turn()
    expect(run('b', 9)).toBe(true)
  })

  it('go on after a task that fails', () => {
    const { all, run, done, turn } = turns()
    run('a', 9)
    all.run(() => {
      throw new Error('this one')
    })
    run('b', 1)
    expect(turn).toThrow('this one')
    turn()
    expect(done).toEqual(['a', 'b'])
  })
})
