/** A process that is held up blames no peer for that: neither for what it has not read, nor for what it has not sent. */
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { DEFAULT_HEARTBEAT, Heartbeat, type WatchedChannel } from '../../../shared/protocol/heartbeat.ts'
import { signOf } from '../../../shared/protocol/heartbeat-sign.ts'
import { WebSocketChannel } from '../../../shared/protocol/node/websocket-channel.ts'

const { intervalMs, patience, longPatience } = DEFAULT_HEARTBEAT
const turn = () => new Promise(resolve => setImmediate(resolve))

afterEach(() => {
  vi.restoreAllMocks()
})

/** A server's channel over a socket that exists only here: what is done to the connection, in order. */
function faked() {
  const done: string[] = []
  const note =
    (what: string) =>
    (data?: Uint8Array): void =>
      void done.push(data ? `${what} ${Buffer.from(data)}` : what)
  const calls = ['pause', 'resume', 'ping', 'pong', 'terminate'] as const
  const socket = Object.assign(new EventEmitter(), Object.fromEntries(calls.map(call => [call, note(call)])), {
    readyState: 1,
    bufferedAmount: 0,
  })
  const counters = { bytesRead: 0, bytesWritten: 0, writableLength: 0, pause: note('hold'), cork: note('cork') }
  const wire = Object.assign(new EventEmitter(), counters, { uncork: note('uncork') })
  const channel = new WebSocketChannel(socket as unknown as WebSocket, wire as unknown as Socket)
  const comes = (number: number) => {
    const bytes = Buffer.from(JSON.stringify({ number }))
    wire.bytesRead += bytes.length
    socket.emit('message', bytes, false)
  }
  const pinged = (payload: string) => socket.emit('ping', Buffer.from(payload))
  return { channel, done, comes, pinged }
}

describe('a channel', () => {
  it('takes no peer for silent while messages of its wait to be handled, because no more is read meanwhile', async () => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const { channel, done, comes } = faked()
    const heartbeat = new Heartbeat(intervalMs)
    heartbeat.watch(channel, patience)
    const handled: unknown[] = []
    const control = (message: unknown) => {
      handled.push(message)
      now += 1000
    }
    channel.listen({ control, binary: () => undefined, closed: () => {} })
    for (const number of [1, 2]) comes(number)
    expect([handled.length, done.at(-1)]).toEqual([1, 'pause'])
    for (let beat = 0; beat < 20; beat++) heartbeat.beat()
    expect(done).not.toContain('terminate')
    await turn()
    expect([handled.length, done.at(-1)]).toEqual([2, 'resume'])
    // Nothing waits any more, and now it may be silent.
    for (let beat = 0; beat < 20; beat++) heartbeat.beat()
    expect(done.filter(each => each === 'terminate')).toHaveLength(1)
  })

  it('of a server that pings answers with its next ping, in one write, or to the second ping before that', () => {
    const { channel, done, pinged } = faked()
    pinged('a')
    expect(done).toEqual(['pong a'])
    channel.ping(Buffer.from('1'))
    pinged('b')
    channel.ping(Buffer.from('2'))
    expect(done.slice(1)).toEqual(['cork', 'ping 1', 'uncork', 'cork', 'pong b', 'ping 2', 'uncork'])
    pinged('c')
    expect(done).toHaveLength(8)
    pinged('d')
    expect(done.slice(8)).toEqual(['pong d'])
    pinged('e')
    channel.ping()
    expect(done.slice(9)).toEqual(['cork', 'pong e', 'ping', 'uncork'])
  })
})

describe('two heartbeats', () => {
  /**
   * A master whose loop takes `heldMs` for each turn, in which it beats once, and that reads what has come in every so many of them; and a
   * worker in time.
   * @returns why a line was dropped
   */
  function play(heldMs: number, readsEvery: number, forMs: number): string[] {
    const dropped: string[] = []
    const ends = { master: new Heartbeat(intervalMs), worker: new Heartbeat(intervalMs) }
    const hears: Record<string, (payload: Uint8Array) => void> = {}
    const heard = { master: false, worker: false }
    /** On its way to the master. */
    const unread: Uint8Array[] = []
    const line = (at: 'master' | 'worker', ping: (payload: Uint8Array) => void): WatchedChannel => ({
      ping: (payload = new Uint8Array()) => ping(payload),
      onPing: handler => {
        hears[at] = handler
      },
      heardSince: () => {
        const some = heard[at]
        heard[at] = false
        return some
      },
      terminate: reason => dropped.push(`${at}: ${reason}`),
    })
    const toWorker = (payload: Uint8Array) => {
      heard.worker = true
      hears.worker!(payload)
    }
    ends.master.watch(line('master', toWorker), patience)
    ends.worker.watch(
      line('worker', payload => void unread.push(payload)),
      longPatience,
    )
    for (let now = 0, next = 0, turn = 0; now < forMs && dropped.length === 0; now++) {
      if (now % 125 === 7) ends.worker.beat()
      if (now < next) continue
      ends.master.beat()
      next = now + heldMs
      if (++turn % readsEvery !== 0) continue
      for (const payload of unread.splice(0)) {
        heard.master = true
        hears.master!(payload)
      }
    }
    return dropped
  }

  it('drop nothing while one of them is held up, again and again, for less than the other bears', () => {
    for (const heldMs of [125, 126, 250, 333, 400, 500, 800, 1200, 1400])
      for (const readsEvery of [1, 2, 3, 4]) {
        // For that long, and one more, the worker hears nothing.
        if (heldMs * readsEvery >= 2800) continue
        expect([heldMs, readsEvery, play(heldMs, readsEvery, 60_000)]).toEqual([heldMs, readsEvery, []])
      }
  })

  it('say how long the other was not heard', () => {
    const said: number[] = []
    const heartbeat = new Heartbeat(intervalMs)
    heartbeat.watch(
      {
        ping: payload => said.push(signOf(payload!)!.silentMs),
        onPing: () => {},
        heardSince: () => false,
        terminate: () => {},
      },
      longPatience,
    )
    for (let beat = 0; beat < 4; beat++) heartbeat.beat()
    expect(said).toEqual([125, 250, 375, 500])
  })
})
