/** A channel over a `ws` socket. Everything that is malformed closes the connection here; nothing of it gets further. */
import type { Socket } from 'node:net'
import { type RawData, WebSocket } from 'ws'
import { BufferPool } from '../../buffer-pool.ts'
import { messageOf } from '../../errors.ts'
import { printable } from '../../printable.ts'
import { type Channel, type ChannelHandlers, CLOSE_CODES, type ControlMessage, type Traffic } from '../channel.ts'
import { type BinaryMessage, decodeBinary, encodeBinary } from '../codec.ts'
import { CLOSE_GRACE_MS } from '../deadlines.ts'
import { MAX_MESSAGE_BYTES } from '../version.ts'

/** Options of every socket of the project, at either end. */
export const SOCKET_OPTIONS = { perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES } as const

/** Opens a client's end. The socket may still be connecting; `listen` before anything is awaited. */
export function dial(url: string, handshakeTimeoutMs: number): WebSocket {
  return new WebSocket(url, {
    ...SOCKET_OPTIONS,
    handshakeTimeout: handshakeTimeoutMs,
    // Masking exists to protect proxies from hostile browser content and costs most of a tile's transmission; zeros switch it off.
    generateMask: mask => mask.fill(0),
  })
}

/** What binary messages are sent from, by all channels of the process. */
const BUFFERS = new BufferPool()

/** What a TCP socket says about the bytes that went over it. */
type Wire = Pick<Socket, 'bytesRead' | 'bytesWritten' | 'writableLength'>

/** Of a frame without content, as a server and as a client send it (RFC 6455 §5.2). */
const HEAD_BYTES = { fromServer: 2, fromClient: 6 } as const

/** Close codes of the WebSocket protocol itself (RFC 6455 §7.4.1). */
const CONNECTION_LOST = 1006
const TOO_LARGE = 1009

export class WebSocketChannel implements Channel {
  readonly #socket: WebSocket
  /** The connection under the socket; a client's is there when the handshake is. */
  #wire: Wire | undefined
  #handlers: ChannelHandlers | undefined
  /** Set once `closed` was heard, or is about to be. */
  #over = false
  #messages = 0
  #bytes = 0
  /** Of pings and pongs that came. */
  #signBytes = 0
  /** The wire's counters when somebody last asked for signs of life. */
  #before = { read: 0, sent: 0, unsent: 0 }

  /**
   * Wraps a socket. Owns it from now on.
   * @param wire the connection under it; not needed for one that was dialled and is still connecting
   */
  constructor(socket: WebSocket, wire?: Wire) {
    this.#socket = socket
    this.#wire = wire
    socket.binaryType = 'nodebuffer'
    socket.once('upgrade', response => {
      this.#wire = response.socket
    })
    const headBytes = wire ? HEAD_BYTES.fromClient : HEAD_BYTES.fromServer
    const countSign = ({ length }: Buffer) => {
      this.#signBytes += headBytes + length
    }
    socket.on('ping', countSign).on('pong', countSign)
    socket.on('error', (error: Error & { code?: string }) => {
      // Lost connections are heard as closed ones. What breaks the WebSocket protocol, or is too large, has been answered with a
      // close frame, which some peers would take their time to answer.
      if (error.code?.startsWith('WS_ERR')) this.#end(TOO_LARGE, tooLarge('the other end sent', error.message))
    })
  }

  listen(handlers: ChannelHandlers): void {
    this.#handlers = handlers
    this.#socket.on('message', (data, isBinary) => {
      if (this.#over) return
      const bytes = bytesOf(data)
      this.#count(bytes.length)
      try {
        if (isBinary) handlers.binary(decodeBinary(bytes))
        else handlers.control(JSON.parse(new TextDecoder().decode(bytes)))
      } catch (error) {
        this.close(CLOSE_CODES.badMessage, printable(messageOf(error)))
      }
    })
    this.#socket.on('close', (code, reason) => this.#end(code, printable(reason.toString()) || wordsFor(code)))
  }

  send(message: ControlMessage): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    const text = JSON.stringify(message)
    this.#count(Buffer.byteLength(text))
    this.#socket.send(text)
  }

  sendBinary(message: BinaryMessage): Promise<void> {
    if (this.#socket.readyState !== WebSocket.OPEN) return Promise.resolve()
    const bytes = encodeBinary(message, length => BUFFERS.take(length))
    this.#count(bytes.length)
    return new Promise(resolve => {
      this.#socket.send(bytes, () => {
        BUFFERS.give(bytes)
        resolve()
      })
    })
  }

  get traffic(): Traffic {
    return { messages: this.#messages, bytes: this.#bytes }
  }

  get received(): number {
    return (this.#wire?.bytesRead ?? 0) - this.#signBytes
  }

  close(code: number, reason: string): void {
    const socket = this.#socket
    if (socket.readyState === WebSocket.OPEN) {
      // A close frame holds at most 123 bytes of reason.
      const short = Buffer.from(reason)
        .subarray(0, 120)
        .toString()
        .replace(/\uFFFD+$/, '')
      socket.close(code, short)
      const grace = setTimeout(() => socket.terminate(), CLOSE_GRACE_MS)
      socket.once('close', () => clearTimeout(grace))
    } else if (socket.readyState === WebSocket.CONNECTING) socket.terminate()
    this.#end(code, reason)
  }

  terminate(reason = ''): void {
    this.#socket.terminate()
    this.#end(CONNECTION_LOST, reason)
  }

  ping(): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
  }

  heardSince(): boolean {
    const { bytesRead = 0, bytesWritten = 0, writableLength = 0 } = this.#wire ?? {}
    const before = this.#before
    const now = { read: bytesRead, sent: bytesWritten - writableLength, unsent: writableLength }
    this.#before = now
    // The system takes bytes for a peer that is gone, too, until its buffer is full. Only where some had to wait do those that
    // get away show that the peer took others.
    return now.read > before.read || (before.unsent > 0 && now.sent > before.sent)
  }

  /** Whoever ended the connection may be in the middle of something: it is heard when that is done. */
  #end(code: number, reason: string): void {
    if (this.#over) return
    this.#over = true
    queueMicrotask(() => this.#handlers?.closed(code, reason))
  }

  #count(bytes: number): void {
    this.#messages++
    this.#bytes += bytes
  }
}

const tooLarge = (what: string, detail: string): string =>
  `${what} a message that breaks the WebSocket protocol or is larger than ${MAX_MESSAGE_BYTES / 2 ** 20} MiB (${detail})`

/** The peer may close with a code alone. */
const wordsFor = (code: number): string =>
  code === TOO_LARGE ? tooLarge('this end sent', 'the other end refused it') : ''

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}
