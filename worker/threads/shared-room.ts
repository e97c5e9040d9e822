/**
 * Shared memory that is used again and again. A collector does not count such memory among the reasons to look, and it is freed
 * only when each thread that was ever told of it has found it to be garbage: what is made anew for every tile piles up.
 */

/** By how much a room grows at least, so that slowly growing tiles do not each have one made. */
const GROWTH = 1.25

export class SharedRoom {
  #buffer = new SharedArrayBuffer(0)

  /** At least so many bytes, whole doubles, with anything in them. Borrowed until it is asked again. */
  ofBytes(bytes: number): SharedArrayBuffer {
    const held = this.#buffer.byteLength
    if (held < bytes) this.#buffer = new SharedArrayBuffer(Math.ceil(Math.max(bytes, held * GROWTH) / 8) * 8)
    return this.#buffer
  }
}

/** Everything that the threads share of one tile; one tile at a time. */
export class TileRoom {
  readonly pixels = new SharedRoom()
  readonly above = new SharedRoom()
  readonly sums = new SharedRoom()
  readonly depths = new SharedRoom()
}
