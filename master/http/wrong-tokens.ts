/**
 * How often an address may present a wrong token: a few times at once, then now and then, so that nobody can try many. Addresses
 * are forgotten, the least recently used first, when there are many of them.
 */
import { isIP } from 'node:net'

export interface WrongTokenLimits {
  /** Wrong tokens that an address may present at once. */
  readonly tries: number
  /** After how long it may present another one, ms. */
  readonly everyMs: number
  /** Maximum number of addresses that are remembered. */
  readonly addresses: number
}

export const DEFAULT_WRONG_TOKEN_LIMITS: WrongTokenLimits = { tries: 10, everyMs: 6000, addresses: 4096 }

/** Times are ms on the caller's clock. */
export class WrongTokens {
  readonly #limits: WrongTokenLimits
  /** When an address that stays quiet will have all its tries again, least recently used first. */
  readonly #fullAt = new Map<string, number>()

  constructor(limits: WrongTokenLimits = DEFAULT_WRONG_TOKEN_LIMITS) {
    this.#limits = limits
  }

  /** For how long no token of this address is looked at; 0 if it may present one now. */
  waitMs(address: string, now: number): number {
    const { tries, everyMs } = this.#limits
    const fullAt = this.#fullAt.get(networkOf(address)) ?? now
    return Math.max(0, fullAt - (tries - 1) * everyMs - now)
  }

  /** The address has presented a wrong token. */
  count(address: string, now: number): void {
    const { everyMs, addresses } = this.#limits
    const network = networkOf(address)
    const fullAt = Math.max(now, this.#fullAt.get(network) ?? now) + everyMs
    this.#fullAt.delete(network)
    this.#fullAt.set(network, fullAt)
    const [oldest] = this.#fullAt.keys()
    if (this.#fullAt.size > addresses && oldest !== undefined) this.#fullAt.delete(oldest)
  }

  get size(): number {
    return this.#fullAt.size
  }
}

/** An IPv4 address, or the first 64 bits of an IPv6 address, which are one machine's or one household's. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (isIP(plain) !== 6) return plain
  const [head = '', tail] = plain.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const [first, last] = [groups(head), groups(tail ?? '')]
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}
