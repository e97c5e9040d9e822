/**
 * Detects silent peers: a cut cable, a power failure or a stopped process closes no socket. Both ends of a connection watch
 * each other: the peer is pinged every interval, and after several intervals without a sign of life it is dropped, which its
 * handlers see as a closed connection. Any byte is a sign of life, not only complete messages: on a slow connection a single
 * message takes seconds, and pings wait behind it.
 */
import type { Channel } from './channel.ts'

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

/** A stopped worker is noticed within a second, a master or client within a little over three. */
export const DEFAULT_HEARTBEAT: HeartbeatOptions = { intervalMs: 250, patience: 3, longPatience: 12 }

/** The part of a channel that a heartbeat uses. */
export type WatchedChannel = Pick<Channel, 'ping' | 'heardSince' | 'terminate'>

interface Watch {
  readonly patience: number
  silent: number
}

export class Heartbeat {
  readonly #watched = new Map<WatchedChannel, Watch>()
  readonly #intervalMs: number

  /** @param intervalMs how often `beat` will be called */
  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  /** Watches a channel, or changes the patience of one that is already watched. */
  watch(channel: WatchedChannel, patience: number): void {
    this.#watched.set(channel, { patience, silent: 0 })
  }

  forget(channel: WatchedChannel): void {
    this.#watched.delete(channel)
  }

  /**
   * Called every interval. Counts intervals, not time: if this process itself was held up, no peer is blamed for more than
   * one of them.
   */
  beat(): void {
    for (const [channel, watch] of this.#watched) {
      watch.silent = channel.heardSince() ? 0 : watch.silent + 1
      if (watch.silent < watch.patience) channel.ping()
      else {
        this.#watched.delete(channel)
        channel.terminate(`no sign of life for ${(watch.silent * this.#intervalMs) / 1000} s`)
      }
    }
  }
}
