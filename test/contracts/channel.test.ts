/** What every channel promises, whatever carries it: the real one over a socket, and the pair in memory that tests use. */
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import type { Channel } from '../../shared/protocol/channel.ts'
import type { BinaryMessage } from '../../shared/protocol/codec.ts'
import { CLOSE_GRACE_MS } from '../../shared/protocol/deadlines.ts'
import { dial, WebSocketChannel } from '../../shared/protocol/node/websocket-channel.ts'
import { channelPair } from '../support/memory-channel.ts'

interface Ends {
  readonly near: Channel
  readonly far: Channel
}

const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})

async function socketPair(): Promise<Ends> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  endings.push(() => {
    for (const client of server.clients) client.terminate()
    server.close()
  })
  await new Promise(resolve => server.once('listening', resolve))
  const arrived = new Promise<WebSocketChannel>(resolve =>
    server.once('connection', (socket, request) => resolve(new WebSocketChannel(socket, request.socket as Socket))),
  )
  const socket = dial(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, 5000)
  const near = new WebSocketChannel(socket)
  const opened = new Promise(resolve => socket.once('open', resolve))
  const far = await arrived
  await opened
  return { near, far }
}

async function memoryPair(): Promise<Ends> {
  const [near, far] = channelPair()
  return { near, far }
}

/** Everything that a channel told its listener, and a promise of the end. */
function listener(channel: Channel, onMessage: () => void = () => {}) {
  const heard: unknown[] = []
  const closed = new Promise<void>(resolve => {
    channel.listen({
      control: message => {
        heard.push(message)
        onMessage()
      },
      binary: ({ kind }) => {
        heard.push(kind)
        onMessage()
      },
      closed: (code, reason) => {
        heard.push([code, reason])
        resolve()
      },
    })
  })
  return { heard, closed }
}

const word = (lease: number) => ({ type: 'cancel-tile', lease }) as const
const chunk: BinaryMessage = { kind: 'part-chunk', part: 'a'.repeat(64), index: 0, body: new Uint8Array(70_000) }

describe.each([
  ['over a socket', socketPair],
  ['in memory', memoryPair],
])('a channel %s', (_, connect) => {
  it('brings messages in order, and what was sent before a close before it', async () => {
    const { near, far } = await connect()
    const [at, from] = [listener(far), listener(near)]
    near.send(word(1))
    void near.sendBinary(chunk)
    near.send(word(2))
    near.close(4002, 'enough')
    await Promise.all([at.closed, from.closed])
    expect(at.heard).toEqual([word(1), 'part-chunk', word(2), [4002, 'enough']])
    expect(from.heard).toEqual([[4002, 'enough']])
  })

  it('brings large messages in order, too, and what follows them while they are packed', async () => {
    const { near, far } = await connect()
    const [at, from] = [listener(far), listener(near)]
    const large = { ...chunk, body: new Uint8Array(9 << 20) }
    const tile: BinaryMessage = {
      kind: 'frame-preview',
      session: 0,
      frame: 1,
      samples: 1,
      encoding: 'raw',
      rawBytes: large.body.length,
      body: large.body,
    }
    const sent = [near.sendBinary(tile), near.sendBinary({ ...tile, frame: 2 })]
    near.send(word(1))
    await Promise.all(sent)
    // A busy machine may take longer than a connection that is closed is left open.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    endings.push(() => vi.useRealTimers())
    void near.sendBinary(tile)
    near.close(4002, 'enough')
    await Promise.all([at.closed, from.closed])
    expect(at.heard).toEqual(['frame-preview', 'frame-preview', word(1), 'frame-preview', [4002, 'enough']])
  })

  it('says nothing after its close but that it is closed, once, before the event loop goes on', async () => {
    const { near, far } = await connect()
    const from = listener(near)
    const at = listener(far, () => {
      far.close(4000, 'no more')
      far.close(4001, 'never said')
      far.terminate()
    })
    near.send(word(1))
    near.send(word(2))
    await at.closed
    await from.closed
    near.send(word(3))
    await near.sendBinary(chunk)
    await new Promise(resolve => setImmediate(resolve))
    expect(at.heard).toEqual([word(1), [4000, 'no more']])
    expect(from.heard).toHaveLength(1)

    const third = await connect()
    const ended = listener(third.near)
    third.near.close(4002, 'now')
    await Promise.resolve()
    expect(ended.heard).toEqual([[4002, 'now']])
  })

  it('closes with a reason when its listener throws', async () => {
    const { near, far } = await connect()
    const from = listener(near)
    listener(far, () => {
      throw new Error('nonsense')
    })
    near.send(word(1))
    await from.closed
    expect(from.heard).toEqual([[4001, expect.stringContaining('nonsense')]])
  })

  it('brings nothing more while its listener is not done with a message, and is not called silent then', async () => {
    const { near, far } = await connect()
    const heard: string[] = []
    const releases: ((error?: Error) => void)[] = []
    const closed = new Promise<string>(resolve => {
      far.listen({
        control: message => heard.push((message as { readonly type: string }).type),
        binary: ({ kind }) => {
          heard.push(kind)
          return new Promise<void>((resolve, reject) => {
            releases.push(error => (error ? reject(error) : resolve()))
          })
        },
        closed: (_, reason) => resolve(reason),
      })
    })
    listener(near)
    const until = async (count: number) => {
      while (heard.length < count) await new Promise(resolve => setImmediate(resolve))
    }
    void near.sendBinary(chunk)
    near.send(word(1))
    void near.sendBinary(chunk)
    near.send(word(2))
    await until(1)
    for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
    expect(heard).toEqual(['part-chunk'])
    releases[0]!()
    await until(3)
    for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
    expect(heard).toEqual(['part-chunk', 'cancel-tile', 'part-chunk'])
    if (far instanceof WebSocketChannel) for (let beat = 0; beat < 3; beat++) expect(far.heardSince()).toBe(true)
    releases[1]!(new Error('nonsense'))
    expect(await closed).toContain('nonsense')
    expect(heard).toHaveLength(3)
  })

  it('tells its own listener why it was dropped, and the peer only that', async () => {
    const { near, far } = await connect()
    const [from, at] = [listener(near), listener(far)]
    near.terminate('silent')
    await Promise.all([from.closed, at.closed])
    expect(from.heard).toEqual([[1006, 'silent']])
    expect(at.heard).toEqual([[1006, '']])
  })

  it('hears a ping, and the answer to it, as signs of life', async () => {
    const { near, far } = await connect()
    listener(near)
    listener(far)
    const alive = (channel: Channel) =>
      new Promise<void>(resolve => {
        const look = () => (channel.heardSince() ? resolve() : setImmediate(look))
        look()
      })
    near.heardSince()
    far.heardSince()
    expect([near.heardSince(), far.heardSince()]).toEqual([false, false])
    near.ping()
    await Promise.all([alive(near), alive(far)])
  })

  it('counts what comes of messages, and no signs of life', async () => {
    const { near, far } = await connect()
    const arrived = new Promise<void>(resolve => listener(far, resolve))
    listener(near)
    const before = [near.received, far.received]
    near.heardSince()
    far.heardSince()
    for (const end of [near, far]) end.ping()
    for (const end of [near, far]) while (!end.heardSince()) await new Promise(resolve => setImmediate(resolve))
    // The answer to the second ping comes after that to the first.
    near.send(word(1))
    await arrived
    const [signs, words] = [near.received - before[0]!, far.received - before[1]!]
    expect(signs).toBe(0)
    expect(words).toBeGreaterThanOrEqual(JSON.stringify(word(1)).length)
    expect(words).toBeLessThan(JSON.stringify(word(1)).length + 10)
  })
})

describe('a channel over a socket', () => {
  it('lets others have turns between messages that take long, and still brings all of them in order before the close', async () => {
    const { near, far } = await socketPair()
    let turns = 0
    const count = () => {
      turns++
      setImmediate(count)
    }
    const turnsBefore: number[] = []
    const at = listener(far, () => {
      if (turnsBefore.length === 0) count()
      turnsBefore.push(turns)
      const until = performance.now() + 10
      while (performance.now() < until);
    })
    for (let i = 0; i < 5; i++) near.send(word(i))
    near.close(4002, 'enough')
    listener(near)
    await at.closed
    expect(at.heard).toEqual([...[0, 1, 2, 3, 4].map(word), [4002, 'enough']])
    expect(new Set(turnsBefore).size).toBe(5)
  })

  it('counts what has come of a message that is not whole', async () => {
    const { near, far } = await socketPair()
    const { heard } = listener(far)
    const before = far.received
    void near.sendBinary({ ...chunk, body: new Uint8Array(8 << 20) })
    while (far.received - before < 1 << 16) await new Promise(resolve => setImmediate(resolve))
    expect(heard).toEqual([])
    near.terminate()
  })
})

describe('a channel in memory', () => {
  it('lets the sender feel that nobody reads', async () => {
    const [near, far] = channelPair()
    const at = listener(far)
    far.pause()
    let taken = 0
    const sent = [1, 2].map(() => near.sendBinary(chunk).then(() => taken++))
    await new Promise(resolve => setImmediate(resolve))
    expect([taken, far.waiting]).toEqual([0, 2])
    far.resume()
    await Promise.all(sent)
    expect(at.heard).toEqual(['part-chunk', 'part-chunk'])
    far.pause()
    const last = near.sendBinary(chunk)
    far.terminate()
    await last
  })

  it('can lose an end without a word', async () => {
    const [near, far] = channelPair()
    const [from, at] = [listener(near), listener(far)]
    near.send(word(1))
    far.vanish()
    near.heardSince()
    near.ping()
    await near.sendBinary(chunk)
    await new Promise(resolve => setImmediate(resolve))
    expect([from.heard, at.heard, near.heardSince()]).toEqual([[], [], false])
    near.terminate('silent')
    await from.closed
    expect(from.heard).toEqual([[1006, 'silent']])
    expect(at.heard).toEqual([])
  })
})

describe('a channel over a socket', () => {
  it('brings no reason that could forge a line of a log', async () => {
    const { near, far } = await socketPair()
    const [from, at] = [listener(near), listener(far)]
    near.close(4002, 'gone\nworker bert \u001b[31m')
    await Promise.all([from.closed, at.closed])
    expect(at.heard).toEqual([[4002, 'gone\uFFFDworker bert \uFFFD[31m']])
  })

  it('ends when the peer does not answer its close', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    endings.push(() => {
      for (const client of server.clients) client.terminate()
      server.close()
    })
    await new Promise(resolve => server.once('listening', resolve))
    // A peer that does not read does not answer.
    server.once('connection', (_, request) => request.socket.pause())
    const socket = dial(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, 5000)
    const near = new WebSocketChannel(socket)
    listener(near)
    await new Promise(resolve => socket.once('open', resolve))
    const gone = new Promise(resolve => socket.once('close', resolve))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    near.close(1000, 'done')
    // The WebSocket protocol's own patience is 30 s.
    vi.advanceTimersByTime(CLOSE_GRACE_MS)
    vi.useRealTimers()
    await gone
  })
})
