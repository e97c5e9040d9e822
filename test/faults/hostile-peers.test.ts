/** Strangers, and peers that hold, drip and flood: each is closed with a reason, and counted; nobody else notices. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Master, startMaster } from '../../master/main.ts'
import type { MasterOptions } from '../../master/options.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import { MAX_CONTROL_BYTES } from '../../shared/protocol/peer-limits.ts'
import { PROTOCOL_VERSION } from '../../shared/protocol/version.ts'
import { MAX_PARTS, type SceneManifest, sceneName } from '../../shared/scene/manifest.ts'
import type { Log } from '../../shared/text/log.ts'
import { BINARY, CLIENT_HELLO, closing, frameHeader, lastWords, TEXT, WORKER_HELLO } from '../support/bare-peer.ts'
import { scene } from '../support/session.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

interface Peer {
  readonly socket: WebSocket
  readonly wire: Socket
}

async function start(options: MasterOptions = {}) {
  const lines: string[] = []
  const hear = (line: string) => void lines.push(line)
  const log: Log = { info: hear, warn: hear }
  const master: Master = await startMaster({ listen: '127.0.0.1:0', ...options }, log)
  endings.push(() => master.close())
  const port = Number(new URL(master.url).port)
  /** What GET /healthz says. */
  const health = async () =>
    (await (await fetch(`http://127.0.0.1:${port}/healthz`)).json()) as {
      connections: number
      refused: Record<string, number>
    }
  /** A bare connection. */
  const dial = async (said = ''): Promise<Socket> => {
    const wire = connect(port, '127.0.0.1')
    endings.push(() => wire.destroy())
    wire.on('error', () => {})
    await once(wire, 'connect')
    if (said) wire.write(said)
    return wire
  }
  /** A WebSocket and its wire, after its hello, if it says one. */
  const open = async (hello?: object): Promise<Peer> => {
    // An answer to a ping would come in between what a test writes itself.
    const socket = new WebSocket(master.url, { perMessageDeflate: false, autoPong: false })
    endings.push(() => socket.terminate())
    socket.on('error', () => {})
    const wire = new Promise<Socket>(resolve => socket.once('upgrade', ({ socket }) => resolve(socket)))
    await once(socket, 'open')
    if (hello) {
      socket.send(JSON.stringify(hello))
      await once(socket, 'message')
    }
    return { socket, wire: await wire }
  }
  return { master, lines, health, dial, open }
}

describe('a connection that never becomes a WebSocket', () => {
  it('is closed, silent or dripping, and counted', async () => {
    const { health, dial, lines } = await start({ connections: { upgradeMs: 40 } })
    const silent = Array.from({ length: 20 }, () => dial())
    const drips = dial('GET / HTTP/1.1\r\n')
    const wires = await Promise.all([...silent, drips])
    await Promise.all(wires.map(lastWords))
    expect((await health()).refused).toEqual({ 'no-upgrade': 21 })
    expect(lines.filter(line => line.includes('asked for no WebSocket'))).toHaveLength(1)
  })

  const GET = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
  const POST = 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000000\r\n\r\nabc'
  const SAID: [string, string, RegExp, object][] = [
    ['asks twice has one answer', GET + GET, /^HTTP\/1.1 200(?![\s\S]*HTTP\/1.1 200)/, {}],
    ['asks twice has no reason to stay', GET + GET, /connection: close/i, {}],
    ['posts is not heard to its end', POST, /404/, {}],
    ['posts to /metrics', POST.replace(' /', ' /metrics'), /405[\s\S]*allow: GET, HEAD[\s\S]*got POST/i, {}],
    ['deletes /healthz', GET.replace('GET', 'DELETE'), /405[\s\S]*expected GET \/healthz, got DELETE/, {}],
    ['asks for the head of /metrics', GET.replace('GET /healthz', 'HEAD /metrics'), /200[\s\S]*\r\n\r\n$/, {}],
    ['says what is no HTTP is told so', '\u0016\u0003\u0001 hello\r\n\r\n', /400 Bad Request/, { 'bad-request': 1 }],
    ['says too much', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, /431/, { 'bad-request': 1 }],
  ]
  it.each(SAID)('and %s', async (_, said, answer, refused) => {
    const { health, dial } = await start()
    expect(await lastWords(await dial(said))).toMatch(answer)
    expect((await health()).refused).toEqual(refused)
  })

  it('that is a page of another origin is refused', async () => {
    const { url } = (await start()).master
    const page = new WebSocket(url, { origin: 'https://evil.example' })
    const [, response] = (await once(page, 'unexpected-response')) as [unknown, { statusCode: number }]
    expect(response.statusCode).toBe(403)
    page.on('error', () => {})
    page.terminate()
    await once(new WebSocket(url, { origin: url.replace('ws:', 'http:') }), 'open')
  })
})

describe('connections of one address', () => {
  it('are limited, in words, and those that end make room', async () => {
    const { health, dial, master } = await start({ connections: { perAddress: 2 } })
    const held = [await dial(), await dial()]
    expect(await lastWords(await dial())).toMatch(/503[\s\S]*expected at most 2 \(--max-connections-per-address\)/)
    const late = new WebSocket(master.url)
    const [error] = (await once(late, 'error')) as [Error]
    expect(error.message).toContain('503')
    for (const wire of held) wire.destroy()
    for (;;) {
      const { connections, refused } = await health().catch(() => ({ connections: 2, refused: {} }))
      if (connections > 1) continue
      expect(refused).toMatchObject({ 'too-many-connections': expect.any(Number) })
      break
    }
  })

  it('are told to come back when there are many strangers', async () => {
    const { master, open } = await start({ strangers: { connections: 1 } })
    const { socket: first } = await open()
    const second = new WebSocket(master.url)
    const [error] = (await once(second, 'error')) as [Error]
    expect(error.message).toContain('503')
    first.send(JSON.stringify(WORKER_HELLO))
    await once(first, 'message')
    await open()
  })
})

const paced: MasterOptions = {
  leastPace: { bytes: 2000, inMs: 100 },
  heartbeat: { intervalMs: 10, patience: 100, longPatience: 100 },
}
const [AREA] = WORKER_HELLO.areas
const emptyFragment = (first: number) => Buffer.from([first, 0x80, 0, 0, 0, 0])

/** What a peer does after its hello, if it says one; how it is closed, what it is counted as, and the line that says so. */
interface Hostile {
  readonly hello?: object
  readonly options?: MasterOptions
  readonly does: (peer: Peer) => void
  readonly closed: readonly [number, unknown]
  readonly refused: Readonly<Record<string, number>>
  readonly line?: RegExp
}
const HOSTILE: Readonly<Record<string, Hostile>> = {
  'says no hello': {
    options: { deadlines: { helloMs: 30 } },
    does: () => {},
    closed: [4000, expect.stringContaining('expected a hello within 0.03 s, got none')],
    refused: { 'no-hello': 1 },
  },
  // One message that stays below what a known peer may send, and is never whole.
  'says much before its hello': {
    does: ({ wire }) => wire.write(Buffer.concat([frameHeader(BINARY, 200 * 2 ** 20), Buffer.alloc(65 * 1024)])),
    closed: [4000, expect.stringContaining('expected a hello within its first 65536 bytes')],
    refused: { 'no-hello': 1 },
  },
  'says noise': {
    does: ({ socket }) => socket.send(Uint8Array.from({ length: 100 }, (_, i) => i)),
    closed: [4001, expect.stringContaining('binary frame')],
    refused: { 'bad-message': 1 },
  },
  'says text that is no JSON': {
    does: ({ socket }) => socket.send('hello?'),
    closed: [4001, expect.stringMatching(/./)],
    refused: { 'bad-message': 1 },
  },
  'is a worker of no threads': {
    does: ({ socket }) => socket.send(JSON.stringify({ ...WORKER_HELLO, areas: [{ ...AREA, threads: 0 }] })),
    closed: [4000, expect.stringContaining('unexpected message')],
    refused: { 'bad-message': 1 },
  },
  'speaks another protocol': {
    does: ({ socket }) => socket.send(JSON.stringify({ type: 'hello', role: 'worker', protocol: 99 })),
    closed: [4000, expect.stringContaining(`expected ${PROTOCOL_VERSION}, got 99`)],
    refused: { 'protocol-mismatch': 1 },
  },
  'drips a message': {
    hello: CLIENT_HELLO,
    options: paced,
    does: ({ wire }) => {
      wire.write(frameHeader(BINARY, 1e6))
      const drip = setInterval(() => wire.write('x'), 10)
      endings.push(() => clearInterval(drip))
    },
    closed: [1006, ''],
    refused: { 'too-slow': 1 },
    line: /refused a peer: it sent \d+ bytes in 0.1 s in the middle of a message/,
  },
  'sends a message of a size that nobody takes': {
    hello: WORKER_HELLO,
    does: ({ wire }) => wire.write(frameHeader(BINARY, 300 * 2 ** 20)),
    closed: [1009, ''],
    refused: { 'bad-message': 1 },
  },
  'sends a message that is longer than any it was asked for, and is not whole yet': {
    hello: WORKER_HELLO,
    does: ({ wire }) => wire.write(Buffer.concat([frameHeader(BINARY, 200 * 2 ** 20), Buffer.alloc(400 * 1024)])),
    closed: [4000, expect.stringContaining('a message of more than')],
    refused: { 'message-too-long': 1 },
  },
  'sends JSON that would take twenty times its size, if it were parsed': {
    hello: CLIENT_HELLO,
    does: ({ socket }) => socket.send(`[${'{},'.repeat(MAX_CONTROL_BYTES / 3)}{}]`),
    closed: [4001, expect.stringMatching(/bytes of JSON, expected at most 4194304/)],
    refused: { 'bad-message': 1 },
  },
  'sends fragments of nothing': {
    hello: CLIENT_HELLO,
    does: ({ wire }) =>
      wire.write(Buffer.concat([emptyFragment(0x01), ...Array.from({ length: 2000 }, () => emptyFragment(0x00))])),
    closed: [1008, expect.any(String)],
    refused: { 'bad-message': 1 },
  },
}

describe('a peer is closed, and counted, that', () => {
  it.each(Object.entries(HOSTILE))('%s', async (_, { hello, options, does, closed, refused, line }) => {
    const { master, health, open, lines } = await start(options)
    const peer = await open(hello)
    if (hello === WORKER_HELLO) expect(master.workers().map(({ name }) => name)).toEqual(['anna'])
    does(peer)
    expect(await closing(peer.socket)).toEqual(closed)
    expect(master.workers()).toEqual([])
    expect((await health()).refused).toEqual(refused)
    if (line) expect(lines.at(-1)).toMatch(line)
  })

  /** Answered by the names of all its parts. */
  const manifest: SceneManifest = {
    parts: scene.manifest.parts.flatMap(part =>
      part.kind === 'vertices'
        ? Array.from({ length: MAX_PARTS - scene.manifest.parts.length + 1 }, (_, i) => ({
            ...part,
            sha256: sha256(Uint8Array.of(i, i >> 8)),
          }))
        : [part],
    ),
  }
  const offer = Buffer.from(JSON.stringify({ type: 'offer-scene', scene: sceneName(manifest, sha256), manifest }))
  const offers = Buffer.concat(Array.from({ length: 10 }, () => [frameHeader(TEXT, offer.length), offer]).flat())
  it.each([
    ['reads one byte after the other', paced, /it read \d+ bytes in 0.1 s in the middle of a message/],
    ['is sent message after message, and reads none', {}, /it does not read: \d+ bytes of messages wait/],
  ] as [string, MasterOptions, RegExp][])('%s', async (_, options, words) => {
    const { health, open, lines } = await start(options)
    const { wire } = await open(CLIENT_HELLO)
    wire.pause()
    while (!(await health()).refused['too-slow']) if (!wire.writableNeedDrain) wire.write(offers)
    expect(lines.at(-1)).toMatch(new RegExp(`refused a peer: ${words.source}`))
  })
})

describe('a peer stays that', () => {
  it('is as slow as it may be', async () => {
    const { health, open } = await start({ ...paced, leastPace: { bytes: 100, inMs: 100 } })
    const { socket, wire } = await open(CLIENT_HELLO)
    // Ten times as fast as it has to be, as this machine may be slow; the message takes three times the time.
    const slice = Buffer.alloc(100, ' ')
    const slices = 30
    const offer = JSON.stringify({ type: 'offer-scene', scene: scene.hash, manifest: scene.manifest })
    wire.write(frameHeader(TEXT, slices * slice.length + offer.length))
    let sent = 0
    await new Promise<void>(resolve => {
      const drip = setInterval(() => {
        wire.write(slice)
        if (++sent < slices) return
        clearInterval(drip)
        resolve()
      }, 10)
    })
    wire.write(offer)
    const [answer] = (await once(socket, 'message')) as [Buffer]
    expect(JSON.parse(answer.toString())).toMatchObject({ type: 'parts-wanted' })
    expect((await health()).refused).toEqual({})
  })

  it('floods with pings, and reads no answer, without filling the memory with answers', async () => {
    const { open, health } = await start()
    const { wire } = await open(CLIENT_HELLO)
    wire.pause()
    const ping = Buffer.concat([Buffer.from([0x89, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125)])
    const pings = Buffer.concat(Array.from({ length: 5000 }, () => ping))
    const before = process.memoryUsage.rss()
    // 190 MB of answers; nothing of them is ever read.
    for (let i = 0; i < 300; i++) if (!wire.write(pings)) await once(wire, 'drain')
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 2 ** 20)
    expect((await health()).connections).toBeGreaterThan(1)
  })
})
