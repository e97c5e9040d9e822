/**
 * A memory of the kernel: made, grown and looked at here only. Always shared, so that one kernel serves any number of
 * threads; making it needs no `SharedArrayBuffer` in the global scope, so that a browser's page without cross-origin
 * isolation can trace, too.
 *
 * Views on a memory show what there was when they were taken: they are taken anew whenever it has grown, here or in another
 * thread.
 */

const PAGE_BYTES = 65536
/** What the kernel was compiled for: 2 GiB. */
const MAX_PAGES = 32768

/** Biggest memory there can be, bytes. */
export const MAX_BYTES = MAX_PAGES * PAGE_BYTES

export class KernelMemory {
  readonly memory: WebAssembly.Memory
  #views: Views

  constructor(memory: WebAssembly.Memory) {
    this.memory = memory
    this.#views = viewsOf(memory)
  }

  /** A memory of at least so many bytes, all zero. @throws RangeError where there is no such memory */
  static of(bytes: number): KernelMemory {
    const initial = Math.ceil(bytes / PAGE_BYTES)
    return new KernelMemory(new WebAssembly.Memory({ initial, maximum: MAX_PAGES, shared: true }))
  }

  /** The address of so many more bytes at the end, at a multiple of 128 and more. @throws RangeError */
  extend(bytes: number): number {
    return this.memory.grow(Math.ceil(bytes / PAGE_BYTES)) * PAGE_BYTES
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
