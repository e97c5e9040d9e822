/**
 * The master's doors: who may read what it says of itself, and who may open a WebSocket. Decided from the headers of a request, before
 * anything else of it is looked at.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { AccessDeniedError } from '../../shared/access/access-denied.ts'
import { RIGHTS, type Right, type Tokens } from '../../shared/access/tokens.ts'
import type { PlainReason } from '../cluster/refusals.ts'
import { rightsBySecret } from './granted-rights.ts'
import { hostAllowed, originAllowed } from './origin.ts'

/** What is known of a request before it is answered. */
export interface Caller {
  readonly headers: Pick<IncomingHttpHeaders, 'authorization' | 'origin' | 'host'>
  readonly address: string
}

/** An HTTP status and a sentence, which never contains anything that the caller sent. */
export interface Refusal {
  /** As it is counted. */
  readonly why: PlainReason
  readonly status: number
  readonly reason: string
  readonly headers: Readonly<Record<string, string>>
}

export type Passage = { readonly rights: ReadonlySet<Right> } | { readonly refusal: Refusal }

export interface AccessOptions {
  /** Undefined: everybody may do everything. */
  readonly tokens: Tokens | undefined
  /** The host that the master was told to listen on. */
  readonly listensOn: string
}

export class Access {
  readonly #rightsOf: ((secret: string) => ReadonlySet<Right>) | undefined
  readonly #listensOn: string

  constructor({ tokens, listensOn }: AccessOptions) {
    this.#rightsOf = tokens && rightsBySecret(tokens)
    this.#listensOn = listensOn
  }

  /** For an HTTP request. */
  reading({ headers }: Pick<Caller, 'headers'>): Passage {
    // A page whose name was pointed here may read the answers as its own, but it has no token.
    if (!this.#rightsOf && !hostAllowed(headers.host, this.#listensOn))
      return refused('other-name', 403, 'this master is not known by that name; use its address')
    const passage = this.#byToken(headers.authorization)
    if ('refusal' in passage || grantsOneOf(passage.rights, 'viewer', 'client', 'operate')) return passage
    return refused(
      'no-access',
      403,
      'the token is that of workers, which may not read this; use that of viewers or clients',
    )
  }

  /** For a WebSocket. What it is opened for is said, and compared with its rights, in the hello. */
  joining({ headers }: Pick<Caller, 'headers'>): Passage {
    if (!originAllowed(headers, this.#listensOn))
      return refused('other-origin', 403, 'a web page of another origin cannot use this master')
    const passage = this.#byToken(headers.authorization)
    if ('refusal' in passage || grantsOneOf(passage.rights, 'worker', 'client', 'operate')) return passage
    return refused(
      'no-access',
      403,
      'the token is that of viewers, which may not connect; use that of workers or clients',
    )
  }

  #byToken(authorization: string | undefined): Passage {
    if (!this.#rightsOf) return { rights: new Set(RIGHTS) }
    const secret = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (secret === undefined) return refused('no-access', 401, 'a token is needed', CHALLENGE)
    // However many wrong ones have come from its address: who has a right one is never locked out by those who have not.
    const rights = this.#rightsOf(secret)
    if (rights.size > 0) return { rights }
    return refused('no-access', 401, 'the token is wrong', CHALLENGE)
  }
}

/** Who operates connects as a client. @throws AccessDeniedError */
export function checkRole(role: 'worker' | 'client', rights: ReadonlySet<Right>): void {
  if (rights.has(role) || (role === 'client' && rights.has('operate'))) return
  throw new AccessDeniedError(
    `expected the token of a ${role}, got that of a ${holderOf(rights)}; set SORTFIRST_TOKEN or --token-file to the right one`,
  )
}

/** @param what needs the right: 'open a session' @throws AccessDeniedError */
export function checkRight(right: Right, rights: ReadonlySet<Right>, what: string): void {
  if (rights.has(right)) return
  throw new AccessDeniedError(
    `to ${what}: expected a token with the right '${right}', got that of a ${holderOf(rights)}; the master's tokens grant it in a line ${right}=…`,
  )
}

const grantsOneOf = (rights: ReadonlySet<Right>, ...some: readonly Right[]): boolean =>
  some.some(right => rights.has(right))

const holderOf = (rights: ReadonlySet<Right>): string =>
  [...rights].map(right => (right === 'operate' ? 'operator' : right)).join(' and ')

const CHALLENGE = { 'www-authenticate': 'Bearer realm="sortfirst"' } as const

const refused = (why: PlainReason, status: number, reason: string, headers: Refusal['headers'] = {}): Passage => ({
  refusal: { why, status, reason, headers },
})
