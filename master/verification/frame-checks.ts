/**
 * The checks of a frame: bands of rows that one worker has traced and others trace again. Two answers with equal bytes settle a
 * check. If the first two differ, further workers are asked until two agree; a worker that answered otherwise is a liar. Decides; orders and
 * answers travel elsewhere (`live-frames/verify-frame.ts`).
 */

import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { AreaId } from '../../shared/ids.ts'
import { bandsOf, rowsOf } from './bands.ts'
import { type Terms, WaitingChecks } from './waiting-checks.ts'

/** Who traces. */
export interface Tracer {
  readonly area: AreaId
  /** The worker's name. */
  readonly name: string
  /** Who the worker is, over its connections: its areas do not check each other, and one that reconnects does not check itself. */
  readonly key: string
  /** Fingerprint of its arithmetic: only equal ones promise equal bytes. */
  readonly kernel: string
  /** Whether its rows are checked also where those of others are not. @default false */
  readonly isStranger?: boolean
}

interface Vote {
  readonly tracer: Tracer
  readonly pixels: Uint8Array
}

/** Rows to be traced once more. `Order` is how. */
export interface Check<Order> {
  readonly tile: PixelSet
  readonly order: Order
  readonly rows: number
  /** All of them differ. The first is that of the frame. */
  readonly votes: readonly Vote[]
  /** Workers that could not trace them, by key, with the newest reason. */
  readonly failed: ReadonlyMap<string, Failure>
}

interface Failure {
  readonly name: string
  readonly reason: string
}

interface OpenCheck<Order> extends Check<Order> {
  readonly votes: Vote[]
  readonly failed: Map<string, Failure>
}

/** What an answer says. */
export type Finding =
  | { readonly type: 'settled' }
  /** It differs from those before; one more worker decides. */
  | { readonly type: 'disputed' }
  | { readonly type: 'liars'; readonly liars: readonly Tracer[]; readonly agreeing: readonly Tracer[] }

/** Why a check that waits cannot be given to anybody present. */
export type Obstacle =
  /** There is no other area. */
  | 'alone'
  /** All others compute with other arithmetic. */
  | 'incomparable'
  /** Answers differ, and no other area can decide. */
  | 'undecided'
  /** Everybody else has failed to trace it. */
  | 'failed'

export class FrameChecks<Order> {
  readonly #share: number
  readonly #random: () => number
  readonly #waiting = new WaitingChecks<OpenCheck<Order>>()
  readonly #asked = new Map<Check<Order>, Tracer>()
  /** Rows of tiles that were compared, and those that could not be. */
  rows = 0
  unchecked = 0
  /** Checks whose first two answers differed. */
  mismatches = 0

  /** @param random uniform in [0, 1), not predictable by workers */
  constructor(share: number, random: () => number) {
    this.#share = share
    this.#random = random
  }

  /** Checks that are not settled. */
  get open(): number {
    return this.#waiting.size + this.#asked.size
  }

  /** Whether any check waits for a tracer. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** Pixels were accepted into the frame: some of their rows are to be checked. @param pixels copies those of a band */
  traced(tracer: Tracer, set: PixelSet, order: Order, pixels: (band: PixelSet) => Uint8Array): void {
    for (const tile of bandsOf(set, this.#share, this.#random)) {
      const votes = [{ tracer, pixels: pixels(tile) }]
      this.#wait({ tile, order, rows: rowsOf(tile).rows.length, votes, failed: new Map() })
    }
  }

  /** The next check for an area, which has to be answered or returned; disputes go first. */
  next(tracer: Tracer): Check<Order> | undefined {
    const check = this.#waiting.take(tracer)
    if (check) this.#asked.set(check, tracer)
    return check
  }

  answered(check: Check<Order>, pixels: Uint8Array): Finding {
    const tracer = this.#asked.get(check)!
    this.#asked.delete(check)
    const { votes } = check as OpenCheck<Order>
    const same = votes.find(vote => isEqual(vote.pixels, pixels))
    if (votes.length === 1) this.rows += check.rows
    if (!same) {
      if (votes.length === 1) this.mismatches++
      votes.push({ tracer, pixels })
      this.#wait(check as OpenCheck<Order>)
      return { type: 'disputed' }
    }
    const liars = votes.filter(vote => vote !== same).map(vote => vote.tracer)
    return liars.length === 0 ? { type: 'settled' } : { type: 'liars', liars, agreeing: [same.tracer, tracer] }
  }

  /** The area that was asked does not answer. @param failed the reason, if it must not be asked again */
  returned(check: Check<Order>, failed?: string): void {
    const tracer = this.#asked.get(check)!
    this.#asked.delete(check)
    const open = check as OpenCheck<Order>
    if (failed !== undefined) open.failed.set(tracer.key, { name: tracer.name, reason: failed })
    this.#wait(open)
  }

  /**
   * A worker is not believed any more: it has no vote, and what it traced for the frame is not checked. Returns the checks that are given up
   * while another was asked; they are not to be answered.
   */
  discredit(key: string): readonly Check<Order>[] {
    const isIts = ({ votes }: Check<Order>) => votes[0]!.tracer.key === key
    const dropped = [...this.#asked.keys()].filter(isIts)
    for (const check of dropped) this.#asked.delete(check)
    const withoutVote = ({ votes }: Check<Order>) => {
      const at = votes.findIndex(({ tracer }) => tracer.key === key)
      if (at >= 0) (votes as Vote[]).splice(at, 1)
      return at >= 0
    }
    for (const check of this.#asked.keys()) withoutVote(check)
    for (const check of [...this.#waiting.all()]) {
      if (isIts(check)) this.#waiting.delete(check)
      else if (withoutVote(check)) {
        this.#waiting.delete(check)
        this.#wait(check)
      }
    }
    return dropped
  }

  /** A check that waits, and that none of these can answer. */
  stuck(present: readonly Tracer[]): { readonly check: Check<Order>; readonly why: Obstacle } | undefined {
    const check = this.#waiting.closedTo(present)
    return check && { check, why: obstacle(check, present) }
  }

  /** A check that waits is given up: its rows cannot be compared. */
  skip(check: Check<Order>): void {
    this.#waiting.delete(check as OpenCheck<Order>)
    this.unchecked += check.rows
  }

  #wait(check: OpenCheck<Order>): void {
    this.#waiting.add(check, termsOf(check))
  }
}

function obstacle({ votes, failed }: Check<unknown>, present: readonly Tracer[]): Obstacle {
  const others = present.filter(({ key }) => !votes.some(vote => vote.tracer.key === key))
  const comparable = others.filter(({ kernel }) => kernel === votes[0]!.tracer.kernel)
  if (comparable.length > 0 && failed.size > 0) return 'failed'
  if (votes.length > 1) return 'undecided'
  return others.length > 0 ? 'incomparable' : 'alone'
}

/** No area decides about itself, and only equal arithmetic about equal arithmetic. */
const termsOf = ({ votes, failed }: Check<unknown>): Terms => ({
  kernel: votes[0]!.tracer.kernel,
  closedTo: new Set([...votes.map(({ tracer }) => tracer.key), ...failed.keys()]),
  isUrgent: votes.length > 1,
})

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
