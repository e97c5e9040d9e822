/**
 * How far a tile has come and how much of it is wanted, in memory that the session and all tracing threads share: threads
 * take rows from the top, so what has been begun is always a prefix, and the session may want fewer rows, or none, at any
 * time, while the tile waits as well as while it is traced.
 */

// Three i32.
/** The next row that nobody has taken, counted from the tile's top. */
const NEXT_ROW = 0
/** Not 0 once the tile is given up; who sleeps for pacing is woken through it. */
const STOP = 1
/** Rows below it are not wanted; only falls. */
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

  /** Of a tile of so many rows, at least 1. */
  static of(rows: number): TileProgress {
    const progress = new TileProgress(new SharedArrayBuffer(WORDS * 4))
    Atomics.store(progress.#words, END_ROW, rows)
    return progress
  }

  /** Only the first so many rows are wanted any more, at least one; those that have been begun are finished. */
  trim(rows: number): void {
    const words = this.#words
    const wanted = Math.max(1, rows)
    for (let end = Atomics.load(words, END_ROW); wanted < end; ) {
      const found = Atomics.compareExchange(words, END_ROW, end, wanted)
      if (found === end) return
      end = found
    }
  }

  /** Nobody wants the tile any more. */
  stop(): void {
    Atomics.store(this.#words, STOP, 1)
    Atomics.notify(this.#words, STOP)
  }

  get stopped(): boolean {
    return Atomics.load(this.#words, STOP) !== 0
  }

  /** Rows that have been begun: when all threads are through, those that are done. */
  get begun(): number {
    return Atomics.load(this.#words, NEXT_ROW)
  }

  /** Takes the next rows, as many as `count` says of those that are left; undefined when there are none to take. */
  take(count: (from: number, end: number) => number): RowRange | undefined {
    const words = this.#words
    while (!this.stopped) {
      const from = Atomics.load(words, NEXT_ROW)
      const end = Atomics.load(words, END_ROW)
      if (from >= end) break
      const to = Math.min(end, from + count(from, end))
      if (Atomics.compareExchange(words, NEXT_ROW, from, to) === from) return { from, to }
    }
    return undefined
  }

  /** Puts the calling thread to sleep, until the tile is given up at the latest. */
  sleep(ms: number): void {
    Atomics.wait(this.#words, STOP, 0, ms)
  }
}
