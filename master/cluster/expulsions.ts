/**
 * Workers that returned wrong pixels. They may not join again from the same address under the same name until the master restarts:
 * that a machine computes what it should is for a person to find out.
 */
import { SortfirstError } from '../../shared/errors.ts'
import { keepNewest } from '../../shared/keep-newest.ts'
import { peerKey } from './peer-key.ts'

/** A worker's pixels differ from those on which two others agree. */
export class ExpelledError extends SortfirstError {
  readonly code = 'EXPELLED'
  constructor(name: string, what: string) {
    super(
      `worker ${name} is expelled: ${what}; expected the pixels of its release. ` +
        'Check the memory and the installation of its machine; it may join again when the master has been restarted',
    )
  }
}

/** More are not remembered, the oldest first. */
const MOST = 10_000

export class Expulsions {
  readonly #expelled = new Set<string>()

  add(address: string, name: string): void {
    this.#expelled.add(peerKey(address, name))
    keepNewest(this.#expelled, MOST)
  }

  /** @throws ExpelledError */
  check(address: string, name: string): void {
    if (this.#expelled.has(peerKey(address, name))) throw new ExpelledError(name, 'it returned wrong pixels before')
  }
}
