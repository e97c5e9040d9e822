/** Whoever reaches the master's port and is no worker or client: bounded before it is believed, and refused in words. */
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Master, startMaster } from '../../master/main.ts'
import type { MasterOptions } from '../../master/options.ts'
import { PROTOCOL_VERSION } from '../../shared/protocol/version.ts'
import { silentLog } from '../../shared/text/log.ts'

let master: Master | undefined
afterEach(() => master?.close())

const listen = async (options: MasterOptions = {}): Promise<string> => {
  master = await startMaster({ listen: '127.0.0.1:0', ...options }, silentLog)
  return master.url
}

const closing = async (socket: WebSocket): Promise<[number, string]> => {
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
  return [code, reason.toString()]
}

const hello = {
  type: 'hello',
  role: 'worker',
  protocol: PROTOCOL_VERSION,
  name: 'anna',
  areas: [{ engine: 'wasm', kernel: 'k', threads: 1, speed: 1, clock: 'cpu', grain: { rows: 8 } }],
  encodings: ['raw'],
  holds: [],
}

/** The header of one masked binary frame, RFC 6455 §5.2, that promises so many bytes. */
const frameHeader = (bytes: number): Buffer => {
  const header = Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  header.writeBigUInt64BE(BigInt(bytes), 2)
  return header
}

describe('a stranger', () => {
  it('may not send much before its hello', async () => {
    const socket = new WebSocket(await listen(), { perMessageDeflate: false })
    // One message that stays below what a known peer may send, and is never whole.
    socket.on('upgrade', ({ socket: wire }) => {
      socket.once('open', () => {
        wire.write(frameHeader(200 * 2 ** 20))
        wire.write(Buffer.alloc(65 * 1024))
      })
    })
    expect(await closing(socket)).toEqual([
      4000,
      expect.stringContaining('expected a hello within its first 65536 bytes'),
    ])
  })

  it('may not keep the master waiting', async () => {
    const socket = new WebSocket(await listen({ deadlines: { helloMs: 30 } }))
    expect(await closing(socket)).toEqual([4000, expect.stringContaining('expected a hello within 0.03 s, got none')])
  })

  it('is told to come back when there are many of them', async () => {
    const url = await listen({ strangers: { connections: 1 } })
    const first = new WebSocket(url)
    await once(first, 'open')
    const second = new WebSocket(url)
    const [error] = (await once(second, 'error')) as [Error]
    expect(error.message).toContain('503')
    first.send(JSON.stringify(hello))
    await once(first, 'message')
    await once(new WebSocket(url), 'open')
  })

  it('that is a page of another origin gets no connection', async () => {
    const url = await listen()
    const page = new WebSocket(url, { origin: 'https://evil.example' })
    const [, response] = (await once(page, 'unexpected-response')) as [unknown, Duplex & { statusCode: number }]
    expect(response.statusCode).toBe(403)
    page.on('error', () => {})
    page.terminate()
    await once(new WebSocket(url, { origin: url.replace('ws:', 'http:') }), 'open')
  })
})

it('a worker that sends a message of a size that nobody takes has left, in words', async () => {
  const url = await listen()
  const socket = new WebSocket(url, { perMessageDeflate: false })
  let wire: Duplex | undefined
  socket.on('upgrade', response => {
    wire = response.socket
  })
  await once(socket, 'open')
  socket.send(JSON.stringify(hello))
  await once(socket, 'message')
  expect(master?.workers().map(worker => worker.name)).toEqual(['anna'])
  wire?.write(frameHeader(300 * 2 ** 20))
  expect(await closing(socket)).toEqual([1009, ''])
  expect(master?.workers()).toEqual([])
})
