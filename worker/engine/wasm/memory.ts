/**
 * A memory of the kernel: created, grown and viewed only here. Always shared, so that one kernel serves any number of threads;
 * creating it needs no `SharedArrayBuffer` in the global scope, so that a browser page without cross-origin isolation can
 * trace, too.
 *
 * Views of a memory cover its size at their creation: they are recreated whenever it has grown, here or in another thread.
 */

const PAGE_BYTES = 65536
/**
 * Nearly 4 GiB, what a 32-bit kernel can address: the last page stays unused, because the address behind it does not fit in a word.
 * Addresses are unsigned: kernels return them as signed integers, and `>>` would make negative indices of them.
 */
const MAX_PAGES = 65535

/** Largest possible memory, bytes. */
export const MAX_BYTES = MAX_PAGES * PAGE_BYTES

/** Bytes of the pages that hold so many bytes. */
export const inPages = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES

export class KernelMemory {
  readonly memory: WebAssembly.Memory
  #views: Views

  constructor(memory: WebAssembly.Memory) {
    this.memory = memory
    this.#views = viewsOf(memory)
  }

  /** A zeroed memory of at least `bytes` bytes. @throws RangeError if it cannot be allocated */
  static of(bytes: number): KernelMemory {
    const initial = inPages(bytes) / PAGE_BYTES
    return new KernelMemory(new WebAssembly.Memory({ initial, maximum: MAX_PAGES, shared: true }))
  }

  /** Adds bytes at the end; returns their address, a multiple of a page and so of 128. @throws RangeError */
  extend(bytes: number): number {
    return this.memory.grow(inPages(bytes) / PAGE_BYTES) * PAGE_BYTES
  }

  get bytes(): Uint8Array<SharedArrayBuffer> {
    return this.#fresh().bytes
  }

  /** Indexed by address / 4. */
  get words(): Uint32Array<SharedArrayBuffer> {
    return this.#fresh().words
  }

  /** Indexed by address / 4. */
  get floats(): Float32Array<SharedArrayBuffer> {
    return this.#fresh().floats
  }

  /** Indexed by address / 8. */
  get doubles(): Float64Array<SharedArrayBuffer> {
    return this.#fresh().doubles
  }

  #fresh(): Views {
    if (this.#views.bytes.buffer !== this.memory.buffer) this.#views = viewsOf(this.memory)
    return this.#views
  }
}

interface Views {
  readonly bytes: Uint8Array<SharedArrayBuffer>
  readonly words: Uint32Array<SharedArrayBuffer>
  readonly floats: Float32Array<SharedArrayBuffer>
  readonly doubles: Float64Array<SharedArrayBuffer>
}

const viewsOf = ({ buffer }: WebAssembly.Memory): Views => ({
  bytes: new Uint8Array(buffer),
  words: new Uint32Array(buffer),
  floats: new Float32Array(buffer),
  doubles: new Float64Array(buffer),
})
