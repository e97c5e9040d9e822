/**
 * Parts of scenes by the hashes of their content, bounded in total bytes. Those of scenes in use are kept, whether they are
 * already present or still to come; the others are evicted least recently used first.
 */
import { SortfirstError } from '../errors.ts'
import type { ScenePart } from './manifest.ts'

/** Scenes in use leave no room for another. */
export class StoreFullError extends SortfirstError {
  readonly code = 'STORE_FULL'
  constructor(wanted: number, kept: number, capacity: number) {
    super(
      `scenes: expected at most ${megabytes(capacity)} of parts in use, got ${megabytes(wanted)} beside ${megabytes(kept)} of other scenes; ` +
        'use a smaller mesh, or wait until the other scenes are done',
    )
  }
}

export class PartStore {
  readonly #capacity: number
  /** The least recently used first. */
  readonly #parts = new Map<string, Uint8Array>()
  /** Use count and size of the parts in use, present or not. */
  readonly #kept = new Map<string, { uses: number; readonly bytes: number }>()
  #bytes = 0

  /** @param capacity total bytes of all parts */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Total bytes of the parts that are present. */
  get bytes(): number {
    return this.#bytes
  }

  has(sha256: string): boolean {
    return this.#parts.has(sha256)
  }

  /** Returns a part and marks it as used now. */
  get(sha256: string): Uint8Array | undefined {
    const bytes = this.#parts.get(sha256)
    if (!bytes) return undefined
    this.#parts.delete(sha256)
    this.#parts.set(sha256, bytes)
    return bytes
  }

  /**
   * Keeps parts, and room for those that are still to come, until the returned function is called.
   * @throws StoreFullError if they do not fit beside those in use; then nothing is kept
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

  /** Adds a part whose hash the caller has verified; parts that are not in use are evicted to make room. */
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
