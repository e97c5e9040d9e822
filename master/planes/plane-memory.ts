/**
 * Memory of planes, used again by the next frame. Shared memory is not counted by the garbage collector, which would let a film of large
 * frames take all there is before it looks for what is unused.
 */

/** A buffer serves for fewer bytes if no more than this share of it is wasted. */
const MOST_WASTE = 0.25

export class PlaneMemory {
  readonly #used = new Set<ArrayBufferLike>()
  #spare: SharedArrayBuffer[] = []

  get isUsed(): boolean {
    return this.#used.size > 0
  }

  /** At least so many bytes, with any content. */
  take(bytes: number): SharedArrayBuffer {
    const fitting = this.#spare
      .filter(({ byteLength }) => byteLength >= bytes && byteLength * (1 - MOST_WASTE) <= bytes)
      .sort((a, b) => a.byteLength - b.byteLength)[0]
    // What does not fit a frame of this size is of another session, or of none any more.
    this.#spare = fitting ? this.#spare.filter(spare => spare !== fitting) : []
    const memory = fitting ?? new SharedArrayBuffer(bytes)
    this.#used.add(memory)
    return memory
  }

  /** Memory from `take`; the caller must not use it any more. */
  give(memory: readonly ArrayBufferLike[]): void {
    for (const each of memory) if (this.#used.delete(each)) this.#spare.push(each as SharedArrayBuffer)
  }

  /** Forgets what is not used. */
  clear(): void {
    this.#spare = []
  }
}
