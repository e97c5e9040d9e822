import { describe, expect, it } from 'vitest'
import { DEFAULT_HEARTBEAT, Heartbeat } from '../../../shared/protocol/heartbeat.ts'

/** A channel of which only signs of life matter. */
function patient() {
  const seen = { pings: 0, dropped: [] as string[], alive: true }
  const channel = {
    ping: () => void seen.pings++,
    terminate: (reason = '') => void seen.dropped.push(reason),
    heardSince: () => seen.alive,
  }
  return { seen, channel }
}

describe('Heartbeat', () => {
  it('drops a peer that let its patience pass without a sign of life, once, and no other', () => {
    const heartbeat = new Heartbeat(250)
    const [silent, lively] = [patient(), patient()]
    silent.seen.alive = false
    heartbeat.watch(silent.channel, 3)
    heartbeat.watch(lively.channel, 3)
    heartbeat.beat()
    heartbeat.beat()
    expect(silent.seen).toMatchObject({ pings: 2, dropped: [] })
    heartbeat.beat()
    heartbeat.beat()
    expect(silent.seen.dropped).toEqual(['no sign of life for 0.75 s'])
    expect(lively.seen).toMatchObject({ pings: 4, dropped: [] })
  })

  it('forgives silence that ended in time', () => {
    const heartbeat = new Heartbeat(250)
    const peer = patient()
    heartbeat.watch(peer.channel, 2)
    for (const alive of [false, true, false, true, false]) {
      peer.seen.alive = alive
      heartbeat.beat()
    }
    expect(peer.seen.dropped).toEqual([])
  })

  it('takes up another patience, and forgets', () => {
    const heartbeat = new Heartbeat(250)
    const peer = patient()
    peer.seen.alive = false
    heartbeat.watch(peer.channel, 2)
    heartbeat.beat()
    heartbeat.watch(peer.channel, 3)
    heartbeat.beat()
    heartbeat.beat()
    heartbeat.forget(peer.channel)
    heartbeat.beat()
    expect(peer.seen.dropped).toEqual([])
  })

  it('notices a stopped worker within a second by default, and bears a master that is busy for three', () => {
    const { intervalMs, patience, longPatience } = DEFAULT_HEARTBEAT
    expect(intervalMs * (patience + 1)).toBeLessThanOrEqual(1000)
    expect(intervalMs * longPatience).toBeGreaterThanOrEqual(3000)
  })
})
