/**
 * A pair of connected channels in memory. Messages go through the codec, as on a wire, and arrive in order, in a later turn.
 * An end can stop reading, so that the other feels it, and can be gone without a word.
 */
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

/** Something on its way to an end. */
interface Arrival {
  readonly act: () => unknown
  /** It was taken, or never will be. */
  readonly gone: () => void
}

export class MemoryChannel implements Channel {
  peer: MemoryChannel | undefined
  pings = 0
  received = 0
  #handlers: ChannelHandlers | undefined
  /** `vanished`: nothing comes and nothing goes, and the peer does not know. */
  #state: 'open' | 'over' | 'vanished' = 'open'
  #reading = true
  /** Whether the handler of a message is not done with it. */
  #isHeld = false
  readonly #inbox: Arrival[] = []
  #heard = true
  #pinged: (payload: Uint8Array) => void = () => {}
  #traffic = { messages: 0, bytes: 0 }

  get traffic(): Traffic {
    return { ...this.#traffic }
  }

  /** Messages that arrived and were not taken. */
  get waiting(): number {
    return this.#inbox.length
  }

  listen(handlers: ChannelHandlers): void {
    this.#handlers = handlers
  }

  /** Sends any JSON, also what no peer should send. */
  sendRaw(message: unknown): void {
    const text = JSON.stringify(message)
    void this.#deliver(text.length, to => to?.control(JSON.parse(text)))
  }

  send(message: ControlMessage): void {
    this.sendRaw(message)
  }

  /** Resolves when the peer took the message, or nobody will any more. */
  sendBinary(message: BinaryMessage): Promise<void> {
    const bytes = encodeBinary(message)
    return this.#deliver(bytes.length, to => to?.binary(decodeBinary(bytes)))
  }

  /** What arrives waits until `resume`. */
  pause(): void {
    this.#reading = false
  }

  resume(): void {
    this.#reading = true
    this.#takeAll()
  }

  close(code: number, reason: string): void {
    if (this.#state !== 'open') return
    this.#endPeer(code, reason)
    this.#end(code, reason)
  }

  terminate(reason = ''): void {
    if (this.#state !== 'open') return
    this.#endPeer(1006, '')
    this.#end(1006, reason)
  }

  /** Loses power: neither end hears that the connection is over, and nothing passes it any more. */
  vanish(): void {
    this.#state = 'vanished'
    this.#drop()
  }

  ping(payload = new Uint8Array()): void {
    this.pings++
    setImmediate(() => {
      const { peer } = this
      if (this.#state !== 'open' || !peer || peer.#state !== 'open') return
      peer.#heard = true
      peer.#pinged(payload)
      this.#heard = true
    })
  }

  onPing(handler: (payload: Uint8Array) => void): void {
    this.#pinged = handler
  }

  heardSince(): boolean {
    const heard = this.#heard
    this.#heard = false
    return heard
  }

  #deliver(bytes: number, give: (to: ChannelHandlers | undefined) => unknown): Promise<void> {
    const { peer } = this
    if (this.#state !== 'open' || !peer) return Promise.resolve()
    this.#count(bytes)
    return new Promise(gone => {
      const act = () => {
        peer.#count(bytes)
        peer.received += bytes
        return give(peer.#handlers)
      }
      peer.#arrive({ act, gone })
    })
  }

  #arrive(arrival: Arrival): void {
    if (this.#state !== 'open') return arrival.gone()
    this.#heard = true
    this.#inbox.push(arrival)
    setImmediate(() => this.#takeNext())
  }

  #takeAll(): void {
    for (const _ of this.#inbox) setImmediate(() => this.#takeNext())
  }

  #takeNext(): void {
    if (!this.#reading || this.#isHeld) return
    const arrival = this.#inbox.shift()
    if (!arrival) return
    const refuse = (error: unknown) => this.close(CLOSE_CODES.badMessage, String(error))
    try {
      const handled = arrival.act()
      if (handled instanceof Promise) {
        this.#isHeld = true
        void handled.catch(refuse).then(() => {
          this.#isHeld = false
          this.#takeAll()
        })
      }
    } catch (error) {
      refuse(error)
    }
    arrival.gone()
  }

  #endPeer(code: number, reason: string): void {
    const { peer } = this
    if (peer) peer.#arrive({ act: () => peer.#end(code, reason), gone: () => {} })
  }

  #end(code: number, reason: string): void {
    if (this.#state !== 'open') return
    this.#state = 'over'
    this.#drop()
    queueMicrotask(() => this.#handlers?.closed(code, reason))
  }

  /** What was on its way here will not be taken. */
  #drop(): void {
    for (const { gone } of this.#inbox.splice(0)) gone()
  }

  #count(bytes: number): void {
    this.#traffic = { messages: this.#traffic.messages + 1, bytes: this.#traffic.bytes + bytes }
  }
}
