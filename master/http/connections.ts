/** How many connections there are, in all and from each address. One address cannot take the places of all others. */
import type { CONNECTIONS } from '../../shared/protocol/peer-limits.ts'

export type ConnectionLimits = Readonly<Record<keyof typeof CONNECTIONS, number>>

export class Connections {
  readonly #limits: ConnectionLimits
  readonly #ofAddress = new Map<string, number>()
  #count = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Those that were admitted and have not left. */
  get count(): number {
    return this.#count
  }

  /** Counts a connection; the answer is why there is no room for it, if there is none. Whoever is admitted has to leave. */
  enter(address: string): string | undefined {
    const { total, perAddress } = this.#limits
    const from = networkOf(address)
    const own = this.#ofAddress.get(from) ?? 0
    if (own >= perAddress)
      return `too many connections from ${from}: expected at most ${perAddress} (--max-connections-per-address)`
    if (this.#count >= total) return `too many connections: expected at most ${total} (--max-connections)`
    this.#ofAddress.set(from, own + 1)
    this.#count++
    return undefined
  }

  leave(address: string): void {
    const from = networkOf(address)
    const own = this.#ofAddress.get(from)! - 1
    if (own > 0) this.#ofAddress.set(from, own)
    else this.#ofAddress.delete(from)
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
