/**
 * Parts of scenes by the hashes of their content, as many as fit into so many bytes. Those of scenes in use are kept, whether they are
 * there already or still to come; of the others the least recently used go first.
 */
import { SortfirstError } from '../errors.ts'
import type { ScenePart } from './manifest.ts'

/** What is in use leaves no room for a scene. */
export class StoreFullError extends SortfirstError {
  readonly code = 'STORE_FULL'
  constructor(wanted: number, kept: number, capacity: number) {
    super(
      `scenes: expected at most ${megabytes(capacity)} of parts in use, got ${megabytes(wanted)} beside ${megabytes(kept)} of other scenes; ` +
        'use a smaller mesh, or wait until the others are done',
    )
  }
}

export class PartStore {
  readonly #capacity: number
  /** The least recently used first. */
  readonly #parts = new Map<string, Uint8Array>()
  /** Of parts in use, there or not: how often, and their size. */
  readonly #kept = new Map<string, { uses: number; readonly bytes: number }>()
  #bytes = 0

  /** @param capacity bytes of all parts together */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Bytes of the parts that are there. */
  get bytes(): number {
    return this.#bytes
  }

  has(sha256: string): boolean {
    return this.#parts.has(sha256)
  }

  /** A part, which counts as used now. */
  get(sha256: string): Uint8Array | undefined {
    const bytes = this.#parts.get(sha256)
    if (!bytes) return undefined
    this.#parts.delete(sha256)
    this.#parts.set(sha256, bytes)
    return bytes
  }

  /**
   * Keeps parts, and room for those that are still to come, until the answer is called.
   * @throws StoreFullError when they do not fit beside those in use; then nothing is kept
   */
  keep(parts: readonly ScenePart[]): () => void {
    const own = new Map(parts.map(part => [part.sha256, part.bytes]))
    const kept = [...this.#kept.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    const more = [...own].reduce((sum, [sha256, bytes]) => sum + (this.#kept.has(sha256) ? 0 : bytes), 0)
    if (kept + more > this.#capacity) throw new StoreFullError(more, kept, this.#capacity)
    for (const [sha256, bytes] of own) {
      const before = this.#kept.get(sha256)
      if (before) before.uses++
      else this.#kept.set(sha256, { uses: 1, bytes })
      this.get(sha256)
    }
    let released = false
    return () => {
      if (released) return
      released = true
      for (const sha256 of own.keys()) this.#release(sha256)
    }
  }

  /** Puts a part in, which the caller has found to be what it is named; those that are not in use make room. */
  put(sha256: string, bytes: Uint8Array): void {
    if (this.get(sha256)) return
    this.#parts.set(sha256, bytes)
    this.#bytes += bytes.length
    for (const [oldest, { length }] of this.#parts) {
      if (this.#bytes <= this.#capacity) break
      if (this.#kept.has(oldest)) continue
      this.#parts.delete(oldest)
      this.#bytes -= length
    }
  }

  #release(sha256: string): void {
    const entry = this.#kept.get(sha256)
    if (entry && --entry.uses === 0) this.#kept.delete(sha256)
  }
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`
