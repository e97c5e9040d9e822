/** Which areas are given no tiles for a while, because they fail again and again or do not answer; says so when it begins and ends. */
import type { Clock } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { AsideCause } from '../scheduling/events.ts'
import { type Pause, Reliability, type ReliabilityLimits } from './reliability.ts'
import type { Area } from './worker-link.ts'

/** How the roster says that an area is given no tiles. */
export interface Aside {
  readonly reason: string
  /** How long it will be, ms. */
  readonly forMs: number
}

interface AsidePorts {
  readonly log: Log
  readonly clock: Clock
  /** Calls `wake` after `inMs`. */
  readonly alarm: (wake: () => void, inMs: number) => unknown
  /** Connected areas. */
  readonly areas: () => Iterable<Area>
  /** An area is given nothing from now on, or may have tiles again. */
  readonly changed: (area: Area, pause: Pause | undefined) => void
}

export class AsideAreas {
  readonly #ports: AsidePorts
  readonly #reliability: Reliability

  constructor(ports: AsidePorts, limits?: ReliabilityLimits) {
    this.#ports = ports
    this.#reliability = new Reliability(limits)
  }

  /** Somebody, by its key, failed; it need not be connected any more. */
  failed(who: string, reason: string): void {
    this.#begun(who, this.#reliability.failed(who, reason, this.#now))
  }

  setAside(area: Area, reason: string, cause: AsideCause): void {
    const who = area.key
    this.#begun(who, this.#reliability.setAside(who, reason, cause, this.#now))
  }

  /** An area is connected: it may be one whose pause is not over. */
  joined(area: Area): void {
    const pause = this.#pauseOf(area)
    if (pause) this.#say(area, pause, pause.until - this.#now)
  }

  of(area: Area): Aside | undefined {
    const pause = this.#pauseOf(area)
    return pause && { reason: pause.reason, forMs: Math.ceil(pause.until - this.#now) }
  }

  /**
   * Those of some areas that are given tiles. If all of them have failed too often, it is the one whose pause ends first: frames made
   * slowly are better than none. One that does not answer would make none.
   */
  serving(areas: readonly Area[]): readonly Area[] {
    // Every session asks whenever anybody becomes ready.
    if (this.#reliability.size === 0) return areas
    const able = areas.filter(area => !this.#pauseOf(area))
    if (able.length > 0) return able
    let next: Area | undefined
    let soonest = Number.POSITIVE_INFINITY
    for (const area of areas) {
      const { cause, until } = this.#pauseOf(area)!
      if (cause === 'silence' || until >= soonest) continue
      next = area
      soonest = until
    }
    return next ? [next] : []
  }

  /** Those that are given tiles, or will be within a minute: who waits for several waits for them. */
  expected(areas: readonly Area[]): readonly Area[] {
    return areas.filter(area => this.#pauseOf(area)?.cause !== 'silence')
  }

  #begun(who: string, pause: Pause | undefined): void {
    if (!pause) return
    for (const area of this.#ports.areas()) {
      if (area.key !== who) continue
      this.#say(area, pause, pause.ms)
      this.#ports.changed(area, pause)
    }
    this.#ports.alarm(() => this.#mayBeOver(who), pause.ms)
  }

  #mayBeOver(who: string): void {
    // Another one may have begun since.
    if (this.#reliability.pauseOf(who, this.#now)) return
    for (const area of this.#ports.areas()) {
      if (area.key !== who) continue
      this.#ports.log.info(`worker ${area.info.name} may have tiles again`)
      this.#ports.changed(area, undefined)
    }
  }

  #say({ info }: Area, { reason }: Pause, forMs: number): void {
    this.#ports.log.warn(`worker ${info.name} is set aside for ${Math.ceil(forMs / 100) / 10} s: ${reason}`)
  }

  #pauseOf(area: Area): Pause | undefined {
    return this.#reliability.pauseOf(area.key, this.#now)
  }

  get #now(): number {
    return this.#ports.clock.now()
  }
}
