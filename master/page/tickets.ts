/**
 * Who may see a page. Browsers cannot send a token with a WebSocket, so a link carries a ticket instead: whoever has its token gives it out, it
 * counts once, and not for long. It is exchanged for a cookie, which counts as long as the view does, and only from the origin of the page
 * that exchanged it: a page of another port of the same host has the same cookies.
 */
import { createHash } from 'node:crypto'
import { keepNewest } from '../../shared/keep-newest.ts'
import type { PageRight } from '../../shared/page/page-messages.ts'

/** What a ticket or a cookie grants. */
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

/** How long a ticket counts, ms. */
export const TICKET_MS = 60_000
/** The most that are remembered, of each kind: the oldest make room. */
const MOST_TICKETS = 64
const MOST_COOKIES = 512

export class Tickets {
  readonly #ports: TicketPorts
  /** By the hashes of the secrets, so that looking one up says nothing of it. */
  readonly #tickets = new Map<string, Grant & { readonly until: number }>()
  readonly #cookies = new Map<string, Grant & { readonly origin: string }>()

  constructor(ports: TicketPorts) {
    this.#ports = ports
  }

  issue(grant: Grant): string {
    const ticket = this.#ports.secret()
    this.#tickets.set(hashOf(ticket), { ...grant, until: this.#ports.now() + TICKET_MS })
    keepNewest(this.#tickets, MOST_TICKETS)
    return ticket
  }

  /** Exchanges a ticket for a cookie that counts from this origin; undefined if it counts no more. */
  exchange(ticket: string, origin: string): string | undefined {
    const hash = hashOf(ticket)
    const found = this.#tickets.get(hash)
    this.#tickets.delete(hash)
    if (!found || this.#ports.now() > found.until) return undefined
    const cookie = this.#ports.secret()
    const { view, rights } = found
    this.#cookies.set(hashOf(cookie), { view, rights, origin })
    keepNewest(this.#cookies, MOST_COOKIES)
    return cookie
  }

  /** What a cookie grants to a page of this origin. */
  grantOf(cookie: string | undefined, origin: string | undefined): Grant | undefined {
    const found = cookie === undefined ? undefined : this.#cookies.get(hashOf(cookie))
    return found && found.origin === origin ? found : undefined
  }

  /** A view is over: nothing for it counts any more. */
  revoke(view: string): void {
    for (const known of [this.#tickets, this.#cookies])
      for (const [hash, grant] of known) if (grant.view === view) known.delete(hash)
  }
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64')
