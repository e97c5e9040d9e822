import { describe, expect, it } from 'vitest'
import { DEFAULT_HEARTBEAT, Heartbeat } from '../../master/cluster/heartbeat.ts'
import type { Channel } from '../../shared/protocol/channel.ts'

/** A channel of which only signs of life matter. */
function patient() {
  const seen = { pings: 0, terminated: false, alive: true }
  const channel = {
    ping: () => seen.pings++,
    terminate: () => {
      seen.terminated = true
    },
    heardSince: () => seen.alive,
  } as unknown as Channel
  return { seen, channel }
}

describe('Heartbeat', () => {
  it('drops a peer that let its patience pass without a sign of life, and no other', () => {
    const heartbeat = new Heartbeat(3)
    const [silent, lively] = [patient(), patient()]
    silent.seen.alive = false
    heartbeat.add(silent.channel)
    heartbeat.add(lively.channel)
    heartbeat.beat()
    heartbeat.beat()
    expect(silent.seen).toMatchObject({ pings: 2, terminated: false })
    heartbeat.beat()
    expect(silent.seen.terminated).toBe(true)
    expect(lively.seen).toMatchObject({ pings: 3, terminated: false })
  })

  it('forgives silence that ended in time', () => {
    const heartbeat = new Heartbeat(2)
    const peer = patient()
    heartbeat.add(peer.channel)
    for (const alive of [false, true, false, true, false]) {
      peer.seen.alive = alive
      heartbeat.beat()
    }
    expect(peer.seen.terminated).toBe(false)
  })

  it('notices a stopped process within a second by default', () => {
    expect(DEFAULT_HEARTBEAT.intervalMs * (DEFAULT_HEARTBEAT.patience + 1)).toBeLessThanOrEqual(1000)
  })
})
