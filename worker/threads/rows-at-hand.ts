/**
 * The rows that a thread is tracing, which may take it minutes. Between portions of some milliseconds it shows that they advance, says for
 * how long they will keep it, pauses if it is paced, and looks whether they are still wanted.
 */
import type { GoOn } from '../engine/engine.ts'
import type { TileProgress } from '../tile-progress.ts'
import { Pacer } from './pacer.ts'

/** What it needs of a thread's runtime. */
export interface RowClocks {
  /** CPU time of this thread, ms since an arbitrary start. */
  readonly cpuClock: { now(): number }
  /** Milliseconds on a clock that all threads share. */
  readonly now: () => number
  /** For which share of the time the thread may trace at present, above 0; asked before each portion. @default 1 */
  readonly share?: () => number
}

/** Time that a thread spent on something else, ms. */
export interface Interruption {
  readonly ms: number
  readonly cpuMs: number
}

/** Does what is urgent, if there is anything. */
export type GiveWay = () => Interruption | undefined

/** A paced thread also pauses in the midst of rows, when it has traced for so long, ms. */
const PACE_EVERY_MS = 100
/** The longest pause in which nothing is shown and looked at, ms. */
const MAX_PAUSE_MS = 500
/** The same of a thread that may have to give way. */
const ALERT_PAUSE_MS = 20

export class RowsAtHand {
  readonly #thread: number
  readonly #pacer: Pacer
  readonly #clocks: RowClocks
  readonly #giveWay: GiveWay | undefined
  #progress: TileProgress | undefined
  /** CPU time at the tile's begin, ms. */
  #startCpu = 0
  #pacedAt = 0
  #from = 0
  #rays = 0
  #beganAt = 0
  /** Pauses since, and interruptions. */
  #pausedMs = 0
  #gaveWayMs = 0
  /** Of the rows before these, without pauses. */
  #msPerRay = 0

  /**
   * @param thread its number in the pool
   * @param coreShare of a core that it may use; 1 or more does not pace it
   * @param giveWay absent: nothing is more urgent
   */
  constructor(thread: number, coreShare: number, clocks: RowClocks, giveWay?: GiveWay) {
    this.#giveWay = giveWay
    this.#thread = thread
    this.#pacer = new Pacer(coreShare)
    this.#clocks = clocks
  }

  /** For how long it has given way since the tile's begin, ms. */
  get gaveWayMs(): number {
    return this.#gaveWayMs
  }

  /** CPU time since the tile's begin, without interruptions, ms. */
  get cpuMs(): number {
    return this.#clocks.cpuClock.now() - this.#startCpu
  }

  /** Begins a tile that was ordered at `orderedAt`. */
  beginTile(progress: TileProgress, orderedAt: number): void {
    this.#progress = progress
    this.#startCpu = this.#clocks.cpuClock.now()
    this.#gaveWayMs = 0
    this.#pacedAt = this.#clocks.now()
    this.#pacer.begin(orderedAt)
  }

  /** Begins rows from `from` on, of about so many rays. */
  begin(from: number, rays: number): void {
    this.#from = from
    this.#rays = rays
    this.#beganAt = this.#clocks.now()
    this.#pausedMs = 0
  }

  /** Before each portion of them. */
  readonly goOn: GoOn = done => {
    const progress = this.#progress!
    progress.advance()
    this.#interrupted()
    if (this.#pacer.paces && this.#clocks.now() - this.#pacedAt >= PACE_EVERY_MS) this.#pace()
    this.#ease(this.#clocks.share?.() ?? 1)
    const tracedMs = this.#tracedMs()
    const leftMs = done > 0 ? (tracedMs * (1 - done)) / done : this.#rays * this.#msPerRay
    progress.expect(this.#thread, this.#from, leftMs)
    return progress.isWanted(this.#from)
  }

  /** Ends them; false if they were given back. */
  end(): boolean {
    const progress = this.#progress!
    progress.expect(this.#thread, this.#from, 0)
    const isWanted = progress.isWanted(this.#from)
    if (!isWanted) progress.giveBack(this.#from)
    else if (this.#rays > 0) this.#msPerRay = this.#tracedMs() / this.#rays
    return isWanted
  }

  /** Pauses behind them, if it is paced. */
  rest(): void {
    if (this.#pacer.paces) this.#pace()
  }

  /** Pauses for what it has traced since the last pause beyond its share. */
  #ease(share: number): void {
    if (share >= 1) return
    const { now } = this.#clocks
    const before = now()
    const pauseMs = Math.min(MAX_PAUSE_MS, (before - this.#pacedAt) * (1 / share - 1))
    this.#progress!.sleep(pauseMs)
    this.#pacedAt = now()
    this.#pausedMs += this.#pacedAt - before
  }

  #tracedMs(): number {
    return this.#clocks.now() - this.#beganAt - this.#pausedMs
  }

  /** Gives way; returns for how long, ms. What was interrupted does not take longer for it. */
  #interrupted(): number {
    const interruption = this.#giveWay?.()
    if (!interruption) return 0
    const { ms, cpuMs } = interruption
    this.#startCpu += cpuMs
    this.#pausedMs += ms
    this.#gaveWayMs += ms
    this.#pacer.postpone(ms)
    return ms
  }

  /** Pauses until a machine of its share would have come so far. */
  #pace(): void {
    const progress = this.#progress!
    const { now } = this.#clocks
    const before = now()
    const longest = this.#giveWay ? ALERT_PAUSE_MS : MAX_PAUSE_MS
    let until = before + this.#pacer.pauseMs(this.cpuMs, before)
    let elsewhere = 0
    for (let at = before; at < until && !progress.leaving && progress.isWanted(this.#from); at = now()) {
      progress.advance()
      progress.sleep(Math.min(until - at, longest))
      const ms = this.#interrupted()
      elsewhere += ms
      until += ms
    }
    this.#pacedAt = now()
    this.#pausedMs += this.#pacedAt - before - elsewhere
  }
}
