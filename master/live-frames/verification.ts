/** The verification of a session's frames: who has a part in which of them, and what becomes of a worker that lies. */

import type { AreaId } from '../../shared/ids.ts'
import { keepNewest } from '../../shared/keep-newest.ts'
import type { LeaseNumbers } from '../scheduling/lease-numbers.ts'
import type { Tracer } from '../verification/frame-checks.ts'
import { FrameRuns } from '../verification/frame-runs.ts'

/** What verification needs from the cluster. */
export interface TrustPorts {
  /** Who an area is; undefined if it is gone. */
  tracerOf(area: AreaId): Tracer | undefined
  /** Ends the connection of a worker, for good. */
  expel(liar: Tracer, what: string): void
  /** Whether a worker, by its key, was expelled. */
  isExpelled(key: string): boolean
}

/** What a session needs to verify its frames. */
export interface VerificationPorts {
  readonly cluster: TrustPorts
  /** Uniform in [0, 1), not predictable by workers. */
  readonly random: () => number
  readonly numbers: LeaseNumbers
  /** A client that is to know. */
  status(text: string): void
}

/** Workers whose frames are remembered. */
const MOST_WORKERS = 1024

/** The share of strangers' rows that is checked where nothing else was asked for. */
const STRANGERS_SHARE = 0.05

/** The verification of a session's frames. */
export class Verification {
  readonly share: number
  /** Whether only rows of strangers are checked, as far as there is another worker to do it. */
  readonly onlyStrangers: boolean
  readonly ports: VerificationPorts
  /** Complete frames that each worker had a part in, by its key. */
  readonly #parts = new Map<string, FrameRuns>()

  /** @param share of rows that is checked; undefined: of strangers' rows, a few */
  constructor(share: number | undefined, ports: VerificationPorts) {
    this.share = share ?? STRANGERS_SHARE
    this.onlyStrangers = share === undefined
    this.ports = ports
  }

  /** A frame is complete, and these workers, by key, had a part in it. */
  made(frame: number, workers: Iterable<string>): void {
    for (const worker of workers) {
      const frames = this.#parts.get(worker) ?? new FrameRuns()
      frames.add(frame)
      // Workers that have left are forgotten first.
      this.#parts.delete(worker)
      this.#parts.set(worker, frames)
    }
    keepNewest(this.#parts, MOST_WORKERS)
  }

  /** A liar was found. */
  expel(liar: Tracer, what: string): void {
    const { cluster, status } = this.ports
    if (cluster.isExpelled(liar.key)) return
    const before = this.#parts.get(liar.key)
    const have = before?.count === 1 ? 'has' : 'have'
    const others = before ? `; ${before.inWords()} of this session ${have} pixels of it, too` : ''
    status(`warning: worker ${liar.name} is expelled: ${what}${others}`)
    cluster.expel(liar, `${what}${others}`)
  }
}
