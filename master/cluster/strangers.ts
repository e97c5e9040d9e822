/**
 * Connections that have not said hello yet. A stranger is not trusted: their number is bounded, none may send much, and
 * none may take long.
 */
import type { SortfirstError } from '../../shared/errors.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'

export interface StrangerLimits {
  /** Maximum number of strangers; after a restart of the master, all its workers connect at once. */
  readonly connections: number
  /** Maximum number of bytes that a stranger may send before its hello is complete. */
  readonly bytes: number
  /** How long its hello may take, ms. */
  readonly helloMs: number
}

export const DEFAULT_STRANGER_LIMITS = { connections: 256, bytes: 64 * 1024 } as const

/** A connection that has not said hello. */
export interface Stranger {
  /** Records bytes received from it. */
  heard(bytes: number): void
  /** It said hello or disconnected. */
  done(): void
}

/** Calls `wake` after `inMs` unless the returned function is called first. */
type Alarm = (wake: () => void, inMs: number) => () => void

export class Strangers {
  readonly #limits: StrangerLimits
  readonly #alarm: Alarm
  readonly #present = new Set<Stranger>()

  constructor(limits: StrangerLimits, alarm: Alarm) {
    this.#limits = limits
    this.#alarm = alarm
  }

  /** Whether there is no room for another one. */
  get full(): boolean {
    return this.#present.size >= this.#limits.connections
  }

  /** Adds a stranger. `refuse` is called once if it exceeds a limit. */
  enter(refuse: (why: SortfirstError) => void): Stranger {
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
      refuse(
        new ProtocolError(`expected a hello ${when}, got none; is the other side a worker or client of sortfirst?`),
      )
    }
    this.#present.add(stranger)
    const disarm = this.#alarm(() => end(`within ${helloMs / 1000} s`), helloMs)
    return stranger
  }
}
