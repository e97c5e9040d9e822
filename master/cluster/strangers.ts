/**
 * Connections that have not said hello yet. A stranger is not trusted: their number is bounded, none may send much, and
 * none may take long. If there is no room, the address with the most of them makes some for any other.
 */

import { SortfirstError } from '../../shared/errors.ts'
import { STRANGERS } from '../../shared/protocol/peer-limits.ts'
import type { Clock } from '../../shared/time/clock.ts'

export interface StrangerLimits {
  /** Maximum number of strangers; after a restart of the master, all its workers connect at once. */
  readonly connections: number
  /** Maximum number of bytes that a stranger may send before its hello is complete. */
  readonly bytes: number
  /** How long its hello may take, ms. */
  readonly helloMs: number
}

export const DEFAULT_STRANGER_LIMITS = STRANGERS

/** A connection did not say hello in time. */
export class NoHelloError extends SortfirstError {
  readonly code = 'NO_HELLO'
  constructor(when: string) {
    super(`expected a hello ${when}, got none; is the other side a worker or client of sortfirst?`)
  }
}

/** A connection that has not said hello. */
export interface Stranger {
  /** Records bytes received from it. */
  heard(bytes: number): void
  /** It said hello or disconnected. */
  done(): void
}

interface Place {
  readonly address: string
  readonly since: number
  readonly end: (why: string) => void
}

/** Within this time a hello comes over any line; one that takes longer may still come while there is room, ms. */
const ENOUGH_MS = 1000

/** Calls `wake` after `inMs` unless the returned function is called first. */
type Alarm = (wake: () => void, inMs: number) => () => void

export class Strangers {
  readonly #limits: StrangerLimits
  readonly #alarm: Alarm
  readonly #clock: Clock
  /** The oldest first. */
  readonly #present = new Map<Stranger, Place>()

  constructor(limits: StrangerLimits, alarm: Alarm, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
    this.#alarm = alarm
  }

  /**
   * Whether there is room for another one of an address, possibly in the place of one of an address that has more, or of one that has had
   * more than enough time for a hello.
   */
  hasRoomFor(address: string): boolean {
    if (this.#present.size < this.#limits.connections) return true
    const counts = new Map<string, number>()
    for (const { address } of this.#present.values()) counts.set(address, (counts.get(address) ?? 0) + 1)
    const most = Math.max(...counts.values())
    const oldest = [...this.#present.values()].find(each => counts.get(each.address) === most)
    const hadTime = this.#clock.now() - (oldest?.since ?? 0) >= ENOUGH_MS
    if (most <= (counts.get(address) ?? 0) && !hadTime) return false
    oldest?.end('before there were too many others')
    return true
  }

  /** Adds a stranger. `refuse` is called once if it exceeds a limit. */
  enter(address: string, refuse: (why: SortfirstError) => void): Stranger {
    const { bytes: maxBytes, helloMs } = this.#limits
    let total = 0
    const stranger: Stranger = {
      heard: bytes => {
        total += bytes
        if (total > maxBytes && this.#present.has(stranger)) end(`within its first ${maxBytes} bytes`)
      },
      done: () => {
        this.#present.delete(stranger)
        disarm()
      },
    }
    const end = (when: string) => {
      stranger.done()
      refuse(new NoHelloError(when))
    }
    this.#present.set(stranger, { address, since: this.#clock.now(), end })
    const disarm = this.#alarm(() => end(`within ${helloMs / 1000} s`), helloMs)
    return stranger
  }
}
