/** Breaks in long work of the event loop: heartbeats have their turn in them. */
import type { Clock } from '../../shared/time/clock.ts'

/** How long work goes on before others have their turn, ms. */
const TURN_MS = 8

interface BreakPorts {
  readonly clock: Clock
  /** Calls `wake` after `inMs` unless the returned function is called. */
  readonly alarm: (wake: () => void, inMs: number) => () => void
}

export class Breaks {
  readonly #ports: BreakPorts
  readonly #goOn: () => void
  #began = 0
  #stop = () => {}

  /** @param goOn called after a break */
  constructor(ports: BreakPorts, goOn: () => void) {
    this.#ports = ports
    this.#goOn = goOn
  }

  /** A turn of the event loop begins. */
  begin(): void {
    this.#began = this.#ports.clock.now()
  }

  /** Whether a break begins: the turn has been long. */
  take(): boolean {
    if (this.#ports.clock.now() - this.#began < TURN_MS) return false
    this.#stop()
    this.#stop = this.#ports.alarm(this.#goOn, 0)
    return true
  }

  /** There is nothing left to go on with. */
  end(): void {
    this.#stop()
  }
}
