/**
 * The progress of a tile and how much of it is wanted, in memory shared by the session and all tracing threads: threads take
 * rows from the top, so the rows begun are always a prefix, and the session may reduce the wanted rows, or cancel the tile, at
 * any time, whether it is queued or being traced.
 *
 * A single row may take minutes. So threads count the portions of work that they have done, some milliseconds each, say how much longer the
 * rows at hand will take, and give back those that are no longer wanted.
 */

// One i32 each.
/** The next row that no thread has taken, counted from the tile's top. */
const NEXT_ROW = 0
/** Nonzero once no more rows may be begun; threads that sleep for pacing wait on it. */
const STOP = 1
/**
 * Values of it: the tile is cancelled; its worker leaves, and the rows that will soon be done are finished and sent; a thread failed, so that the
 * others' rows are of no use, and others may begin anew.
 */
const CANCELLED = 1
const LEAVING = 2
const FAILED = 3
/** Rows from here on down are not wanted; only decreases. */
const END_ROW = 2
/** Rows from here on down were begun and given back; only decreases. */
const GIVEN_BACK = 3
/** Portions of work that were begun, modulo 2^32. */
const PORTIONS = 4
/** From here on two words for each thread: the first of the rows at hand, and for how long they will keep it, ms. */
const AT_HAND = 5
const LEFT_MS = 1
const WORDS_PER_THREAD = 2

const FOREVER_MS = 2 ** 31 - 1

/** A worker that leaves finishes rows that will be done within this, half of the time that it has, ms: it may be wrong, and they have to travel. */
export const SOON_MS = 250

/** Rows of a tile, the first inclusive, the last exclusive. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/** The progress of a tile whose threads do not share this memory. */
export interface ProgressSign {
  /** Rows begun. */
  readonly begun: number
  /** How many of them, from the top, will soon be done. */
  readonly soon: number
  readonly portions: number
}

export class TileProgress {
  /** To be posted to threads. */
  readonly bytes: SharedArrayBuffer
  readonly #words: Int32Array

  constructor(bytes: SharedArrayBuffer) {
    this.bytes = bytes
    this.#words = new Int32Array(bytes)
  }

  /** For a tile of `rows` rows, at least 1, which so many threads trace. */
  static of(rows: number, threads = 1): TileProgress {
    const progress = new TileProgress(new SharedArrayBuffer((AT_HAND + WORDS_PER_THREAD * threads) * 4))
    Atomics.store(progress.#words, END_ROW, rows)
    Atomics.store(progress.#words, GIVEN_BACK, rows)
    return progress
  }

  /** Only the first `rows` rows are still wanted, at least one. */
  trim(rows: number): void {
    lower(this.#words, END_ROW, Math.max(1, rows))
  }

  /** The tile is no longer wanted. */
  stop(): void {
    Atomics.store(this.#words, STOP, CANCELLED)
    Atomics.notify(this.#words, STOP)
  }

  get stopped(): boolean {
    return Atomics.load(this.#words, STOP) === CANCELLED
  }

  /** One of the threads that trace it has failed: the others need not go on. The tile is still wanted. */
  fail(): void {
    Atomics.compareExchange(this.#words, STOP, 0, FAILED)
    Atomics.notify(this.#words, STOP)
  }

  /** Whether rows that are being traced are of no use. */
  get isUseless(): boolean {
    const state = Atomics.load(this.#words, STOP)
    return state === CANCELLED || state === FAILED
  }

  /** No more rows are begun; those that will be done within `soonMs` are finished, without pauses, and the others given back. */
  leave(soonMs = SOON_MS): void {
    const words = this.#words
    for (const before of [0, FAILED]) Atomics.compareExchange(words, STOP, before, LEAVING)
    const rows = this.doneWithin(soonMs)
    lower(words, END_ROW, rows)
    lower(words, GIVEN_BACK, rows)
    Atomics.notify(words, STOP)
  }

  get leaving(): boolean {
    return Atomics.load(this.#words, STOP) === LEAVING
  }

  /** Whether none of its rows will be answered. */
  get isVoid(): boolean {
    return this.stopped || (this.leaving && this.rows === 0)
  }

  /** Number of rows begun. */
  get begun(): number {
    return Atomics.load(this.#words, NEXT_ROW)
  }

  /** Number of rows begun and not given back; once all threads are through, the number of rows done. */
  get rows(): number {
    return Math.min(this.begun, Atomics.load(this.#words, GIVEN_BACK))
  }

  /** Portions of work begun so far, modulo 2^32: it advances as long as it changes. */
  get portions(): number {
    return Atomics.load(this.#words, PORTIONS)
  }

  /** Rows that are wanted. */
  get wanted(): number {
    return Atomics.load(this.#words, END_ROW)
  }

  /** Of the rows begun those, from the top, that are done, or will be within `ms`, as far as is known. */
  doneWithin(ms: number): number {
    const words = this.#words
    let rows = this.rows
    for (let at = AT_HAND; at < words.length; at += WORDS_PER_THREAD)
      if (Atomics.load(words, at + LEFT_MS) > ms) rows = Math.min(rows, Atomics.load(words, at))
    return rows
  }

  /** Takes the next rows, as many as `count` says of those that are left; undefined if none are left. */
  take(count: (from: number, end: number) => number): RowRange | undefined {
    const words = this.#words
    while (Atomics.load(words, STOP) === 0) {
      const from = Atomics.load(words, NEXT_ROW)
      const end = Atomics.load(words, END_ROW)
      if (from >= end) break
      const to = Math.min(end, from + count(from, end))
      if (Atomics.compareExchange(words, NEXT_ROW, from, to) !== from) continue
      this.advance()
      return { from, to }
    }
    return undefined
  }

  /** Another portion of work begins. */
  advance(): void {
    Atomics.add(this.#words, PORTIONS, 1)
  }

  /** For how long the rows from `from` on that a thread has taken will keep it, ms; 0: they are done. Threads are numbered from 0. */
  expect(thread: number, from: number, leftMs: number): void {
    const at = AT_HAND + WORDS_PER_THREAD * thread
    if (at >= this.#words.length) return
    Atomics.store(this.#words, at, from)
    Atomics.store(this.#words, at + LEFT_MS, Math.min(FOREVER_MS, Math.ceil(leftMs)))
  }

  /** Whether the rows from `from` on that a thread has taken are still to be traced. */
  isWanted(from: number): boolean {
    return !this.isUseless && from < this.wanted
  }

  /** The rows from `from` on that a thread has taken will not be done. */
  giveBack(from: number): void {
    lower(this.#words, GIVEN_BACK, from)
  }

  /** What to tell those who do not share this memory. */
  sign(): ProgressSign {
    const { begun, portions } = this
    return { begun, portions, soon: this.doneWithin(SOON_MS) }
  }

  /** Threads that do not share this memory have come so far. */
  follow({ begun, soon, portions }: ProgressSign): void {
    const words = this.#words
    Atomics.store(words, NEXT_ROW, Math.max(begun, this.begun))
    Atomics.store(words, PORTIONS, portions)
    this.expect(0, soon, soon < begun ? FOREVER_MS : 0)
  }

  /** Begins anew with what is still wanted, after all threads that took rows are gone. */
  restart(): void {
    const words = this.#words
    words.fill(0, AT_HAND)
    Atomics.store(words, GIVEN_BACK, this.wanted)
    Atomics.store(words, NEXT_ROW, 0)
    Atomics.compareExchange(words, STOP, FAILED, 0)
  }

  /** Puts the calling thread to sleep, at most until no more rows may be begun. */
  sleep(ms: number): void {
    Atomics.wait(this.#words, STOP, 0, ms)
  }
}

/** Sets a word to a value if it is larger. */
function lower(words: Int32Array, at: number, value: number): void {
  for (let held = Atomics.load(words, at); value < held; ) {
    const found = Atomics.compareExchange(words, at, held, value)
    if (found === held) return
    held = found
  }
}
