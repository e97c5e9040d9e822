/**
 * Detects peers that are not there any more: a cut cable, a power failure or a stopped process closes no socket. Both ends of a
 * connection watch each other: the peer is pinged every interval, and after several intervals without a sign of life it is dropped,
 * which its handlers see as a closed connection. Any byte is a sign of life, not only complete messages: on a slow connection a
 * single message takes seconds, and pings wait behind it.
 *
 * A line may also be dead in one direction, and the peer is heard but hears nothing. So every ping says what its sender has heard.
 */
import type { Channel } from './channel.ts'
import { type Sign, signBytes, signOf } from './heartbeat-sign.ts'

export interface HeartbeatOptions {
  /** Time between pings, ms. */
  readonly intervalMs: number
  /** Silent intervals after which a worker is dropped: a frame waits for it, and other workers can take over its tile. */
  readonly patience: number
  /**
   * Silent intervals after which a master or a client is dropped. Long operations block their event loops (a scene's checksum, a
   * decision on a starved host), and dropping one by mistake costs a whole run, not a tile.
   */
  readonly longPatience: number
}

/** A worker that is gone is noticed within a second, a master or client within a little over three. */
export const DEFAULT_HEARTBEAT: HeartbeatOptions = { intervalMs: 250, patience: 3, longPatience: 12 }

/** How often a peer is looked at in an interval: the end of its patience is noticed by so much sooner. */
const BEATS = 2

/** The part of a channel that a heartbeat uses. */
export type WatchedChannel = Pick<Channel, 'ping' | 'onPing' | 'heardSince' | 'terminate'>

interface Watch {
  patience: number
  /** Beats since the last sign of life. */
  silent: number
  /** Beats until the next ping. */
  rest: number
  /** Pings sent, and the newest one of the peer's. */
  pings: number
  heard: number
  /** The beats in which the newest pings were sent, the oldest first. */
  readonly sentAt: number[]
  /** For how long the peer hears nothing of what it is sent, as far as it said; ms. */
  deafMs: number
}

export class Heartbeat {
  readonly #watched = new Map<WatchedChannel, Watch>()
  readonly #intervalMs: number
  #beats = 0

  /** @param intervalMs time between pings */
  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  /** How often `beat` is to be called, ms. */
  get everyMs(): number {
    return this.#intervalMs / BEATS
  }

  /** Watches a channel, or changes the patience of one that is already watched. */
  watch(channel: WatchedChannel, patience: number): void {
    const known = this.#watched.get(channel)
    if (known) {
      known.patience = patience
      return
    }
    this.#watched.set(channel, { patience, silent: 0, rest: 0, pings: 0, heard: 0, sentAt: [], deafMs: 0 })
    channel.onPing(payload => {
      const [watch, sign] = [this.#watched.get(channel), signOf(payload)]
      if (watch && sign) this.#signed(channel, watch, sign)
    })
  }

  forget(channel: WatchedChannel): void {
    this.#watched.delete(channel)
  }

  /** For how long nothing has been heard of a peer, or by it; ms. At most one interval for those that are well. */
  silentMs(channel: WatchedChannel): number {
    const { silent = 0, deafMs = 0 } = this.#watched.get(channel) ?? {}
    return Math.max(silent * this.everyMs, deafMs)
  }

  /**
   * Called every `everyMs`. Counts beats, not time: if this process itself was held up, no peer is blamed for more than one of
   * them.
   */
  beat(): void {
    this.#beats++
    for (const [channel, watch] of this.#watched) {
      watch.silent = channel.heardSince() ? 0 : watch.silent + 1
      const silentMs = watch.silent * this.everyMs
      if (watch.silent >= watch.patience * BEATS) this.#drop(channel, `no sign of life for ${silentMs / 1000} s`)
      // A peer that is not heard is told so at every beat: it may hear.
      else if (--watch.rest < 0 || watch.silent >= BEATS) {
        watch.rest = BEATS - 1
        watch.sentAt.push(this.#beats)
        if (watch.sentAt.length > watch.patience * BEATS + 1) watch.sentAt.shift()
        channel.ping(signBytes({ ping: ++watch.pings, heard: watch.heard, silentMs }))
      }
    }
  }

  #signed(channel: WatchedChannel, watch: Watch, { ping, heard, silentMs }: Sign): void {
    watch.heard = ping
    // What it did not hear may not have been sent: this process may have been held up itself. So this counts beats, too, from the one in
    // which the newest ping was sent that has been heard, or the oldest that is known.
    const known = watch.sentAt.at(-1 - Math.max(0, watch.pings - heard)) ?? watch.sentAt[0] ?? this.#beats
    watch.deafMs = Math.min(silentMs, (this.#beats - known) * this.everyMs)
    if (watch.deafMs >= watch.patience * this.#intervalMs)
      this.#drop(channel, `it has heard nothing for ${silentMs / 1000} s`)
  }

  #drop(channel: WatchedChannel, reason: string): void {
    this.#watched.delete(channel)
    channel.terminate(reason)
  }
}
