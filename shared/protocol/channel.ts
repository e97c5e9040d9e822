/**
 * What both ends see of a connection: control messages and binary messages, in order, until it closes once. The real
 * one is a WebSocket (`node/websocket-channel.ts`); tests use a pair in memory.
 */
import type { FromClient, ToClient } from './client-messages.ts'
import type { BinaryMessage } from './codec.ts'
import type { FromWorker, Hello, ToWorker } from './messages.ts'

export type ControlMessage = Hello | FromWorker | ToWorker | FromClient | ToClient

/** What happens on a channel. `closed` comes exactly once, whichever end closed, and nothing after it. */
export interface ChannelHandlers {
  /** A parsed JSON message, not yet validated. */
  control(message: unknown): void
  binary(message: BinaryMessage): void
  /** @param reason in words, or empty where there are none to the code */
  closed(code: number, reason: string): void
}

/** Messages and bytes that went through a channel. */
export interface Traffic {
  readonly messages: number
  readonly bytes: number
}

export interface Channel {
  /** Sets who hears of what arrives. Called once, before control returns to the event loop. */
  listen(handlers: ChannelHandlers): void
  send(message: ControlMessage): void
  /** Resolves when the bytes were handed to the system; at once on a closed channel. */
  sendBinary(message: BinaryMessage): Promise<void>
  /** Both directions, since the channel opened. */
  readonly traffic: Traffic
  /** Bytes that came so far for messages, whole or not: those of one that takes long grow, signs of life count for nothing. */
  readonly received: number
  /**
   * Ends the connection with a close code and a short reason for the peer. From now on nothing is heard here but `closed`,
   * with the same words, before control returns to the event loop. What was sent before still gets away, if the peer takes
   * it within a moment.
   */
  close(code: number, reason: string): void
  /** Drops the connection without a word to the peer, which may not answer any more; our own listener hears `reason`. */
  terminate(reason?: string): void
  /** Asks the peer for a sign of life; any byte counts as the answer. */
  ping(): void
  /** True when any byte arrived since the last call, or some of those that had been waiting to be sent got away. */
  heardSince(): boolean
}

/** Close codes of our own (4000–4999 are free for applications). */
export const CLOSE_CODES = { done: 1000, refused: 4000, badMessage: 4001, leaving: 4002 } as const
