import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_HEARTBEAT, Heartbeat } from '../../../shared/protocol/heartbeat.ts'
import { signBytes, signOf } from '../../../shared/protocol/heartbeat-sign.ts'

/** A channel of which only signs of life matter. */
function patient() {
  const seen = { pings: 0, dropped: [] as string[], alive: true, said: [] as Uint8Array[] }
  let pinged: (payload: Uint8Array) => void = () => {}
  const channel = {
    ping: (payload = new Uint8Array()) => {
      seen.pings++
      seen.said.push(payload)
    },
    onPing: (handler: typeof pinged) => {
      pinged = handler
    },
    terminate: (reason = '') => void seen.dropped.push(reason),
    heardSince: () => seen.alive,
  }
  return { seen, channel, hears: (payload: Uint8Array) => pinged(payload) }
}

const beats = (heartbeat: Heartbeat, count: number): void => {
  for (let i = 0; i < count; i++) heartbeat.beat()
}

describe('Heartbeat', () => {
  it('drops a peer that let its patience pass without a sign of life, once, and no other', () => {
    const heartbeat = new Heartbeat(250)
    const [silent, lively] = [patient(), patient()]
    silent.seen.alive = false
    heartbeat.watch(silent.channel, 3)
    heartbeat.watch(lively.channel, 3)
    beats(heartbeat, 5)
    expect(silent.seen.dropped).toEqual([])
    beats(heartbeat, 2)
    expect(silent.seen.dropped).toEqual(['no sign of life for 0.75 s'])
    expect(lively.seen.dropped).toEqual([])
  })

  it('pings once in an interval a peer that it hears, and at every beat one that it does not', () => {
    const heartbeat = new Heartbeat(250)
    const [silent, lively] = [patient(), patient()]
    silent.seen.alive = false
    for (const { channel } of [silent, lively]) heartbeat.watch(channel, 12)
    beats(heartbeat, 8)
    expect(8 * heartbeat.everyMs).toBe(1000)
    expect([silent.seen.pings, lively.seen.pings]).toEqual([8, 4])
    expect(signOf(silent.seen.said.at(-1)!)).toEqual({ ping: 8, heard: 0, silentMs: 1000 })
  })

  it('forgives silence that ended in time', () => {
    const heartbeat = new Heartbeat(250)
    const peer = patient()
    heartbeat.watch(peer.channel, 1)
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
    beats(heartbeat, 3)
    heartbeat.watch(peer.channel, 3)
    beats(heartbeat, 2)
    heartbeat.forget(peer.channel)
    beats(heartbeat, 4)
    expect(peer.seen.dropped).toEqual([])
  })

  it('drops a peer that lives and says that it hears nothing of what it is sent', () => {
    const heartbeat = new Heartbeat(250)
    const peer = patient()
    heartbeat.watch(peer.channel, 3)
    beats(heartbeat, 6)
    peer.hears(signBytes({ ping: 1, heard: 1, silentMs: 625 }))
    peer.hears(signBytes({ ping: 1, heard: 1, silentMs: 750 }))
    expect(peer.seen.dropped).toEqual([])
    beats(heartbeat, 2)
    peer.hears(signBytes({ ping: 2, heard: 1, silentMs: 1000 }))
    peer.hears(signBytes({ ping: 3, heard: 1, silentMs: 1250 }))
    expect(peer.seen.dropped).toEqual(['it has heard nothing for 1 s'])
  })

  it('does not blame a peer for silence of its own', () => {
    const heartbeat = new Heartbeat(250)
    const peer = patient()
    heartbeat.watch(peer.channel, 3)
    beats(heartbeat, 10)
    // This process was held up for five seconds, and reads now what came meanwhile.
    for (let silentMs = 125, ping = 1; silentMs <= 5000; silentMs += 125, ping++) {
      if (silentMs === 2500) heartbeat.beat()
      peer.hears(signBytes({ ping, heard: peer.seen.pings - 1, silentMs }))
    }
    expect(peer.seen.dropped).toEqual([])
  })

  it('never drops a peer that hears it and is heard, whatever the other carries in its pings', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 13 })), payloads => {
        const heartbeat = new Heartbeat(250)
        const peer = patient()
        heartbeat.watch(peer.channel, 3)
        for (const payload of payloads) {
          heartbeat.beat()
          // A sign may say anything but that nothing was heard.
          const sign = signOf(payload)
          peer.hears(sign ? signBytes({ ...sign, silentMs: sign.silentMs % 750 }) : payload)
        }
        expect(peer.seen.dropped).toEqual([])
      }),
    )
  })

  it('lets two ends find out that one of them is deaf, within a second, and none before it is', () => {
    fc.assert(
      fc.property(fc.nat({ max: 20 }), fc.integer({ min: 1, max: 124 }), (before, phase) => {
        const { intervalMs, patience, longPatience } = DEFAULT_HEARTBEAT
        const ends = [new Heartbeat(intervalMs), new Heartbeat(intervalMs)] as const
        const lines = [patient(), patient()] as const
        let deafAt = Number.POSITIVE_INFINITY
        let now = 0
        const came = [true, true]
        const ping = (from: 0 | 1) => (payload?: Uint8Array) => {
          const to = from === 0 ? 1 : 0
          if (to === 1 && now >= deafAt) return
          came[to] = true
          lines[to].hears(payload ?? new Uint8Array())
          // Its pong.
          if (from === 0 || now < deafAt) came[from] = true
        }
        for (const i of [0, 1] as const) {
          const channel = Object.assign(lines[i].channel, {
            ping: ping(i),
            heardSince: () => {
              const heard = came[i]!
              came[i] = false
              return heard
            },
          })
          ends[i].watch(channel, i === 0 ? patience : longPatience)
        }
        deafAt = 125 * before + phase / 2
        while (lines[0].seen.dropped.length === 0 && now < deafAt + 5000) {
          now += 0.5
          if (now % 125 === 0) ends[0].beat()
          if (now % 125 === phase) ends[1].beat()
        }
        expect(lines[0].seen.dropped).toHaveLength(1)
        expect(now).toBeGreaterThan(deafAt + 500)
        expect(now).toBeLessThanOrEqual(deafAt + 1000)
      }),
      { endOnFailure: true },
    )
  })

  it('notices a stopped worker within a second by default, and bears a master that is busy for three', () => {
    const { intervalMs, patience, longPatience } = DEFAULT_HEARTBEAT
    expect(intervalMs * patience + new Heartbeat(intervalMs).everyMs).toBeLessThan(1000)
    expect(intervalMs * longPatience).toBeGreaterThanOrEqual(3000)
  })
})

describe('signs of heartbeats', () => {
  it('come as they went, and are nothing else', () => {
    const u32 = fc.nat({ max: 2 ** 32 - 1 })
    fc.assert(
      fc.property(fc.record({ ping: u32, heard: u32, silentMs: u32 }), sign => {
        expect(signOf(signBytes(sign))).toEqual(sign)
      }),
    )
    expect(signOf(new Uint8Array())).toBeUndefined()
    expect(signOf(new Uint8Array(13))).toBeUndefined()
  })
})
