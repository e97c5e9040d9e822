import { describe, expect, it } from 'vitest'
import { type Pace, SlowPeers } from '../../../shared/protocol/slow-peers.ts'

const least = { bytes: 1000, inMs: 10_000 }
const INTERVAL_MS = 250
const BEATS = least.inMs / INTERVAL_MS

/** A channel that is watched, with what it has under way. */
function watched() {
  const dropped: string[] = []
  const pace = { messages: 0, arrived: 0, underWay: 0, sent: 0, unsent: 0 }
  const channel = { pace: pace as Pace, drop: (reason: string) => void dropped.push(reason) }
  const peers = new SlowPeers(INTERVAL_MS, least)
  peers.watch(channel)
  /** Time passes; before each beat something may happen. */
  const pass = (beats: number, before: () => void = () => {}) => {
    for (let beat = 0; beat < beats; beat++) {
      before()
      peers.beat()
    }
  }
  return { dropped, pace, peers, channel, pass }
}

describe('a peer in the middle of a message', () => {
  it('is dropped if it drips', () => {
    const { dropped, pace, pass } = watched()
    const drip = () => {
      pace.arrived += 1
      pace.underWay += 1
    }
    pass(BEATS - 1, drip)
    expect(dropped).toEqual([])
    pass(100, drip)
    expect(dropped).toEqual([`it sent ${BEATS} bytes in 10 s in the middle of a message, expected at least 1000`])
  })

  it('stays if it is as fast as it has to be, however long the message is', () => {
    const { dropped, pace, pass } = watched()
    pass(100 * BEATS, () => {
      pace.arrived += least.bytes / BEATS
      pace.underWay += least.bytes / BEATS
    })
    expect(dropped).toEqual([])
  })

  it('stays if it completes messages, and between them', () => {
    const { dropped, pace, pass } = watched()
    pass(3 * BEATS, () => {
      pace.arrived += 1
      pace.underWay = 1
      pace.messages++
    })
    pace.underWay = 0
    pass(100 * BEATS)
    expect(dropped).toEqual([])
  })

  it('is not given the time of the message before', () => {
    const { dropped, pace, pass } = watched()
    pace.underWay = 1
    pass(BEATS - 1)
    pace.messages++
    pass(BEATS)
    expect(dropped).toEqual([])
    pass(1)
    expect(dropped).toHaveLength(1)
  })
})

describe('a peer for which bytes wait', () => {
  it('is dropped if it hardly reads', () => {
    const { dropped, pace, pass } = watched()
    pace.unsent = 1e6
    pass(BEATS, () => {
      pace.sent += 2
    })
    expect(dropped).toEqual([`it read ${2 * BEATS} bytes in 10 s in the middle of a message, expected at least 1000`])
  })

  it('stays if it reads now and then, in large steps', () => {
    const { dropped, pace, pass } = watched()
    pace.unsent = 1e6
    let beat = 0
    pass(20 * BEATS, () => {
      if (++beat % (BEATS - 1) === 0) pace.sent += least.bytes
    })
    expect(dropped).toEqual([])
  })

  it('stays once nothing waits', () => {
    const { dropped, pace, pass } = watched()
    pace.unsent = 1
    pass(BEATS - 1)
    pace.unsent = 0
    pass(1)
    pace.unsent = 1
    pass(BEATS - 1)
    expect(dropped).toEqual([])
  })
})

it('hears nothing of a peer that is forgotten', () => {
  const { dropped, pace, peers, channel, pass } = watched()
  pace.unsent = 1
  peers.forget(channel)
  pass(2 * BEATS)
  expect(dropped).toEqual([])
})
