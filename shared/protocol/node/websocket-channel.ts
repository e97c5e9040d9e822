/** A channel over a `ws` socket. Everything that is malformed closes the connection here; nothing of it gets further. */
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

/** Wraps a socket. Owns it from now on. */
export class WebSocketChannel implements Channel {
  readonly #socket: WebSocket
  #messages = 0
  #bytes = 0
  #heard = true

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.binaryType = 'nodebuffer'
    // 'error' is always followed by 'close', which is what listeners hear.
    socket.on('error', () => {})
    socket.on('pong', () => {
      this.#heard = true
    })
    socket.on('ping', () => {
      this.#heard = true
    })
  }

  listen(handlers: ChannelHandlers): void {
    this.#socket.on('message', (data, isBinary) => {
      this.#heard = true
      const bytes = bytesOf(data)
      this.#count(bytes.length)
      try {
        if (isBinary) handlers.binary(decodeBinary(bytes))
        else handlers.control(JSON.parse(new TextDecoder().decode(bytes)))
      } catch (error) {
        this.close(CLOSE_CODES.badMessage, messageOf(error))
      }
    })
    this.#socket.on('close', (code, reason) => handlers.closed(code, reason.toString()))
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

  terminate(): void {
    this.#socket.terminate()
  }

  ping(): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
  }

  heardSince(): boolean {
    const heard = this.#heard
    this.#heard = false
    return heard
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
