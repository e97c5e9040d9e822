/** A channel over a `ws` socket. Malformed messages close the connection here and are not passed on. */
import type { Socket } from 'node:net'
import { type RawData, WebSocket } from 'ws'
import type { MasterAccess } from '../../access/node/master-access.ts'
import { BufferPool } from '../../buffer-pool.ts'
import { messageOf } from '../../errors.ts'
import { parseJsonBytes } from '../../text/bounded-json.ts'
import { printable } from '../../text/printable.ts'
import { atOnce, type Steps } from '../../time/steps.ts'
import { TimeSlices } from '../../time/time-slices.ts'
import {
  type Channel,
  type ChannelHandlers,
  CLOSE_CODES,
  type ControlMessage,
  TOO_LARGE,
  type Traffic,
} from '../channel.ts'
import { type BinaryMessage, decodeBinary, encodeBinarySteps } from '../codec.ts'
import { CLOSE_GRACE_MS } from '../deadlines.ts'
import { EncodedChunks } from '../encoded-chunks.ts'
import { MAX_FRAGMENTS, MAX_ORDER_BYTES, MAX_UNSENT_BYTES, PONG_ROOM_BYTES } from '../peer-limits.ts'
import { ProtocolError } from '../protocol-error.ts'
import type { Pace } from '../slow-peers.ts'
import { MAX_MESSAGE_BYTES } from '../version.ts'

/**
 * Options of every socket of the project, at either end. Pings are answered by the channel, which knows what waits to be sent. A
 * connection that one end closes is destroyed soon, whether or not the other end reads or answers.
 */
export const SOCKET_OPTIONS = {
  perMessageDeflate: false,
  maxPayload: MAX_MESSAGE_BYTES,
  maxFragments: MAX_FRAGMENTS,
  autoPong: false,
  closeTimeout: CLOSE_GRACE_MS,
} as const

/** Opens a client's end. The socket may still be connecting; call `listen` before awaiting anything. */
export function dial(url: string, handshakeTimeoutMs: number, { token, tls }: MasterAccess = {}): WebSocket {
  return new WebSocket(url, {
    ...SOCKET_OPTIONS,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    // Neither environment variables nor flags of Node.js make this weaker.
    ...(url.startsWith('wss:') ? { ...tls, rejectUnauthorized: true, minVersion: 'TLSv1.2' } : {}),
    handshakeTimeout: handshakeTimeoutMs,
    // Masking protects proxies from hostile browser content and would cost most of a tile's transmission; zeros switch it off.
    generateMask: mask => mask.fill(0),
  })
}

/** Send buffers of binary messages, shared by all channels of the process. */
const BUFFERS = new BufferPool()
/** Chunks of scenes that are sent to many. */
const CHUNKS = new EncodedChunks()
/** Of the events of all channels. */
const TURNS = new TimeSlices(
  () => performance.now(),
  turn => void setImmediate(turn),
)

/** What it uses of the connection under a socket. */
type Wire = Pick<Socket, 'bytesRead' | 'bytesWritten' | 'writableLength' | 'on' | 'pause' | 'cork' | 'uncork'>

/** Size of an empty frame sent by a server and by a client (RFC 6455 §5.2). */
const HEAD_BYTES = { fromServer: 2, fromClient: 6 } as const

/** Close code of the WebSocket protocol itself (RFC 6455 §7.4.1). */
const CONNECTION_LOST = 1006

/** A message on its way into a buffer. */
interface Packing {
  readonly steps: Steps<Uint8Array<ArrayBuffer>>
  packed(bytes: Uint8Array<ArrayBuffer>): void
}

export class WebSocketChannel implements Channel {
  readonly #socket: WebSocket
  readonly #isServer: boolean
  /** The connection under the socket; a client's is known once the handshake is complete. */
  #wire: Wire | undefined
  #handlers: ChannelHandlers | undefined
  #pinged: (payload: Uint8Array) => void = () => {}
  /** Whether this end pings, and the newest ping of the peer's that is not answered. */
  #pings = false
  #unanswered: Buffer | undefined
  /** Set once `closed` has been reported, or is about to be. */
  #over = false
  /** Events that wait for their turn. */
  #waiting = 0
  /** Whether the handler of a message is not done with it, and the events that wait for that. */
  #isHeld = false
  readonly #held: (() => void)[] = []
  #isPaused = false
  /** Whether a message was longer than the limit, and is not read to its end. */
  #isTooLong = false
  #messages = 0
  #bytes = 0
  /** Bytes of received pings and pongs. */
  #signBytes = 0
  /** Bytes received, as the socket sees them: over TLS the wire counts more. */
  #arrived = 0
  /** Complete messages received, what had arrived with the last one, and whether that is still to be noted. */
  #taken = 0
  #arrivedBefore = 0
  #tookSome = false
  /** When the first bytes of the message under way came, ms; undefined if none have. */
  #begunAt: number | undefined
  #packing: Packing | undefined
  /** Bytes of control messages that the system has not accepted. */
  #unsentBytes = 0
  readonly #mostControlBytes: number
  #limit: { readonly most: () => number; readonly exceeded: (bytes: number) => void } | undefined
  /** The wire's counters at the last call of `heardSince`. */
  #before = { read: 0, sent: 0, unsent: 0 }

  /**
   * Wraps a socket and takes ownership of it.
   * @param wire the connection under it; not needed for a socket from `dial` that is still connecting
   * @param mostControlBytes the largest JSON message that is parsed
   */
  constructor(socket: WebSocket, wire?: Wire, mostControlBytes: number = MAX_ORDER_BYTES) {
    this.#socket = socket
    this.#isServer = wire !== undefined
    this.#mostControlBytes = mostControlBytes
    socket.binaryType = 'nodebuffer'
    if (wire) this.#runOver(wire)
    else socket.once('upgrade', response => this.#runOver(response.socket))
    const headBytes = wire ? HEAD_BYTES.fromClient : HEAD_BYTES.fromServer
    const countSign = ({ length }: Buffer) => {
      this.#signBytes += headBytes + length
    }
    socket.on('ping', countSign).on('pong', countSign)
    socket.on('ping', data => {
      // Each write costs a call of the system, and a master with a thousand peers does little else while they trace. An answer is
      // late by at most an interval of the peer's own: its next ping does not wait for company, too.
      const waits = this.#isServer && this.#pings && this.#unanswered === undefined
      this.#unanswered = data
      if (!waits) this.#pong()
      if (!this.#over) this.#pinged(data)
    })
    socket.on('error', (error: Error & { code?: string }) => {
      // Lost connections also emit 'close'. A message that violates the WebSocket protocol or is too large has been answered with
      // a close frame, to which some peers are slow to respond.
      if (error.code?.startsWith('WS_ERR')) this.#end(TOO_LARGE, tooLarge('the other end sent', error.message))
    })
  }

  listen(handlers: ChannelHandlers): void {
    this.#handlers = handlers
    this.#socket.on('message', (data, isBinary) => {
      if (this.#over) return
      const bytes = bytesOf(data)
      this.#count(bytes.length)
      this.#taken++
      this.#tookSome = true
      this.#inTurn(() => {
        try {
          if (!isBinary) return handlers.control(this.#parse(bytes))
          const handled = handlers.binary(decodeBinary(bytes))
          if (handled instanceof Promise) this.#holdUntil(handled)
        } catch (error) {
          this.#refuse(error)
        }
      })
    })
    this.#socket.on('close', (code, reason) =>
      this.#inTurn(() => this.#end(code, printable(reason.toString()) || wordsFor(code))),
    )
  }

  send(message: ControlMessage): void {
    this.#packNow()
    if (this.#socket.readyState !== WebSocket.OPEN) return
    const text = JSON.stringify(message)
    const length = Buffer.byteLength(text)
    this.#count(length)
    this.#unsentBytes += length
    this.#socket.send(text, () => {
      this.#unsentBytes -= length
    })
    if (this.#unsentBytes > MAX_UNSENT_BYTES)
      this.drop(`it does not read: ${this.#unsentBytes} bytes of messages wait, expected at most ${MAX_UNSENT_BYTES}`)
  }

  sendBinary(message: BinaryMessage): Promise<void> {
    this.#packNow()
    if (this.#socket.readyState !== WebSocket.OPEN) return Promise.resolve()
    // Frames of a server are not masked, so that several sockets can send the same bytes.
    if (this.#isServer && message.kind === 'part-chunk') {
      const chunk = CHUNKS.take(message)
      return this.#sendBytes(chunk.bytes).then(() => CHUNKS.give(chunk))
    }
    return new Promise(resolve => {
      const packed = (bytes: Uint8Array<ArrayBuffer>) =>
        this.#sendBytes(bytes).then(() => {
          BUFFERS.give(bytes)
          resolve()
        })
      this.#packing = { steps: encodeBinarySteps(message, length => BUFFERS.take(length)), packed }
      this.#packOn(this.#packing)
    })
  }

  /** Packs a large message in steps, between which others have turns. */
  #packOn(packing: Packing): void {
    if (packing !== this.#packing) return
    const step = packing.steps.next()
    if (!step.done) return void setImmediate(() => this.#packOn(packing))
    this.#packing = undefined
    packing.packed(step.value)
  }

  /** What is sent next must not overtake a message that is being packed. */
  #packNow(): void {
    const packing = this.#packing
    this.#packing = undefined
    packing?.packed(atOnce(packing.steps))
  }

  /** Resolves when they have been handed to the system, and everybody else has had a turn: one that reads fast would get them all. */
  #sendBytes(bytes: Uint8Array): Promise<void> {
    this.#count(bytes.length)
    return new Promise(resolve => this.#socket.send(bytes, () => setImmediate(resolve)))
  }

  get traffic(): Traffic {
    return { messages: this.#messages, bytes: this.#bytes }
  }

  get received(): number {
    return (this.#wire?.bytesRead ?? 0) - this.#signBytes
  }

  get messageBegan(): number | undefined {
    return this.#begunAt
  }

  get pace(): Pace {
    const { bytesWritten = 0, writableLength = 0 } = this.#wire ?? {}
    const arrived = this.#arrived - this.#signBytes
    const underWay = Math.max(0, arrived - this.#arrivedBefore)
    return { messages: this.#taken, arrived, underWay, sent: bytesWritten - writableLength, unsent: writableLength }
  }

  /**
   * Stops reading as soon as a message under way is longer than `most()`, and calls `exceeded` once. Headers of messages are
   * counted, so `most` needs some room.
   */
  limitMessages(most: () => number, exceeded: (bytes: number) => void): void {
    this.#limit = { most, exceeded }
  }

  close(code: number, reason: string): void {
    this.#packNow()
    const socket = this.#socket
    if (socket.readyState === WebSocket.OPEN) {
      // A close frame holds at most 123 bytes of reason.
      const short = Buffer.from(reason)
        .subarray(0, 120)
        .toString()
        .replace(/\uFFFD+$/, '')
      socket.close(code, short)
    } else if (socket.readyState === WebSocket.CONNECTING) socket.terminate()
    this.#end(code, reason)
  }

  terminate(reason = ''): void {
    this.#socket.terminate()
    this.#end(CONNECTION_LOST, reason)
  }

  /** Drops a peer that sends or reads too slowly. */
  drop(reason: string): void {
    this.#socket.terminate()
    this.#end(CLOSE_CODES.tooSlow, reason)
  }

  ping(payload?: Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    this.#pings = true
    this.#wire?.cork()
    if (this.#unanswered) this.#pong()
    this.#socket.ping(payload)
    this.#wire?.uncork()
  }

  onPing(handler: (payload: Uint8Array) => void): void {
    this.#pinged = handler
  }

  heardSince(): boolean {
    const { bytesRead = 0, bytesWritten = 0, writableLength = 0 } = this.#wire ?? {}
    const before = this.#before
    const now = { read: bytesRead, sent: bytesWritten - writableLength, unsent: writableLength }
    this.#before = now
    // No peer is silent to an end that does not listen: what it has sent since may wait unread.
    if (this.#isPaused) return true
    // The system accepts bytes even for a dead peer until its send buffer is full. Only if bytes had to wait does progress in
    // sending them show that the peer has received others.
    return now.read > before.read || (before.unsent > 0 && now.sent > before.sent)
  }

  /** Answers the newest ping, and with it all before (RFC 6455 §5.5.3). */
  #pong(): void {
    const data = this.#unanswered
    this.#unanswered = undefined
    const socket = this.#socket
    // A peer that pings and does not read would otherwise fill the memory with answers.
    if (socket.readyState === WebSocket.OPEN && socket.bufferedAmount < PONG_ROOM_BYTES) socket.pong(data)
  }

  /** The caller may be in the middle of something, so `closed` is reported only after it has finished. */
  #end(code: number, reason: string): void {
    if (this.#over) return
    this.#over = true
    queueMicrotask(() => this.#handlers?.closed(code, reason))
  }

  /** The connection under the socket is there. Its data comes here after the socket has read its messages from it. */
  #runOver(wire: Wire): void {
    this.#wire = wire
    wire.on('data', (chunk: Buffer) => {
      this.#arrived += chunk.length
      // The rest of the chunk may belong to the next message, which then looks shorter by at most a chunk.
      if (this.#tookSome) this.#arrivedBefore = this.#arrived - this.#signBytes
      if (this.#tookSome) this.#begunAt = undefined
      this.#tookSome = false
      const { underWay } = this.pace
      // Signs of life are no message.
      if (underWay > 0) this.#begunAt ??= performance.now()
      const limit = this.#limit
      if (!limit || this.#over) return
      if (underWay <= limit.most()) return
      this.#limit = undefined
      this.#isTooLong = true
      wire.pause()
      limit.exceeded(underWay)
    })
  }

  /** Handles an event when it is its turn, unless the channel is closed by then. While one waits, no more is read. */
  #inTurn(handle: () => void): void {
    let isWaiting = false
    const isDone = TURNS.run(() => {
      if (isWaiting) this.#waiting--
      if (this.#isHeld) this.#held.push(handle)
      else if (!this.#over) handle()
      this.#readOrPause()
    })
    if (isDone) return
    isWaiting = true
    this.#waiting++
    this.#readOrPause()
  }

  /** The handler of a message is not done with it: everything else waits. */
  #holdUntil(handled: Promise<unknown>): void {
    this.#isHeld = true
    handled
      .catch(error => this.#refuse(error))
      .finally(() => {
        this.#isHeld = false
        for (const handle of this.#held.splice(0)) this.#inTurn(handle)
        this.#readOrPause()
      })
  }

  #readOrPause(): void {
    const isPaused = this.#waiting > 0 || this.#isHeld || this.#isTooLong
    if (isPaused === this.#isPaused) return
    this.#isPaused = isPaused
    if (isPaused) this.#socket.pause()
    else this.#socket.resume()
  }

  /** The peer has sent what no peer may. */
  #refuse(error: unknown): void {
    if (!this.#over) this.close(CLOSE_CODES.badMessage, printable(messageOf(error)))
  }

  #parse(bytes: Uint8Array): unknown {
    if (bytes.length > this.#mostControlBytes)
      throw new ProtocolError(`a message of ${bytes.length} bytes of JSON, expected at most ${this.#mostControlBytes}`)
    return parseJsonBytes(bytes)
  }

  #count(bytes: number): void {
    this.#messages++
    this.#bytes += bytes
  }
}

const tooLarge = (what: string, detail: string): string =>
  `${what} a message that violates the WebSocket protocol or is larger than ${MAX_MESSAGE_BYTES / 2 ** 20} MiB (${detail})`

/** For a peer that closes with a code alone. */
const wordsFor = (code: number): string =>
  code === TOO_LARGE ? tooLarge('this end sent', 'the other end refused it') : ''

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}
