/**
 * Who may see a page. Browsers cannot send a token with a WebSocket, so a link carries a ticket instead: whoever has its token gives it out, it
 * counts once, and not for long. It is exchanged for a cookie, which counts as long as the view does, and only from the origin of the page
 * that exchanged it: a page of another port of the same host has the same cookies.
 *
 * An answer may be lost on its way, and a ticket that is used with it. So a page says a word of its own with its ticket, which nobody else knows: with
 * the same word it gets the same cookie again, as long as the ticket would have counted.
 */
import { createHash, createHmac } from 'node:crypto'
import { keepNewest } from '../../shared/keep-newest.ts'
import type { PageRight } from '../../shared/page/page-messages.ts'

/** What a ticket or a cookie of a view grants. */
export interface Grant {
  /** Name of the view. */
  readonly view: string
  readonly rights: readonly PageRight[]
}

export interface TicketPorts {
  /** ms */
  now(): number
  /** A secret that cannot be guessed. */
  secret(): string
}

/** What a ticket or a cookie grants to a tab that traces: to be a worker. */
export interface WorkGrant {
  readonly right: 'work'
}

/** How long a ticket counts, ms: that of a view is opened by who asked for it, that of a tab is sent to somebody. */
export const TICKET_MS = 60_000
export const WORK_TICKET_MS = 600_000
/** The most that are remembered, of each kind: the oldest make room. */
const MOST_TICKETS = 64
const MOST_COOKIES = 512

export class Tickets<G extends object> {
  readonly #ports: TicketPorts
  readonly #countsMs: number
  /** By the hashes of the secrets, so that looking one up says nothing of it. */
  readonly #tickets = new Map<string, { readonly grant: G; readonly until: number }>()
  readonly #cookies = new Map<string, { readonly grant: G; readonly origin: string }>()
  /** Tickets that were exchanged with a word, by which the same page may ask again. */
  readonly #used = new Map<string, { readonly grant: G; readonly by: string; readonly until: number }>()
  /** Cookies that may have to be said again are made with it, instead of being kept. */
  readonly #seed: string

  /** @param countsMs how long a ticket counts */
  constructor(ports: TicketPorts, countsMs = TICKET_MS) {
    this.#ports = ports
    this.#countsMs = countsMs
    this.#seed = ports.secret()
  }

  issue(grant: G): string {
    const ticket = this.#ports.secret()
    this.#tickets.set(hashOf(ticket), { grant, until: this.#ports.now() + this.#countsMs })
    keepNewest(this.#tickets, MOST_TICKETS)
    return ticket
  }

  /**
   * Exchanges a ticket for a cookie that counts from this origin; undefined if it counts no more.
   * @param word of the page that asks, if it wants to be able to ask again
   */
  exchange(ticket: string, origin: string, word?: string): string | undefined {
    const hash = hashOf(ticket)
    const found = this.#tickets.get(hash)
    this.#tickets.delete(hash)
    const repeatable = word === undefined ? undefined : this.#repeatable(ticket, origin, word)
    if (!found) return this.#again(hash, repeatable)
    const { grant, until } = found
    if (this.#ports.now() > until) return undefined
    const cookie = repeatable ?? this.#ports.secret()
    if (repeatable !== undefined) {
      this.#used.set(hash, { grant, until, by: hashOf(repeatable) })
      keepNewest(this.#used, MOST_TICKETS)
    }
    this.#cookies.set(hashOf(cookie), { grant, origin })
    keepNewest(this.#cookies, MOST_COOKIES)
    return cookie
  }

  /** The cookie of a ticket that was used with the same word, from the same origin. */
  #again(ticket: string, cookie: string | undefined): string | undefined {
    const used = this.#used.get(ticket)
    if (!used || cookie === undefined || used.by !== hashOf(cookie) || this.#ports.now() > used.until) return undefined
    return this.#cookies.has(used.by) ? cookie : undefined
  }

  #repeatable(ticket: string, origin: string, word: string): string {
    const text = JSON.stringify([ticket, origin, word])
    return createHmac('sha256', this.#seed).update(text).digest('base64url')
  }

  /** What a cookie grants to a page of this origin. */
  grantOf(cookie: string | undefined, origin: string | undefined): G | undefined {
    const found = cookie === undefined ? undefined : this.#cookies.get(hashOf(cookie))
    return found && found.origin === origin ? found.grant : undefined
  }

  /** What these grants are for is over: nothing counts for it any more. */
  revoke(isOver: (grant: G) => boolean): void {
    for (const known of [this.#tickets, this.#cookies, this.#used])
      for (const [hash, { grant }] of known) if (isOver(grant)) known.delete(hash)
  }
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64')
