/**
 * The progress of a tile and how much of it is wanted, in memory shared by the session and all tracing threads: threads take
 * rows from the top, so the rows begun are always a prefix, and the session may reduce the wanted rows, or cancel the tile, at
 * any time, whether it is queued or being traced.
 */

// Three i32.
/** The next row that no thread has taken, counted from the tile's top. */
const NEXT_ROW = 0
/** Nonzero once no more rows may be begun; threads that sleep for pacing wait on it. */
const STOP = 1
/** Values of it: the tile is cancelled; or its worker leaves, and the rows that were begun are finished and sent. */
const CANCELLED = 1
const LEAVING = 2
/** Rows from here on down are not wanted; only decreases. */
const END_ROW = 2
const WORDS = 3

/** Rows of a tile, the first inclusive, the last exclusive. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

export class TileProgress {
  /** To be posted to threads. */
  readonly bytes: SharedArrayBuffer
  readonly #words: Int32Array

  constructor(bytes: SharedArrayBuffer) {
    this.bytes = bytes
    this.#words = new Int32Array(bytes)
  }

  /** For a tile of `rows` rows, at least 1. */
  static of(rows: number): TileProgress {
    const progress = new TileProgress(new SharedArrayBuffer(WORDS * 4))
    Atomics.store(progress.#words, END_ROW, rows)
    return progress
  }

  /** Only the first `rows` rows are still wanted, at least one; those that have been begun are finished. */
  trim(rows: number): void {
    const words = this.#words
    const wanted = Math.max(1, rows)
    for (let end = Atomics.load(words, END_ROW); wanted < end; ) {
      const found = Atomics.compareExchange(words, END_ROW, end, wanted)
      if (found === end) return
      end = found
    }
  }

  /** The tile is no longer wanted. */
  stop(): void {
    Atomics.store(this.#words, STOP, CANCELLED)
    Atomics.notify(this.#words, STOP)
  }

  get stopped(): boolean {
    return Atomics.load(this.#words, STOP) === CANCELLED
  }

  /** No more rows are begun; those that were are finished, without pauses. */
  leave(): void {
    Atomics.compareExchange(this.#words, STOP, 0, LEAVING)
    Atomics.notify(this.#words, STOP)
  }

  get leaving(): boolean {
    return Atomics.load(this.#words, STOP) === LEAVING
  }

  /** Whether none of its rows will be answered. */
  get isVoid(): boolean {
    return this.stopped || (this.leaving && this.begun === 0)
  }

  /** Number of rows begun; once all threads are through, the number of rows done. */
  get begun(): number {
    return Atomics.load(this.#words, NEXT_ROW)
  }

  /** Takes the next rows, as many as `count` says of those that are left; undefined if none are left. */
  take(count: (from: number, end: number) => number): RowRange | undefined {
    const words = this.#words
    while (Atomics.load(words, STOP) === 0) {
      const from = Atomics.load(words, NEXT_ROW)
      const end = Atomics.load(words, END_ROW)
      if (from >= end) break
      const to = Math.min(end, from + count(from, end))
      if (Atomics.compareExchange(words, NEXT_ROW, from, to) === from) return { from, to }
    }
    return undefined
  }

  /** Rows that are wanted. */
  get wanted(): number {
    return Atomics.load(this.#words, END_ROW)
  }

  /** Somebody who does not share this memory has begun so many rows. */
  advance(rows: number): void {
    Atomics.store(this.#words, NEXT_ROW, Math.max(rows, this.begun))
  }

  /** Begins anew with what is still wanted, after all threads that took rows are gone. */
  restart(): void {
    Atomics.store(this.#words, NEXT_ROW, 0)
  }

  /** Puts the calling thread to sleep, at most until no more rows may be begun. */
  sleep(ms: number): void {
    Atomics.wait(this.#words, STOP, 0, ms)
  }
}
