/**
 * Tells workers apart, over their connections: failures, quarantine and expulsion belong to one worker, whatever others are called. Workers
 * of one name and address are numbered; one that reconnects has the number that it had, and one that was started anew takes that of one
 * that is gone. So a worker that dies and is started again and again is known, and two at a time are never taken for each other. A name
 * alone would let anybody bring another address's worker into disrepute.
 */

/** More pairs of address and name are not remembered, those that came first and are not connected. */
export const MOST_REMEMBERED = 10_000

interface Place {
  /** What the worker's process says of itself, if it does. */
  own: string | undefined
  connections: number
}

/** Who a worker is. */
export interface WorkerIdentity {
  /** Outlasts its connections. */
  readonly key: string
  /** Its connection has ended, or was not admitted. Called once. */
  leave(): void
}

export class Identities {
  readonly #places = new Map<string, Place[]>()

  /** @param own a key that the worker's process has made for itself */
  enter(address: string, name: string, own?: string): WorkerIdentity {
    const pair = JSON.stringify([address, name])
    const places = this.#places.get(pair) ?? []
    if (!this.#places.has(pair)) this.#add(pair, places)
    let at = own === undefined ? -1 : places.findIndex(place => place.own === own)
    if (at < 0) at = places.findIndex(({ connections }) => connections === 0)
    if (at < 0) at = places.push({ own, connections: 0 }) - 1
    const place = places[at]!
    place.own = own
    place.connections++
    return {
      key: JSON.stringify([address, name, at]),
      leave: () => {
        place.connections--
      },
    }
  }

  #add(pair: string, places: Place[]): void {
    this.#places.set(pair, places)
    if (this.#places.size <= MOST_REMEMBERED) return
    for (const [old, others] of this.#places) {
      if (old === pair || others.some(({ connections }) => connections > 0)) continue
      this.#places.delete(old)
      return
    }
  }
}
