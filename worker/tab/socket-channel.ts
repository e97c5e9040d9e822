/**
 * A channel over the WebSocket of a browser. It shows its page no pings, and nothing of a message before that is whole; so signs of life are
 * messages of their own.
 */
import { messageOf } from '../../shared/errors.ts'
import {
  type Channel,
  type ChannelHandlers,
  CLOSE_CODES,
  type ControlMessage,
  type Traffic,
} from '../../shared/protocol/channel.ts'
import { type BinaryMessage, decodeBinary, encodeBinary } from '../../shared/protocol/codec.ts'
import { MAX_ORDER_BYTES } from '../../shared/protocol/peer-limits.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'

/** What it uses of a WebSocket, as in browsers. */
export interface TabSocket {
  binaryType: string
  readonly readyState: number
  readonly bufferedAmount: number
  send(data: string | Uint8Array<ArrayBuffer>): void
  close(code: number, reason: string): void
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null
}

const OPEN = 1
/** What a close frame holds of a reason, bytes (RFC 6455 §5.5). */
const MOST_REASON = 120
/** Of a connection that was lost, and what is read of it before that. */
const CONNECTION_LOST = 1006

export class SocketChannel implements Channel {
  readonly #socket: TabSocket
  #handlers: ChannelHandlers | undefined
  /** Set once `closed` has been reported, or is about to be. */
  #isOver = false
  /** Events that wait until the handler of a message is done; undefined: it is. */
  #held: (() => void)[] | undefined
  #messages = 0
  #bytes = 0
  #received = 0
  #pongs = 0
  #before = { received: 0, pongs: 0, unsent: 0 }

  /** Takes ownership of a socket. */
  constructor(socket: TabSocket) {
    this.#socket = socket
    socket.binaryType = 'arraybuffer'
  }

  listen(handlers: ChannelHandlers): void {
    this.#handlers = handlers
    this.#socket.onmessage = ({ data }) => this.#inTurn(() => this.#take(data))
    this.#socket.onclose = ({ code, reason }) => this.#inTurn(() => this.#end(code, reason))
  }

  send(message: ControlMessage): void {
    if (this.#socket.readyState !== OPEN) return
    const text = JSON.stringify(message)
    this.#count(text.length)
    this.#socket.send(text)
  }

  async sendBinary(message: BinaryMessage): Promise<void> {
    if (this.#socket.readyState !== OPEN) return
    const bytes = encodeBinary(message)
    this.#count(bytes.length)
    this.#socket.send(bytes)
  }

  get traffic(): Traffic {
    return { messages: this.#messages, bytes: this.#bytes }
  }

  get received(): number {
    return this.#received
  }

  close(code: number, reason: string): void {
    const bytes = new TextEncoder().encode(reason).subarray(0, MOST_REASON)
    this.#socket.close(code, new TextDecoder().decode(bytes).replace(/\uFFFD+$/, ''))
    this.#end(code, reason)
  }

  /** A browser drops no connection: it is closed, and nobody waits for that. */
  terminate(reason = ''): void {
    this.#socket.close(CLOSE_CODES.leaving, '')
    this.#end(CONNECTION_LOST, reason)
  }

  /** Asks for a sign of life. */
  ping(): void {
    this.send({ type: 'ping' })
  }

  /** There are none to be seen. */
  onPing(): void {}

  heardSince(): boolean {
    const before = this.#before
    this.#before = { received: this.#received, pongs: this.#pongs, unsent: this.#socket.bufferedAmount }
    if (this.#held) return true
    const { received, pongs, unsent } = this.#before
    return received > before.received || pongs > before.pongs || unsent < before.unsent
  }

  #take(data: unknown): void {
    const handlers = this.#handlers!
    try {
      if (typeof data === 'string') {
        if (data.length > MAX_ORDER_BYTES)
          throw new ProtocolError(`a message of ${data.length} characters, expected at most ${MAX_ORDER_BYTES}`)
        const message: unknown = JSON.parse(data)
        if (isPong(message)) this.#pongs++
        else this.#hear(data.length)
        return handlers.control(message)
      }
      const bytes = new Uint8Array(data as ArrayBuffer)
      this.#hear(bytes.length)
      const handled = handlers.binary(decodeBinary(bytes))
      if (handled instanceof Promise) this.#holdUntil(handled)
    } catch (error) {
      this.#refuse(error)
    }
  }

  #inTurn(handle: () => void): void {
    if (this.#held) this.#held.push(handle)
    else if (!this.#isOver) handle()
  }

  #holdUntil(handled: Promise<unknown>): void {
    this.#held = []
    handled
      .catch(error => this.#refuse(error))
      .finally(() => {
        const held = this.#held!
        this.#held = undefined
        for (const handle of held) this.#inTurn(handle)
      })
  }

  /** The master has sent what none may. */
  #refuse(error: unknown): void {
    if (!this.#isOver) this.close(CLOSE_CODES.badMessage, messageOf(error))
  }

  #end(code: number, reason: string): void {
    if (this.#isOver) return
    this.#isOver = true
    queueMicrotask(() => this.#handlers?.closed(code, reason))
  }

  #hear(bytes: number): void {
    this.#received += bytes
    this.#count(bytes)
  }

  #count(bytes: number): void {
    this.#messages++
    this.#bytes += bytes
  }
}

const isPong = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'pong'
