/**
 * A channel whose other end is the fuzzer. What comes in is read as by `WebSocketChannel`; what goes out is kept. Errors that
 * a peer's message may cause are told from bugs.
 */

import { SortfirstError } from '../../../shared/errors.ts'
import {
  type Channel,
  type ChannelHandlers,
  CLOSE_CODES,
  type ControlMessage,
  type Traffic,
} from '../../../shared/protocol/channel.ts'
import { type BinaryMessage, decodeBinary } from '../../../shared/protocol/codec.ts'
import { parseJsonBytes } from '../../../shared/text/bounded-json.ts'

/** A message as it travels. */
export type Wire = string | Uint8Array

/** Something that no message may cause. */
export class Fault extends Error {}

/** @throws Fault unless an error is one that a message may cause */
export function expectPeersFault(error: unknown): void {
  if (error instanceof SortfirstError && error.code !== 'INVARIANT') return
  throw new Fault(`expected an error of the protocol, got ${error instanceof Error ? error.stack : String(error)}`)
}

export class Tape implements Channel {
  readonly traffic: Traffic = { messages: 0, bytes: 0 }
  readonly received = 0
  readonly control: ControlMessage[] = []
  readonly binary: BinaryMessage[] = []
  /** Why the end under test closed the channel. */
  closedFor: string | undefined
  #handlers: ChannelHandlers | undefined

  /** Delivers a message, unless the channel is closed. @throws Fault */
  say(message: Wire): void {
    if (this.closedFor !== undefined) return
    try {
      if (typeof message !== 'string') this.#handlers!.binary(decodeBinary(message))
      else this.#handlers!.control(parsed(message))
    } catch (error) {
      expectPeersFault(error)
      this.close(CLOSE_CODES.badMessage, (error as SortfirstError).code)
    }
  }

  /** The fuzzer hangs up. */
  hangUp(): void {
    if (this.closedFor === undefined) this.close(1006, '')
  }

  listen(handlers: ChannelHandlers): void {
    this.#handlers = handlers
  }

  send(message: ControlMessage): void {
    if (this.closedFor === undefined) this.control.push(message)
  }

  async sendBinary(message: BinaryMessage): Promise<void> {
    if (this.closedFor === undefined) this.binary.push(message)
  }

  close(code: number, reason: string): void {
    if (this.closedFor !== undefined) return
    this.closedFor = reason
    queueMicrotask(() => this.#handlers?.closed(code, reason))
  }

  terminate(reason = ''): void {
    this.close(1006, reason)
  }

  ping(): void {}

  onPing(): void {}

  heardSince(): boolean {
    return true
  }
}

function parsed(text: string): unknown {
  try {
    return parseJsonBytes(new TextEncoder().encode(text))
  } catch {
    // What `WebSocketChannel` makes of it.
    return undefined
  }
}
