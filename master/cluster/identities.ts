/**
 * Tells workers apart, over their connections: failures, quarantine and expulsion belong to one worker, whatever others are called. Workers
 * of one name and address are numbered; one that reconnects has the number that it had, and one that was started anew takes that of one
 * that is gone. So a worker that dies and is started again and again is known, and two at a time are never taken for each other. A name
 * alone would let anybody bring another address's worker into disrepute.
 *
 * Processes that were started anew tell nothing of which they were before. If one of their name and address was expelled, it may be any of
 * them, so they get its number first: otherwise the one that lied would be let in under the number of another one that restarts as well, which
 * would then be refused for it. The limit: of several workers of one name and address, of which one was expelled, those that are started
 * anew are refused, until the master is restarted or they have names of their own. Those that reconnect are not.
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
  readonly #isExpelled: (key: string) => boolean
  readonly #places = new Map<string, Place[]>()

  /** @param isExpelled whether the worker of a key may not come back */
  constructor(isExpelled: (key: string) => boolean) {
    this.#isExpelled = isExpelled
  }

  /** @param own a key that the worker's process has made for itself */
  enter(address: string, name: string, own?: string): WorkerIdentity {
    const pair = JSON.stringify([address, name])
    const places = this.#places.get(pair) ?? []
    if (!this.#places.has(pair)) this.#add(pair, places)
    let at = own === undefined ? -1 : places.findIndex(place => place.own === own)
    const keyOf = (place: number) => JSON.stringify([address, name, place])
    const isFree = ({ connections }: Place) => connections === 0
    if (at < 0) at = places.findIndex((place, i) => isFree(place) && this.#isExpelled(keyOf(i)))
    if (at < 0) at = places.findIndex(isFree)
    if (at < 0) at = places.push({ own, connections: 0 }) - 1
    const place = places[at]!
    place.own = own
    place.connections++
    return {
      key: keyOf(at),
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
