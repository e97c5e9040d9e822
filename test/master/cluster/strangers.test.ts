import { describe, expect, it } from 'vitest'
import { Strangers } from '../../../master/cluster/strangers.ts'

const limits = { connections: 2, bytes: 100, helloMs: 5000 }

/** An alarm that is turned by hand. */
function clock() {
  const armed = new Set<() => void>()
  const alarm = (wake: () => void) => {
    armed.add(wake)
    return () => armed.delete(wake)
  }
  const ring = () => {
    for (const wake of [...armed]) wake()
  }
  return { armed, alarm, ring }
}

describe('strangers', () => {
  it('are refused after a time, but not once they are known', () => {
    const { armed, alarm, ring } = clock()
    const strangers = new Strangers(limits, alarm)
    const refused: string[] = []
    strangers.enter(why => refused.push(`a: ${why.message}`))
    const known = strangers.enter(why => refused.push(`b: ${why.message}`))
    known.done()
    ring()
    expect(refused).toEqual([
      'a: expected a hello within 5 s, got none; is the other side a worker or client of sortfirst?',
    ])
    expect(armed.size).toBe(0)
  })

  it('are refused once when they send too much', () => {
    const { alarm, ring } = clock()
    const strangers = new Strangers(limits, alarm)
    const refused: string[] = []
    const stranger = strangers.enter(why => refused.push(why.message))
    stranger.heard(60)
    stranger.heard(40)
    expect(refused).toEqual([])
    stranger.heard(1)
    stranger.heard(1000)
    ring()
    expect(refused).toEqual([expect.stringContaining('expected a hello within its first 100 bytes, got none')])
  })

  it('make room when they are known or refused', () => {
    const { alarm, ring } = clock()
    const strangers = new Strangers(limits, alarm)
    const first = strangers.enter(() => {})
    expect(strangers.full).toBe(false)
    strangers.enter(() => {})
    expect(strangers.full).toBe(true)
    first.done()
    expect(strangers.full).toBe(false)
    ring()
    strangers.enter(() => {})
    expect(strangers.full).toBe(false)
  })
})
