/**
 * Reusable buffers. Memory outside the heap counts towards the garbage collector's triggers: a worker that allocates three
 * times what it sends causes a full collection every few frames.
 */

/** How many spare buffers are kept, and bytes of all of them: a 4K frame has 24 MiB. */
const MAX_SPARE = 4
const MAX_SPARE_BYTES = 32 << 20
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
    if (buffer.byteLength > MAX_SPARE_BYTES) return
    this.#spare.push(buffer)
    const bytes = () => this.#spare.reduce((sum, { byteLength }) => sum + byteLength, 0)
    while (this.#spare.length > MAX_SPARE || bytes() > MAX_SPARE_BYTES) this.#spare.shift()
  }
}
