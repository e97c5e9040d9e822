/** How many connections there are, in all and from each address. One address cannot take the places of all others. */
import type { CONNECTIONS } from '../../shared/protocol/peer-limits.ts'

export type ConnectionLimits = Readonly<Record<keyof typeof CONNECTIONS, number>>

/** Why there is no room for a connection. */
export interface NoRoom {
  /** Which connection has to be closed before there is: one of this network, or, undefined, any. */
  readonly network: string | undefined
  readonly sentence: string
}

export class Connections {
  readonly #limits: ConnectionLimits
  readonly #ofNetwork = new Map<string, number>()
  #count = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Those that were admitted and have not left. */
  get count(): number {
    return this.#count
  }

  /** Counts a connection, if there is room for it. A connection that is admitted has to leave. */
  enter(network: string): NoRoom | undefined {
    const { total, perAddress } = this.#limits
    const own = this.#ofNetwork.get(network) ?? 0
    if (own >= perAddress) {
      const sentence = `too many connections from ${network}: expected at most ${perAddress} (--max-connections-per-address)`
      return { network, sentence }
    }
    if (this.#count >= total)
      return { network: undefined, sentence: `too many connections: expected at most ${total} (--max-connections)` }
    this.#ofNetwork.set(network, own + 1)
    this.#count++
    return undefined
  }

  leave(network: string): void {
    const own = this.#ofNetwork.get(network)! - 1
    if (own > 0) this.#ofNetwork.set(network, own)
    else this.#ofNetwork.delete(network)
    this.#count--
  }
}

/** Who uses an address: an IPv4 address, also in its IPv6 form, or a network of IPv6, of which one machine has all 2^64 addresses. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail = ''] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  while (groups.length + after.length < 8 && groups.length < 4) groups.push('0')
  return `${[...groups, ...after].slice(0, 4).join(':')}::/64`
}
