/**
 * Detects peers that keep a connection busy without using it: one that sends a message byte by byte, or reads what it is sent as
 * slowly. Each sign of life satisfies the heartbeat, and the memory for what is under way is never freed. A slow line is not such a
 * peer: it moves the least number of bytes in the time given.
 */
import { SortfirstError } from '../errors.ts'
import type { LEAST_PACE } from './peer-limits.ts'

/** A peer sends or reads too slowly. */
export class SlowPeerError extends SortfirstError {
  readonly code = 'TOO_SLOW'
}

/** What a channel has under way. */
export interface Pace {
  /** Messages received completely. */
  readonly messages: number
  /** Bytes received, without signs of life. */
  readonly arrived: number
  /** Bytes of the message that is being received; 0 between messages. */
  readonly underWay: number
  /** Bytes that the system has accepted. */
  readonly sent: number
  /** Bytes that wait for the system to accept them. */
  readonly unsent: number
}

export interface PacedChannel {
  readonly pace: Pace
  /** Drops the connection without notifying the peer. */
  drop(reason: string): void
}

/** One direction of a channel: bytes moved when it was last fast enough, and calls of `beat` since then. */
interface Stretch {
  from: number
  beats: number
}

interface Watch {
  messages: number
  readonly receiving: Stretch
  readonly sending: Stretch
}

export class SlowPeers {
  readonly #watched = new Map<PacedChannel, Watch>()
  readonly #intervalMs: number
  readonly #least: { readonly bytes: number; readonly inMs: number }

  /** @param intervalMs how often `beat` will be called */
  constructor(intervalMs: number, least: Readonly<Record<keyof typeof LEAST_PACE, number>>) {
    this.#intervalMs = intervalMs
    this.#least = least
  }

  watch(channel: PacedChannel): void {
    this.#watched.set(channel, { messages: 0, receiving: { from: 0, beats: 0 }, sending: { from: 0, beats: 0 } })
  }

  forget(channel: PacedChannel): void {
    this.#watched.delete(channel)
  }

  /** Called every interval. Counts intervals, not time, as `Heartbeat` does: a process that was held up blames nobody. */
  beat(): void {
    for (const [channel, watch] of this.#watched) {
      const { messages, arrived, underWay, sent, unsent } = channel.pace
      const receives = underWay > 0 && messages === watch.messages
      watch.messages = messages
      if (this.#isSlow(watch.receiving, receives, arrived)) this.#drop(channel, 'sent', arrived - watch.receiving.from)
      else if (this.#isSlow(watch.sending, unsent > 0, sent)) this.#drop(channel, 'read', sent - watch.sending.from)
    }
  }

  /** Whether a direction has been busy for the time given and moved too little in it. */
  #isSlow(stretch: Stretch, isBusy: boolean, bytes: number): boolean {
    if (isBusy && ++stretch.beats * this.#intervalMs < this.#least.inMs) return false
    if (isBusy && bytes - stretch.from < this.#least.bytes) return true
    stretch.from = bytes
    stretch.beats = 0
    return false
  }

  #drop(channel: PacedChannel, did: string, bytes: number): void {
    const { bytes: least, inMs } = this.#least
    this.#watched.delete(channel)
    channel.drop(`it ${did} ${bytes} bytes in ${inMs / 1000} s in the middle of a message, expected at least ${least}`)
  }
}
