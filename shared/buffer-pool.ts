/**
 * Buffers that are used again and again. A collector counts memory outside its heap among the reasons to look: a worker that
 * allocates three times what it sends has it look at everything every few frames.
 */

/** Spare buffers that are kept, and the largest of them, bytes. */
const MAX_SPARE = 4
const LARGEST_SPARE = 8 << 20
/** A new one has room for a slightly larger message, so that slowly growing tiles do not each have one made. */
const GROWTH = 1.25

export class BufferPool {
  /** Given back the longest ago first. */
  readonly #spare: ArrayBuffer[] = []

  /** So many bytes, with anything in them. */
  take(bytes: number): Uint8Array<ArrayBuffer> {
    const fitting = this.#spare.findIndex(({ byteLength }) => byteLength >= bytes)
    const buffer = fitting < 0 ? new ArrayBuffer(Math.ceil(bytes * GROWTH)) : this.#spare.splice(fitting, 1)[0]!
    return new Uint8Array(buffer, 0, bytes)
  }

  /** Gives back what was taken; nobody may look at it any more. */
  give({ buffer }: Uint8Array<ArrayBuffer>): void {
    if (buffer.byteLength > LARGEST_SPARE) return
    this.#spare.push(buffer)
    if (this.#spare.length > MAX_SPARE) this.#spare.shift()
  }
}
