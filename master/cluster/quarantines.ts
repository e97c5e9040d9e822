/** Puts areas that fail again and again, or do not answer, into quarantine, and ends it. Who failed is remembered by key, over connections. */
import type { Clock } from '../../shared/time/clock.ts'
import type { QuarantineCause } from '../scheduling/events.ts'
import { type Pause, Reliability, type ReliabilityLimits } from './reliability.ts'
import type { Roster } from './roster.ts'
import type { Area } from './worker-link.ts'

interface QuarantinePorts {
  readonly roster: Roster
  readonly clock: Clock
  /** Calls `wake` after `inMs`. */
  readonly alarm: (wake: () => void, inMs: number) => unknown
}

export class Quarantines {
  readonly #ports: QuarantinePorts
  readonly #reliability: Reliability

  constructor(ports: QuarantinePorts, limits?: ReliabilityLimits) {
    this.#ports = ports
    this.#reliability = new Reliability(limits)
  }

  /** An area, by its key, failed; it need not be connected any more. */
  failed(key: string, reason: string): void {
    this.#begun(key, this.#reliability.failed(key, reason, this.#now))
  }

  /** Begins a quarantine, unless one that is as long is running. */
  begin({ key }: Area, reason: string, cause: QuarantineCause): void {
    this.#begun(key, this.#reliability.quarantine(key, reason, cause, this.#now))
  }

  /** An area that was silent has answered: its quarantine ends. */
  lift({ key }: Area): void {
    if (this.#reliability.lift(key, this.#now)) this.#mayBeOver(key)
  }

  /** An operator says that an area may work again. */
  release({ key }: Area): void {
    if (this.#reliability.release(key, this.#now)) this.#mayBeOver(key)
  }

  /** An area that was joining or withdrawn serves from now on, unless its pause is not over. */
  admit(area: Area): void {
    const pause = this.#reliability.pauseOf(area.key, this.#now)
    if (pause) this.#ports.roster.move(area, 'quarantined', { reason: pause.reason, pause })
    else this.#ports.roster.move(area, 'serving')
  }

  #begun(key: string, pause: Pause | undefined): void {
    if (!pause) return
    const { roster, alarm } = this.#ports
    for (const area of this.#of(key)) {
      // An area that its worker has withdrawn, or that leaves, gets nothing anyway.
      const state = roster.stateOf(area.id)
      if (state !== 'withdrawn' && state !== 'leaving')
        roster.move(area, 'quarantined', { reason: pause.reason, pause })
    }
    alarm(() => this.#mayBeOver(key), pause.ms)
  }

  #mayBeOver(key: string): void {
    // Another one may have begun since.
    if (this.#reliability.pauseOf(key, this.#now)) return
    const { roster } = this.#ports
    for (const area of this.#of(key)) if (roster.stateOf(area.id) === 'quarantined') roster.move(area, 'serving')
  }

  #of(key: string): Area[] {
    return this.#ports.roster.areas().filter(area => area.key === key)
  }

  get #now(): number {
    return this.#ports.clock.now()
  }
}
