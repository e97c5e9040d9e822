/** A pair of connected channels in memory. Messages go through the codec, as on a wire, and arrive in a later turn. */
import {
  type Channel,
  type ChannelHandlers,
  CLOSE_CODES,
  type ControlMessage,
  type Traffic,
} from '../../shared/protocol/channel.ts'
import { type BinaryMessage, decodeBinary, encodeBinary } from '../../shared/protocol/codec.ts'

export function channelPair(): [MemoryChannel, MemoryChannel] {
  const a = new MemoryChannel()
  const b = new MemoryChannel()
  a.peer = b
  b.peer = a
  return [a, b]
}

export class MemoryChannel implements Channel {
  peer: MemoryChannel | undefined
  pings = 0
  #handlers: ChannelHandlers | undefined
  #open = true
  #heard = true
  #traffic = { messages: 0, bytes: 0 }

  get traffic(): Traffic {
    return { ...this.#traffic }
  }

  listen(handlers: ChannelHandlers): void {
    this.#handlers = handlers
  }

  /** Sends any JSON, also what no peer should send. */
  sendRaw(message: unknown): void {
    const text = JSON.stringify(message)
    this.#count(text.length)
    this.#deliver(to => {
      to.#count(text.length)
      to.#handlers?.control(JSON.parse(text))
    })
  }

  send(message: ControlMessage): void {
    this.sendRaw(message)
  }

  async sendBinary(message: BinaryMessage): Promise<void> {
    const bytes = encodeBinary(message)
    this.#count(bytes.length)
    this.#deliver(to => {
      to.#count(bytes.length)
      to.#handlers?.binary(decodeBinary(bytes))
    })
  }

  close(code: number, reason: string): void {
    const { peer } = this
    setImmediate(() => {
      this.#end(code, reason)
      if (peer) peer.#end(code, reason)
    })
  }

  terminate(reason = ''): void {
    this.close(1006, reason)
  }

  ping(): void {
    this.pings++
  }

  heardSince(): boolean {
    const heard = this.#heard
    this.#heard = false
    return heard
  }

  #deliver(what: (to: MemoryChannel) => void): void {
    const { peer } = this
    if (!this.#open || !peer) return
    setImmediate(() => {
      if (!peer.#open) return
      peer.#heard = true
      try {
        what(peer)
      } catch (error) {
        peer.close(CLOSE_CODES.badMessage, String(error))
      }
    })
  }

  #end(code: number, reason: string): void {
    if (!this.#open) return
    this.#open = false
    this.#handlers?.closed(code, reason)
  }

  #count(bytes: number): void {
    this.#traffic = { messages: this.#traffic.messages + 1, bytes: this.#traffic.bytes + bytes }
  }
}
