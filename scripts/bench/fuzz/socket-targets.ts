/**
 * A real master and a real worker behind real sockets. Inputs for the master are whole connections, from the first byte of the
 * HTTP request on; the worker dials a master that is the fuzzer. Afterwards both have to render a frame together, as before.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Master, startMaster } from '../../../master/main.ts'
import { SOCKET_OPTIONS } from '../../../shared/protocol/node/websocket-channel.ts'
import { film } from '../../../shared/session/session.ts'
import { silentLog } from '../../../shared/text/log.ts'
import { runWorker } from '../../../worker/main.ts'
import { RefusedError } from '../../../worker/session.ts'
import type { Dice } from './dice.ts'
import { CAMERA, ORDER, SCENE } from './ground.ts'
import { hostile } from './harm.ts'
import { harmedBytes, joined } from './mutations.ts'
import { FROM_CLIENT, FROM_WORKER, isBinary, TO_WORKER, wireOf } from './scripts.ts'
import { Fault, type Wire } from './tape.ts'
import type { Target } from './target.ts'

export interface Sockets {
  readonly targets: readonly Target[]
  /** Renders a frame. Rejects with Fault if it is not as it was the first time, or cannot be rendered. */
  check(): Promise<void>
  close(): Promise<void>
}

export async function openSockets(): Promise<Sockets> {
  // Connections that the system has not forgotten yet count, too.
  const master = await startMaster({ listen: '127.0.0.1:0', connections: { total: 4096, perAddress: 4096 } }, silentLog)
  const impostor = await startImpostor()
  const stop = new AbortController()
  // Each input costs it its master: with its usual pauses, a thousand inputs would take half an hour.
  const pauses = { first: 1, factor: 1, most: 1 }
  const work = async (): Promise<void> => {
    const options = { master: impostor.url, engine: 'reference', name: 'fuzz', pauses } as const
    while (!stop.signal.aborted)
      await runWorker(options, silentLog, stop.signal).catch(error => {
        // The master may send it away: the next one is hired.
        if (!(error instanceof RefusedError)) throw error
      })
  }
  const worker = work()
  let first: string | undefined
  return {
    targets: [masterTarget(master), impostor.target],
    async check() {
      // The worker that the fuzzer has had so far.
      const back = await impostor.lendTo(master.url)
      try {
        const sha = await frameOf(master)
        first ??= sha
        if (sha !== first) throw new Fault('a frame has other pixels than before')
      } finally {
        back()
      }
    },
    async close() {
      stop.abort()
      await Promise.allSettled([worker])
      await impostor.close()
      await master.close()
    },
  }
}

/** The SHA-256 of a frame's pixels. */
async function frameOf(master: Master): Promise<string> {
  const hash = createHash('sha256')
  const { channels: _, ...order } = { ...ORDER, progressive: false, waitMs: 10_000 }
  await master.run(
    order,
    SCENE,
    film([{ frame: 0, camera: CAMERA }]),
    { started: () => {}, status: () => {}, frame: (_, pixels) => void hash.update(pixels) },
    new AbortController().signal,
  )
  return hash.digest('hex')
}

const UPGRADE =
  'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
const REQUESTS = [
  UPGRADE,
  'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
  'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello',
  'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  UPGRADE.replace('\r\n\r\n', '\r\nOrigin: https://evil.example\r\n\r\n'),
  UPGRADE.replace('\r\n\r\n', '\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n'),
]

function masterTarget(master: Master): Target {
  const port = Number(new URL(master.url).port)
  return {
    name: 'a real master',
    share: 1.5,
    waits: true,
    async play(dice) {
      const wire = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      let heard = ''
      wire.on('data', (chunk: Buffer) => {
        if (heard.length < 4096) heard += chunk.toString('latin1')
      })
      // A connection that is reset was refused.
      wire.on('error', () => {})
      const closed = once(wire, 'close')
      wire.end(connectionOf(dice))
      await closed
      const status = /^HTTP\/1\.1 (\d+)/.exec(heard)?.[1] ?? 'reset'
      const code = /"type":"goodbye","code":"([A-Z_]+)"/.exec(heard)?.[1]
      if (code === 'INTERNAL' || code === 'INVARIANT' || status === '500')
        throw new Fault(`the master answered: ${heard}`)
      return code ?? status
    },
  }
}

/** Everything that a peer sends over one connection. */
function connectionOf(dice: Dice): Uint8Array {
  const encoder = new TextEncoder()
  if (dice.chance(0.3)) {
    const request = encoder.encode(dice.pick(REQUESTS))
    return dice.chance(0.8) ? harmedBytes(request, dice) : joined(request, encoder.encode(dice.pick(REQUESTS)))
  }
  const script = dice.chance(0.5) ? FROM_WORKER : FROM_CLIENT
  const frames = hostile(script, dice).map(message => frameOfMessage(message, dice))
  return joined(encoder.encode(UPGRADE), ...frames)
}

/** A masked WebSocket frame (RFC 6455 §5.2), now and then a wrong one. */
function frameOfMessage(message: Wire, dice: Dice): Uint8Array {
  const body = typeof message === 'string' ? new TextEncoder().encode(message) : message
  const header = new Uint8Array(14)
  header[0] = typeof message === 'string' ? 0x81 : 0x82
  header[1] = 0xff
  const length = dice.chance(0.05)
    ? dice.pick([0, body.length - 1, body.length + 1, 2 ** 28 + 1, 2 ** 40])
    : body.length
  new DataView(header.buffer).setBigUint64(2, BigInt(Math.max(0, length)))
  // A fragment, a control frame, a reserved bit; or a ping in between.
  if (dice.chance(0.05)) header[0] = dice.pick([0x00, 0x01, 0x02, 0x80, 0x88, 0x89, 0x8a, 0x83, 0xc1, 0xf2])
  const frame = joined(header, body)
  return dice.chance(0.03) ? harmedBytes(frame, dice) : frame
}

/** A master that is the fuzzer, and can be the way to another. */
async function startImpostor() {
  const server = createServer()
  const sockets = new WebSocketServer({ server, ...SOCKET_OPTIONS })
  const wires = new Set<Socket>()
  let lentTo: URL | undefined
  let visitor: WebSocket | undefined
  let came = () => {}
  // In the place of what Node.js does with a connection, if it is to go elsewhere.
  const listeners = server.listeners('connection') as ((wire: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (wire: Socket) => {
    wires.add(wire)
    wire.on('error', () => {}).once('close', () => wires.delete(wire))
    if (!lentTo) for (const listener of listeners) listener.call(server, wire)
    else {
      const far = connect(Number(lentTo.port), lentTo.hostname)
      far.on('error', () => wire.destroy()).once('close', () => wire.destroy())
      wire.once('close', () => far.destroy())
      wire.pipe(far).pipe(wire)
    }
  })
  sockets.on('connection', socket => {
    socket.on('error', () => {})
    socket.once('message', () => {
      visitor = socket
      came()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  /** The worker, when it has said hello. */
  const worker = async (): Promise<WebSocket> => {
    while (!visitor || visitor.readyState !== visitor.OPEN)
      await new Promise<void>(resolve => {
        came = resolve
      })
    const socket = visitor
    visitor = undefined
    return socket
  }
  let turn: Promise<unknown> = Promise.resolve()
  const target: Target = {
    name: 'a real worker',
    share: 0.5,
    waits: true,
    // There is one worker: inputs wait for it.
    play(dice) {
      const played = turn.then(() => playFor(worker, dice))
      turn = played.catch(() => {})
      return played
    },
  }
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target,
    async lendTo(url: string) {
      lentTo = new URL(url)
      for (const wire of wires) wire.destroy()
      return () => {
        lentTo = undefined
        for (const wire of wires) wire.destroy()
      }
    },
    async close() {
      sockets.close()
      server.closeAllConnections()
      for (const wire of wires) wire.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** It has the scene, and asks for none of its parts. Asked to leave, it would, and be missing to the inputs after that. */
const ORDERS = TO_WORKER.slice(2, -1).filter(said => !isBinary(said) && said.type !== 'leave')

async function playFor(worker: () => Promise<WebSocket>, dice: Dice): Promise<string> {
  const socket = await worker()
  const closed = once(socket, 'close') as Promise<[number, Buffer]>
  // Welcome first: a worker that has not been welcome waits before it dials again.
  socket.send(wireOf(TO_WORKER[1]!))
  const messages = hostile(ORDERS, dice)
  for (const message of messages) socket.send(message)
  // An answer to a ping comes after what was said before has been read.
  socket.ping()
  await Promise.race([closed, once(socket, 'pong')])
  socket.terminate()
  const [code, reason] = await closed
  return code === 4001 ? `BAD_MESSAGE${/unexpected token|JSON/i.test(String(reason)) ? ' (no JSON)' : ''}` : 'taken'
}
