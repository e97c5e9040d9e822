/**
 * Finds peers that fell silent: cables cut and processes stopped close no socket. Every peer is pinged each interval;
 * one that let several of them pass without a sign of life is dropped, which its link hears as a closed connection.
 */
import type { Channel } from '../../shared/protocol/channel.ts'

export interface HeartbeatOptions {
  /** Time between pings, ms. */
  readonly intervalMs: number
  /** Silent intervals after which a peer is dropped. */
  readonly patience: number
}

/** A stopped process is noticed within a second. */
export const DEFAULT_HEARTBEAT: HeartbeatOptions = { intervalMs: 250, patience: 3 }

export class Heartbeat {
  readonly #silent = new Map<Channel, number>()
  readonly #patience: number

  constructor(patience: number) {
    this.#patience = patience
  }

  add(channel: Channel): void {
    this.#silent.set(channel, 0)
  }

  delete(channel: Channel): void {
    this.#silent.delete(channel)
  }

  /**
   * One interval passed. Counts intervals, not time: when this process itself was held up, no peer is blamed for more
   * than one of them.
   */
  beat(): void {
    for (const [channel, before] of this.#silent) {
      const silent = channel.heardSince() ? 0 : before + 1
      this.#silent.set(channel, silent)
      if (silent >= this.#patience) channel.terminate()
      else channel.ping()
    }
  }
}
