/**
 * What both ends see of a connection: control messages and binary messages, in order, until it closes once. Programs use a
 * WebSocket (`node/websocket-channel.ts`), tests a pair in memory.
 */
import type { FromClient, ToClient } from './client-messages.ts'
import type { BinaryMessage } from './codec.ts'
import type { FromWorker, Hello, Proof, ToWorker } from './messages.ts'

export type ControlMessage = Hello | Proof | FromWorker | ToWorker | FromClient | ToClient

/** The events of a channel. `closed` comes exactly once, whichever end closed, and nothing comes after it. */
export interface ChannelHandlers {
  /** A parsed JSON message, not yet validated. */
  control(message: unknown): void
  /**
   * The message's memory is the handler's. If it returns a promise, further events wait until that settles, and no more is read from the
   * peer; a rejection is as good as an error that is thrown.
   */
  binary(message: BinaryMessage): unknown
  /** @param reason in words; empty if the code comes without any */
  closed(code: number, reason: string): void
}

/** Messages and bytes transferred over a channel. */
export interface Traffic {
  readonly messages: number
  readonly bytes: number
}

export interface Channel {
  /** Sets the handlers. Called once, before control returns to the event loop. */
  listen(handlers: ChannelHandlers): void
  send(message: ControlMessage): void
  /** Resolves when the bytes have been handed to the system; immediately on a closed channel. */
  sendBinary(message: BinaryMessage): Promise<void>
  /** In both directions, since the channel opened. */
  readonly traffic: Traffic
  /** Message bytes received so far, incomplete messages included, so that it grows during a long one; heartbeats do not count. */
  readonly received: number
  /** When the first bytes of the message that is being handled came, on the clock of `performance`; absent if that is not known. */
  readonly messageBegan?: number | undefined
  /**
   * Closes the connection with a close code and a short reason for the peer. From now on the only event at this end is `closed`,
   * with the same code and reason, before control returns to the event loop. What was sent before is still delivered if the peer
   * accepts it promptly.
   */
  close(code: number, reason: string): void
  /** Drops the connection without notifying the peer, which may not respond any more; our own handler receives `reason`. */
  terminate(reason?: string): void
  /** Pings the peer; any byte counts as the answer. @param payload at most 125 bytes */
  ping(payload?: Uint8Array): void
  /** Sets the handler of the peer's pings, with what they carry. */
  onPing(handler: (payload: Uint8Array) => void): void
  /** True if any byte has arrived since the last call, or some queued bytes have been sent; or if this end does not read. */
  heardSince(): boolean
}

/** Our close codes (4000–4999 are reserved for applications). */
export const CLOSE_CODES = { done: 1000, refused: 4000, badMessage: 4001, leaving: 4002, tooSlow: 4003 } as const

/** The code with which WebSockets are closed whose messages violate their protocol or are too large (RFC 6455 §7.4.1). */
export const TOO_LARGE = 1009
