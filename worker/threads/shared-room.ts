/**
 * Reusable shared memory. Such memory does not count towards the garbage collector's triggers, and it is freed only when every
 * thread that ever received it has collected it: memory allocated for every tile would pile up.
 */

/** Minimum growth of a room, so that slowly growing tiles do not each need a new one. */
const GROWTH = 1.25

export class SharedRoom {
  #buffer = new SharedArrayBuffer(0)

  /** At least `bytes` bytes, a multiple of 8, with arbitrary content. Borrowed until the next call. */
  ofBytes(bytes: number): SharedArrayBuffer {
    const held = this.#buffer.byteLength
    if (held < bytes) this.#buffer = new SharedArrayBuffer(Math.ceil(Math.max(bytes, held * GROWTH) / 8) * 8)
    return this.#buffer
  }
}

/** All memory that the threads share for a tile; one tile at a time. */
export class TileRoom {
  readonly pixels = new SharedRoom()
  readonly above = new SharedRoom()
  readonly sums = new SharedRoom()
  readonly depths = new SharedRoom()
}
