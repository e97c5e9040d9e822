/** A channel over a `ws` socket. Everything that is malformed closes the connection here; nothing of it gets further. */
import type { Socket } from 'node:net'
import { type RawData, WebSocket } from 'ws'
import { messageOf } from '../../errors.ts'
import { type Channel, type ChannelHandlers, CLOSE_CODES, type ControlMessage, type Traffic } from '../channel.ts'
import { type BinaryMessage, decodeBinary, encodeBinary } from '../codec.ts'
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

/** What a TCP socket says about the bytes that went over it. */
type Wire = Pick<Socket, 'bytesRead' | 'bytesWritten' | 'writableLength'>

export class WebSocketChannel implements Channel {
  readonly #socket: WebSocket
  /** The connection under the socket; a client's is there when the handshake is. */
  #wire: Wire | undefined
  #messages = 0
  #bytes = 0
  /** The wire's counters when somebody last asked for signs of life. */
  #before = { read: 0, sent: 0, unsent: 0 }
  /** Why our end dropped the connection. */
  #dropped: string | undefined

  /**
   * Wraps a socket. Owns it from now on.
   * @param wire the connection under it; not needed for one that was dialled and is still connecting
   */
  constructor(socket: WebSocket, wire?: Wire) {
    this.#socket = socket
    this.#wire = wire
    socket.binaryType = 'nodebuffer'
    // 'error' is always followed by 'close', which is what listeners hear.
    socket.on('error', () => {})
    socket.once('upgrade', response => {
      this.#wire = response.socket
    })
  }

  listen(handlers: ChannelHandlers): void {
    this.#socket.on('message', (data, isBinary) => {
      const bytes = bytesOf(data)
      this.#count(bytes.length)
      try {
        if (isBinary) handlers.binary(decodeBinary(bytes))
        else handlers.control(JSON.parse(new TextDecoder().decode(bytes)))
      } catch (error) {
        this.close(CLOSE_CODES.badMessage, messageOf(error))
      }
    })
    this.#socket.on('close', (code, reason) => handlers.closed(code, this.#dropped ?? reason.toString()))
  }

  send(message: ControlMessage): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    const text = JSON.stringify(message)
    this.#count(Buffer.byteLength(text))
    this.#socket.send(text)
  }

  sendBinary(message: BinaryMessage): Promise<void> {
    if (this.#socket.readyState !== WebSocket.OPEN) return Promise.resolve()
    const bytes = encodeBinary(message)
    this.#count(bytes.length)
    return new Promise(resolve => this.#socket.send(bytes, () => resolve()))
  }

  get traffic(): Traffic {
    return { messages: this.#messages, bytes: this.#bytes }
  }

  close(code: number, reason: string): void {
    // A close frame holds at most 123 bytes of reason.
    const short = Buffer.from(reason)
      .subarray(0, 120)
      .toString()
      .replace(/\uFFFD+$/, '')
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close(code, short)
    else this.#socket.terminate()
  }

  terminate(reason?: string): void {
    this.#dropped = reason
    this.#socket.terminate()
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

  #count(bytes: number): void {
    this.#messages++
    this.#bytes += bytes
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}
