/**
 * Reusable buffers. Memory outside the heap counts towards the garbage collector's triggers: a worker that allocates three
 * times what it sends causes a full collection every few frames.
 */

/** How many spare buffers are kept, and the size of the largest, bytes. */
const MAX_SPARE = 4
const LARGEST_SPARE = 8 << 20
/** A new buffer has some headroom, so that slowly growing tiles do not each need a new one. */
const GROWTH = 1.25

export class BufferPool {
  /** Least recently given back first. */
  readonly #spare: ArrayBuffer[] = []

  /** A view of `bytes` bytes with arbitrary content. */
  take(bytes: number): Uint8Array<ArrayBuffer> {
    const fitting = this.#spare.findIndex(({ byteLength }) => byteLength >= bytes)
    const buffer = fitting < 0 ? new ArrayBuffer(Math.ceil(bytes * GROWTH)) : this.#spare.splice(fitting, 1)[0]!
    return new Uint8Array(buffer, 0, bytes)
  }

  /** Gives back a buffer from `take`; the caller must not use it any more. */
  give({ buffer }: Uint8Array<ArrayBuffer>): void {
    if (buffer.byteLength > LARGEST_SPARE) return
    this.#spare.push(buffer)
    if (this.#spare.length > MAX_SPARE) this.#spare.shift()
  }
}
