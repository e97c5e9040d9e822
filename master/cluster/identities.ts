/**
 * Tells workers apart, over their connections: failures, quarantine and expulsion belong to one worker, whatever others are called.
 *
 * A worker that has proved that it holds a key (`challenge.ts`) is that key, under any name and from any address. So nobody else can bring it
 * into disrepute, and its past follows it to another pod, behind the same gateway, and through its restarts.
 *
 * The others are told apart by address, name, and what a process says of itself. Workers of one name and address are numbered; one that
 * reconnects has the number that it had, and one that was started anew takes that of one that is gone. A name alone would let anybody bring
 * another address's worker into disrepute.
 *
 * Keys cost nothing, so a new one could be an expelled worker's. It is taken for that
 * - under the name and address that one had, and so is a process without a key that was started anew. The limit: of several workers of one name
 *   and address, of which one was expelled, those that are new are refused. Those that were known before stay, and may come back.
 * - from an address of which as many were expelled as are allowed: it gets no new workers in.
 */
import { keepNewest } from '../../shared/keep-newest.ts'
import { MOST_EXPELLED_PER_ADDRESS } from '../../shared/protocol/peer-limits.ts'
import { networkOf } from '../http/connections.ts'

/** More pairs of address and name, and more keys, are not remembered, those that came first and are not connected. */
export const MOST_REMEMBERED = 10_000

interface Place {
  /** What the worker's process says of itself, if it does. */
  own: string | undefined
  connections: number
}

/** A worker that holds a key. */
interface Holder {
  readonly network: string
  /** Of its newest connection: the address and the name. */
  pair: string
  connections: number
}

/** What a worker says of itself. */
export interface Credentials {
  /** A key that its process has made for itself. */
  readonly own?: string | undefined
  /** The public key that it has proved to hold. */
  readonly identity?: string | undefined
}

/** Who a worker is. */
export interface WorkerIdentity {
  /** Outlasts its connections. */
  readonly key: string
  /** Its connection has ended, or was not admitted. Called once. */
  leave(): void
}

export class Identities {
  readonly #mostExpelled: number
  readonly #places = new Map<string, Place[]>()
  /** By their public keys. */
  readonly #holders = new Map<string, Holder>()
  /** How many of them each network has, if any. */
  readonly #holdersOf = new Map<string, number>()
  readonly #expelled = new Set<string>()
  /** A worker that was expelled from an address under a name, and those that were from a network; of each the newest. */
  readonly #expelledAt = new Map<string, string>()
  readonly #expelledOf = new Map<string, Set<string>>()

  /** @param mostExpelled so many workers of one address may be expelled before it gets no new ones in */
  constructor(mostExpelled = MOST_EXPELLED_PER_ADDRESS) {
    this.#mostExpelled = mostExpelled
  }

  enter(address: string, name: string, { own, identity }: Credentials = {}): WorkerIdentity {
    const network = networkOf(address)
    const pair = JSON.stringify([address, name])
    return identity === undefined ? this.#place(network, pair, own) : this.#holder(network, pair, identity)
  }

  /** A worker, by its key, may not come back. */
  expel(key: string): void {
    if (this.#expelled.has(key)) return
    this.#expelled.add(key)
    keepNewest(this.#expelled, MOST_REMEMBERED)
    const where = this.#whereIs(key)
    if (!where) return
    const { pair, network } = where
    this.#expelledAt.set(pair, key)
    keepNewest(this.#expelledAt, MOST_REMEMBERED)
    const others = this.#expelledOf.get(network) ?? new Set()
    this.#expelledOf.set(network, others.add(key))
    keepNewest(this.#expelledOf, MOST_REMEMBERED)
  }

  /** Whether a worker, by its key, was expelled. */
  isExpelled(key: string): boolean {
    return this.#expelled.has(key)
  }

  /** The expelled worker for which a new one is taken, if it is for one. */
  #suspect(network: string, pair: string): WorkerIdentity | undefined {
    const others = this.#expelledOf.get(network)
    const key =
      this.#expelledAt.get(pair) ?? (others && others.size >= this.#mostExpelled ? [...others].at(-1) : undefined)
    return key === undefined ? undefined : { key, leave: () => {} }
  }

  #holder(network: string, pair: string, identity: string): WorkerIdentity {
    const key = `${OF_HOLDER}${identity}`
    const known = this.#holders.get(identity)
    const suspect = known || this.#expelled.has(key) ? undefined : this.#suspect(network, pair)
    if (suspect) return suspect
    const holder = known ?? this.#addHolder(identity, { network, pair, connections: 0 })
    holder.pair = pair
    holder.connections++
    return {
      key,
      leave: () => {
        holder.connections--
      },
    }
  }

  #place(network: string, pair: string, own: string | undefined): WorkerIdentity {
    const places = this.#places.get(pair) ?? []
    let at = own === undefined ? -1 : places.findIndex(place => place.own === own)
    if (at < 0) {
      const suspect = this.#suspect(network, pair)
      if (suspect) return suspect
      at = places.findIndex(({ connections }) => connections === 0)
    }
    if (at < 0) at = places.push({ own, connections: 0 }) - 1
    if (!this.#places.has(pair)) this.#addPair(pair, places)
    const place = places[at]!
    place.own = own
    place.connections++
    return {
      key: JSON.stringify([pair, at]),
      leave: () => {
        place.connections--
      },
    }
  }

  #whereIs(key: string): Pick<Holder, 'network' | 'pair'> | undefined {
    if (key.startsWith(OF_HOLDER)) return this.#holders.get(key.slice(OF_HOLDER.length))
    const [pair] = JSON.parse(key) as [string]
    const [address] = JSON.parse(pair) as [string]
    return { pair, network: networkOf(address) }
  }

  #addHolder(identity: string, holder: Holder): Holder {
    const { network } = holder
    this.#holders.set(identity, holder)
    this.#holdersOf.set(network, (this.#holdersOf.get(network) ?? 0) + 1)
    if (this.#holders.size > MOST_REMEMBERED) this.#forgetHolder(identity)
    return holder
  }

  /** One of the network that has the most: who makes thousands of keys drives out none but its own. @param newest is not forgotten */
  #forgetHolder(newest: string): void {
    const crowds = [...this.#holdersOf].sort(([, a], [, b]) => b - a)
    for (const [crowd, count] of crowds)
      for (const [identity, { network, connections }] of this.#holders) {
        if (network !== crowd || connections > 0 || identity === newest) continue
        this.#holders.delete(identity)
        if (count > 1) this.#holdersOf.set(crowd, count - 1)
        else this.#holdersOf.delete(crowd)
        return
      }
  }

  #addPair(pair: string, places: Place[]): void {
    this.#places.set(pair, places)
    if (this.#places.size <= MOST_REMEMBERED) return
    for (const [old, others] of this.#places) {
      if (old === pair || others.some(({ connections }) => connections > 0)) continue
      this.#places.delete(old)
      return
    }
  }
}

/** What the keys begin with of workers that hold one; the others' are JSON. */
const OF_HOLDER = 'key '
