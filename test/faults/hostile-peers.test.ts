/** Peers that hold, drip and flood: each is closed with a reason, and counted; nobody else notices. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Master, startMaster } from '../../master/main.ts'
import type { MasterOptions } from '../../master/options.ts'
import { MAX_CONTROL_BYTES } from '../../shared/protocol/peer-limits.ts'
import { PROTOCOL_VERSION } from '../../shared/protocol/version.ts'
import type { Log } from '../../shared/text/log.ts'
import { scene } from '../support/session.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

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
  const open = async (hello?: object) => {
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

/** What a connection said until it was closed. */
async function lastWords(wire: Socket): Promise<string> {
  let text = ''
  wire.on('data', chunk => {
    text += chunk
  })
  await once(wire, 'close')
  return text
}

const closing = async (socket: WebSocket): Promise<[number, string]> => {
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
  return [code, reason.toString()]
}

const client = { type: 'hello', role: 'client', protocol: PROTOCOL_VERSION, encodings: ['raw'] }
const worker = {
  type: 'hello',
  role: 'worker',
  protocol: PROTOCOL_VERSION,
  name: 'anna',
  encodings: ['raw'],
  holds: [],
  areas: [{ engine: 'wasm', kernel: 'k', threads: 1, speed: 1, clock: 'cpu', grain: { rows: 8 } }],
}

/** The header of a masked frame of a client, RFC 6455 §5.2, with a mask of zeros. */
function frameHeader(first: number, bytes: number): Buffer {
  const header = Buffer.alloc(14)
  header[0] = first
  header[1] = 0xff
  header.writeBigUInt64BE(BigInt(bytes), 2)
  return header
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

  it('has one answer, without a reason to stay', async () => {
    const { health, dial } = await start()
    const get = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
    const text = await lastWords(await dial(get + get))
    expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(1)
    expect(text).toMatch(/connection: close/i)
    const posted = await lastWords(
      await dial('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000000\r\n\r\nabc'),
    )
    expect(posted).toContain('404')
    expect((await health()).refused).toEqual({})
  })

  it('and says what is no HTTP is told so, and counted', async () => {
    const { health, dial } = await start()
    expect(await lastWords(await dial('\u0016\u0003\u0001 hello\r\n\r\n'))).toContain('400 Bad Request')
    const header = `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`
    expect(await lastWords(await dial(header))).toContain('431')
    expect((await health()).refused).toEqual({ 'bad-request': 2 })
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
})

describe('a slow peer', () => {
  const leastPace = { bytes: 2000, inMs: 100 }
  const heartbeat = { intervalMs: 10, patience: 100, longPatience: 100 }

  it('that drips a message is dropped, with a reason', async () => {
    const { health, open, lines } = await start({ leastPace, heartbeat })
    const { socket, wire } = await open(client)
    wire.write(frameHeader(0x82, 1e6))
    const drip = setInterval(() => wire.write('x'), 10)
    endings.push(() => clearInterval(drip))
    expect(await closing(socket)).toEqual([1006, ''])
    expect((await health()).refused).toEqual({ 'too-slow': 1 })
    expect(lines.at(-1)).toMatch(/refused a peer: it sent \d+ bytes in 0.1 s in the middle of a message/)
  })

  it('that reads one byte after the other is dropped, with a reason', async () => {
    const { health, open, lines } = await start({ leastPace, heartbeat })
    const { wire } = await open(client)
    wire.pause()
    // Each offer of a scene that is there already is answered twice, and nothing is ever read.
    const manifest = scene.manifest
    const offer = Buffer.from(JSON.stringify({ type: 'offer-scene', scene: scene.hash, manifest }))
    const frame = Buffer.concat([frameHeader(0x81, offer.length), offer])
    const offers = Buffer.concat(Array.from({ length: 100 }, () => frame))
    while (!(await health()).refused['too-slow']) if (!wire.writableNeedDrain) wire.write(offers)
    expect(lines.at(-1)).toMatch(/refused a peer: it read \d+ bytes in 0.1 s in the middle of a message/)
  })

  it('that does not read at all while it is sent message after message is dropped, with a reason', async () => {
    const { health, open, lines } = await start()
    const { wire } = await open(client)
    wire.pause()
    const offer = Buffer.from(JSON.stringify({ type: 'offer-scene', scene: scene.hash, manifest: scene.manifest }))
    const frame = Buffer.concat([frameHeader(0x81, offer.length), offer])
    const offers = Buffer.concat(Array.from({ length: 1000 }, () => frame))
    while (!(await health()).refused['too-slow']) if (!wire.writableNeedDrain) wire.write(offers)
    expect(lines.at(-1)).toMatch(/refused a peer: it does not read: \d+ bytes of messages wait/)
  })

  it('that is as fast as it has to be stays', async () => {
    const { health, open } = await start({ leastPace: { bytes: 100, inMs: 100 }, heartbeat })
    const { socket, wire } = await open(client)
    // Ten times as fast as it has to be, as this machine may be slow; the message takes three times the time.
    const slice = Buffer.alloc(100, ' ')
    const slices = 30
    const offer = JSON.stringify({ type: 'offer-scene', scene: scene.hash, manifest: scene.manifest })
    wire.write(frameHeader(0x81, slices * slice.length + offer.length))
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
})

describe('a peer that floods', () => {
  it('with pings, and reads no answer, does not fill the memory with answers', async () => {
    const { open, health } = await start()
    const { wire } = await open(client)
    wire.pause()
    const ping = Buffer.concat([Buffer.from([0x89, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125)])
    const pings = Buffer.concat(Array.from({ length: 5000 }, () => ping))
    const before = process.memoryUsage.rss()
    // 190 MB of answers; nothing of them is ever read.
    for (let i = 0; i < 300; i++) if (!wire.write(pings)) await once(wire, 'drain')
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 2 ** 20)
    expect((await health()).connections).toBeGreaterThan(1)
  })

  it('with a message that is longer than any it was asked for is closed before that is whole', async () => {
    const { open, health, master } = await start()
    const { socket, wire } = await open(worker)
    wire.write(frameHeader(0x82, 200 * 2 ** 20))
    wire.write(Buffer.alloc(400 * 1024))
    expect(await closing(socket)).toEqual([4000, expect.stringContaining('a message of more than')])
    expect(master.workers()).toEqual([])
    expect((await health()).refused).toEqual({ 'message-too-long': 1 })
  })

  it('with JSON that would take twenty times its size is closed before it is parsed', async () => {
    const { open, health } = await start()
    const { socket } = await open(client)
    socket.send(`[${'{},'.repeat(MAX_CONTROL_BYTES / 3)}{}]`)
    expect(await closing(socket)).toEqual([4001, expect.stringMatching(/bytes of JSON, expected at most 4194304/)])
    expect((await health()).refused).toEqual({ 'bad-message': 1 })
  })

  it('with fragments of nothing is closed', async () => {
    const { open, health } = await start()
    const { socket, wire } = await open(client)
    const empty = Buffer.from([0x00, 0x80, 0, 0, 0, 0])
    wire.write(Buffer.concat([Buffer.from([0x01, 0x80, 0, 0, 0, 0]), ...Array.from({ length: 2000 }, () => empty)]))
    expect((await closing(socket))[0]).toBe(1008)
    expect((await health()).refused).toEqual({ 'bad-message': 1 })
  })
})
