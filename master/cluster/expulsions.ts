/**
 * Workers that returned wrong pixels. They may not join again until the master restarts: that a machine computes what it should is for a
 * person to find out.
 */
import { SortfirstError } from '../../shared/errors.ts'
import { keepNewest } from '../../shared/keep-newest.ts'

/** A worker's pixels differ from those on which two others agree. */
export class ExpelledError extends SortfirstError {
  readonly code = 'EXPELLED'
  constructor(name: string, what: string) {
    super(
      `worker ${name} is expelled: ${what}; expected the pixels of its release. ` +
        'Check the memory and the installation of its machine; it may join again when the master has been restarted, and another worker under another --name',
    )
  }
}

/** More are not remembered, the oldest first. */
const MOST = 10_000

export class Expulsions {
  readonly #expelled = new Set<string>()

  /** @param key of the worker */
  add(key: string): void {
    this.#expelled.add(key)
    keepNewest(this.#expelled, MOST)
  }

  /** Whether a worker, by its key, was expelled. */
  has(key: string): boolean {
    return this.#expelled.has(key)
  }

  /** @throws ExpelledError */
  check(key: string, name: string): void {
    if (this.has(key)) throw new ExpelledError(name, 'it returned wrong pixels before')
  }
}
