/**
 * Connections that stop in the middle of what they have to do before their hello, in every phase of it, with and without TLS. None of
 * their clients reads, or closes its own end. The master is rid of each: it holds no descriptor of theirs, and no place.
 */
import { once } from 'node:events'
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Master, startMaster } from '../../master/main.ts'
import type { MasterOptions } from '../../master/options.ts'
import { silentLog } from '../../shared/text/log.ts'
import { WORKER_HELLO } from '../support/bare-peer.ts'
import { TLS } from '../support/tls.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

/** What a TLS client says first. */
const clientHello = (): Promise<Buffer> =>
  new Promise(resolve => {
    const wire = new Duplex({ read: () => {}, write: chunk => resolve(chunk) })
    connectTls({ socket: wire, ca: TLS.cert }).on('error', () => {})
  })

async function start(options: MasterOptions) {
  const master: Master = await startMaster({ listen: '127.0.0.1:0', ...options }, silentLog)
  endings.push(() => master.close())
  const isTls = options.tls !== undefined
  const port = Number(new URL(master.url).port)
  const dial = (said?: Buffer | string): void => {
    // Does not read, and leaves its half open.
    const wire = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    endings.push(() => wire.destroy())
    wire.on('error', () => {})
    if (said !== undefined) wire.write(said)
  }
  /** After the handshake of TLS, if there is one. */
  const say = (said: string): void => {
    if (!isTls) return dial(said)
    const line = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
    const wire = connectTls({ socket: line, host: '127.0.0.1', ca: TLS.cert }, () => wire.write(said))
    endings.push(() => line.destroy())
    wire.on('error', () => {})
  }
  const upgrade = (): void => {
    const socket = new WebSocket(master.url, { ca: TLS.cert, autoPong: false })
    endings.push(() => socket.terminate())
    socket.on('upgrade', ({ socket: wire }: { socket: Socket }) => wire.pause())
    socket.on('error', () => {})
  }
  const health = () =>
    new Promise<{ connections: number; refused: Record<string, number> } | undefined>(resolve => {
      const url = `${isTls ? 'https' : 'http'}://127.0.0.1:${port}/healthz`
      const request = isTls ? getHttps(url, { ca: TLS.cert, agent: false }) : getHttp(url, { agent: false })
      request.on('error', () => resolve(undefined))
      request.on('response', async response => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve(response.statusCode === 200 ? JSON.parse(text) : undefined)
      })
    })
  /** Resolves when nobody is connected but whoever asks. */
  const alone = async () => {
    for (;;) {
      const said = await health()
      if (said?.connections === 1) return said
    }
  }
  return { master, dial, say, upgrade, health, alone }
}

async function joins(master: Master): Promise<void> {
  for (let isWelcome = false; !isWelcome; ) {
    const socket = new WebSocket(master.url, { ca: TLS.cert })
    endings.push(() => socket.terminate())
    await once(socket, 'open')
    socket.send(JSON.stringify(WORKER_HELLO))
    const { type, code } = JSON.parse(String((await once(socket, 'message'))[0])) as { type: string; code?: string }
    isWelcome = type === 'welcome'
    // A busy machine may not read its hello in time.
    if (!isWelcome) expect(code).toBe('NO_HELLO')
  }
  expect(master.workers().map(({ name }) => name)).toEqual(['anna'])
}

/** Sockets of this process, whose other ends are here, too. */
const sockets = (): number => process.getActiveResourcesInfo().filter(kind => /^TCPSocket|^TLS/.test(kind)).length

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n'
/** To open a WebSocket from a page of elsewhere. */
const UNWELCOME = `${REQUEST}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nOrigin: https://elsewhere.example\r\n\r\n`
/** Of each kind. All together are more than one address may have. */
const COUNT = 80

const soon = { connections: { upgradeMs: 300 }, deadlines: { helloMs: 300 } }

describe.each([
  ['with TLS', { tls: TLS }],
  ['without TLS', {}],
])('connections that stop half way, %s', (_, access) => {
  it('keep neither descriptors nor places', async () => {
    const { master, dial, say, upgrade, alone } = await start({ ...soon, ...access })
    const hello = await clientHello()
    const kinds = [
      () => dial(),
      () => dial(hello.subarray(0, hello.length / 2)),
      () => dial(hello),
      () => dial(REQUEST),
      () => say(REQUEST),
      () => say(`${REQUEST}\r\n`),
      () => say(UNWELCOME),
      () => upgrade(),
    ]
    const before = sockets()
    for (let i = 0; i < COUNT; i++) for (const begin of kinds) begin()
    await alone()
    for (const end of endings.splice(1).reverse()) await end()
    while (sockets() > before) await new Promise(resolve => setImmediate(resolve))
    await joins(master)
  })

  it('make room for others of their address, and of other addresses, when they have had a while', async () => {
    const { master, dial, upgrade, health } = await start({ ...access, connections: { total: 8, perAddress: 4 } })
    for (let i = 0; i < 4; i++) dial()
    upgrade()
    // The limits are those of minutes; only newcomers end them.
    while ((await health()) === undefined);
    await joins(master)
  })
})

it('a connection without TLS to a master that has it ends at once, and is counted', async () => {
  const { master, health } = await start({ tls: TLS })
  const wire = connect(Number(new URL(master.url).port), '127.0.0.1')
  wire.write(REQUEST)
  await once(wire.resume(), 'close')
  expect(await health()).toMatchObject({ connections: 1, refused: { 'no-tls': 1 } })
})

it('a master that closes ends them, too', async () => {
  const { master, dial } = await start({ tls: TLS })
  for (let i = 0; i < 10; i++) dial()
  // Resolves when the last of them is gone.
  await master.close()
})
