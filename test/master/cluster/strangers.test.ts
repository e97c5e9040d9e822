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
  let ms = 0
  const now = () => ms
  const pass = (by: number) => {
    ms += by
  }
  return { armed, alarm, ring, now, pass }
}

describe('strangers', () => {
  it('are refused after a time, but not once they are known', () => {
    const { armed, alarm, ring, now } = clock()
    const strangers = new Strangers(limits, alarm, { now })
    const refused: string[] = []
    strangers.enter('a', why => refused.push(`a: ${why.message}`))
    const known = strangers.enter('a', why => refused.push(`b: ${why.message}`))
    known.done()
    ring()
    expect(refused).toEqual([
      'a: expected a hello within 5 s, got none; is the other side a worker or client of sortfirst?',
    ])
    expect(armed.size).toBe(0)
  })

  it('are refused once when they send too much', () => {
    const { alarm, ring, now } = clock()
    const strangers = new Strangers(limits, alarm, { now })
    const refused: string[] = []
    const stranger = strangers.enter('a', why => refused.push(why.message))
    stranger.heard(60)
    stranger.heard(40)
    expect(refused).toEqual([])
    stranger.heard(1)
    stranger.heard(1000)
    ring()
    expect(refused).toEqual([expect.stringContaining('expected a hello within its first 100 bytes, got none')])
  })

  it('make room when they are known or refused', () => {
    const { alarm, ring, now } = clock()
    const strangers = new Strangers(limits, alarm, { now })
    const first = strangers.enter('a', () => {})
    expect(strangers.hasRoomFor('a')).toBe(true)
    strangers.enter('a', () => {})
    expect(strangers.hasRoomFor('a')).toBe(false)
    first.done()
    expect(strangers.hasRoomFor('a')).toBe(true)
    ring()
    strangers.enter('a', () => {})
    expect(strangers.hasRoomFor('a')).toBe(true)
  })

  it('make room for other addresses where one has most of them, the oldest first', () => {
    const { alarm, now } = clock()
    const strangers = new Strangers({ ...limits, connections: 3 }, alarm, { now })
    const refused: string[] = []
    for (const name of ['crowd 1', 'other 1', 'crowd 2'])
      strangers.enter(name.split(' ')[0]!, why => refused.push(`${name}: ${why.message}`))
    expect(strangers.hasRoomFor('crowd')).toBe(false)
    expect(refused).toEqual([])
    expect(strangers.hasRoomFor('other')).toBe(true)
    expect(refused).toEqual([expect.stringContaining('crowd 1: expected a hello before there were too many others')])
    strangers.enter('other', () => {})
    // Two of one and one of the other now: the one that is fewer gets the place of one of the two.
    expect(strangers.hasRoomFor('other')).toBe(false)
    expect(strangers.hasRoomFor('crowd')).toBe(true)
  })

  it('make room for their neighbours once they have had more than enough time', () => {
    const { alarm, now, pass } = clock()
    const strangers = new Strangers(limits, alarm, { now })
    const refused: string[] = []
    strangers.enter('a', why => refused.push(`first: ${why.message}`))
    pass(999)
    strangers.enter('a', why => refused.push(`second: ${why.message}`))
    expect([strangers.hasRoomFor('a'), refused]).toEqual([false, []])
    pass(1)
    expect(strangers.hasRoomFor('a')).toBe(true)
    expect(refused).toEqual([expect.stringContaining('first: expected a hello before there were too many others')])
    strangers.enter('a', () => {})
    expect(strangers.hasRoomFor('a')).toBe(false)
  })
})
