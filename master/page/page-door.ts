/**
 * The page's part of the master's port: its files, which hold no secret and are for everybody; the exchange of a ticket for a cookie; and
 * WebSockets, for who has a cookie. Paths count by their last part alone, so that a proxy may put any prefix before them, and the page names
 * everything relative to itself.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from '../http/access.ts'
import type { OfferedFile } from './offered-files.ts'
import { PageFiles } from './page-files.ts'
import type { Grant, Tickets, WorkGrant } from './tickets.ts'

export interface PageDoorOptions {
  readonly tickets: Tickets<Grant>
  /** Of tabs that are to trace. */
  readonly workTickets: Tickets<WorkGrant>
  /** What pages have asked for, by its address; undefined: it is gone. */
  readonly takeFile: (address: string) => OfferedFile | undefined
  /** Whether connections are encrypted. */
  readonly isSecure: boolean
  refused(why: string, address: string): void
}

/** The most bytes of a request for access. */
const MOST_BYTES = 1024

/** Nothing of any other origin, nothing inline, no frame around it; and the page is alone with its memory. */
const policy = (scripts: string): string =>
  `default-src 'none'; script-src ${scripts}; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
const HEADERS = {
  'content-security-policy': policy("'self'"),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const
/** Of threads that trace. */
const COMPILES = { 'content-security-policy': policy("'self' 'wasm-unsafe-eval'") } as const

/** Who a cookie is for: they do not take each other's. */
type Guest = 'view' | 'work'
/** The paths, by their last part, at which tickets are exchanged. */
const EXCHANGES: Readonly<Record<string, Guest>> = { access: 'view', 'work-access': 'work' }

export class PageDoor {
  readonly #options: PageDoorOptions
  readonly #files = new PageFiles()

  constructor(options: PageDoorOptions) {
    this.#options = options
  }

  /** Answers a request of the page; false if it is none. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method } = request
    const name = lastPart(request.url)
    const guest = method === 'POST' && Object.hasOwn(EXCHANGES, name) ? EXCHANGES[name] : undefined
    if (guest) {
      void this.#access(request, response, guest)
      return true
    }
    const asked = method === 'GET' && name.startsWith('file-') ? this.#options.takeFile(name) : undefined
    if (asked) {
      response.writeHead(200, {
        ...HEADERS,
        'content-type': asked.type,
        'content-length': asked.bytes.length,
        'content-disposition': `attachment; filename="${asked.name}"`,
      })
      response.end(asked.bytes)
      return true
    }
    const file = method === 'GET' || method === 'HEAD' ? this.#files.get(name) : undefined
    if (!file) return false
    const packs = /\bgzip\b/.test(`${request.headers['accept-encoding']}`)
    const body = packs ? file.packed : file.plain
    response.writeHead(200, {
      ...HEADERS,
      ...(file.compiles ? COMPILES : {}),
      'content-type': file.type,
      'content-length': body.length,
      vary: 'accept-encoding',
      ...(packs ? { 'content-encoding': 'gzip' } : {}),
    })
    response.end(method === 'HEAD' ? undefined : body)
    return true
  }

  /** Whether a WebSocket is that of a page. */
  isPage(request: IncomingMessage): boolean {
    return lastPart(request.url) === 'view'
  }

  /** What a page may see that opens a WebSocket. */
  joining(request: IncomingMessage): Grant | Refusal {
    return this.#grantOf(request, 'view') ?? refusalOf('view')
  }

  /** Whether a WebSocket is that of a tab that traces. */
  isTab(request: IncomingMessage): boolean {
    return lastPart(request.url) === 'work'
  }

  /** A tab that opens a WebSocket. */
  working(request: IncomingMessage): WorkGrant | Refusal {
    return this.#grantOf(request, 'work') ?? refusalOf('work')
  }

  /** Exchanges a ticket, or says whether the cookie that a page has still counts. */
  async #access(request: IncomingMessage, response: ServerResponse, guest: Guest): Promise<void> {
    const { refused, isSecure } = this.#options
    // The connection may be gone by then.
    const address = request.socket.remoteAddress ?? ''
    const answer = (status: number, text: string, headers: Record<string, string> = {}) => {
      response.writeHead(status, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8', ...headers })
      response.end(`${text}\n`)
      if (status !== 200) refused(text, address)
    }
    const { origin } = request.headers
    const asked = await askedOf(request)
    if (asked === undefined || origin === undefined) return answer(400, 'expected a ticket, from a page')
    const { ticket, word } = asked
    if (ticket === '') return this.#grantOf(request, guest) ? answer(200, 'open') : answer(401, NO_COOKIE[guest])
    const cookie = this.#ticketsOf(guest).exchange(ticket, origin, word)
    if (cookie === undefined) return answer(401, USED_TICKET[guest])
    const secure = isSecure ? '; Secure' : ''
    answer(200, 'open', { 'set-cookie': `${cookieName(request, guest)}=${cookie}; HttpOnly; SameSite=Strict${secure}` })
  }

  #grantOf<K extends Guest>(request: IncomingMessage, guest: K): GrantOf[K] | undefined {
    return this.#ticketsOf(guest).grantOf(cookieOf(request, guest), request.headers.origin)
  }

  #ticketsOf<K extends Guest>(guest: K): Tickets<GrantOf[K]> {
    const { tickets, workTickets } = this.#options
    const of: { readonly [K in Guest]: Tickets<GrantOf[K]> } = { view: tickets, work: workTickets }
    return of[guest]
  }
}

interface GrantOf {
  readonly view: Grant
  readonly work: WorkGrant
}

const refusalOf = (guest: Guest): Refusal => ({
  why: 'no-access',
  status: 401,
  reason: NO_COOKIE[guest],
  headers: {},
})

const NO_COOKIE: Readonly<Record<Guest, string>> = {
  view: 'this page needs a link: sortfirst view prints one, and so does sortfirst master --page',
  work: 'this tab needs a link: who runs the master makes one',
}
const USED_TICKET: Readonly<Record<Guest, string>> = {
  view: 'this link was used already, or is older than a minute: press Enter where sortfirst printed it, and open the new one',
  work: 'this link was used already, or is older than ten minutes: each is for one tab; ask for a new one',
}

const lastPart = (url = '/'): string => url.split(/[?#]/, 1)[0]!.split('/').at(-1)!

/** Of a master: browsers do not tell ports of a host apart. */
const cookieName = ({ socket }: IncomingMessage, guest: Guest): string =>
  `sortfirst-${guest === 'view' ? '' : `${guest}-`}${socket.localPort}`

function cookieOf(request: IncomingMessage, guest: Guest): string | undefined {
  const name = cookieName(request, guest)
  for (const each of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = each.trim().split('=')
    if (key === name && value) return value
  }
  return undefined
}

/** A word by which a page asks again is as hard to guess as a ticket, or it is none. */
const WORD = /^[\w-]{22,64}$/

/** The ticket of a request, '' if it has none, and the page's word with it; undefined for anything else. */
async function askedOf(request: IncomingMessage): Promise<{ ticket: string; word: string | undefined } | undefined> {
  const body = await bodyOf(request)
  try {
    const said: unknown = JSON.parse(body ?? '')
    if (!said || typeof said !== 'object' || !('ticket' in said) || typeof said.ticket !== 'string') return undefined
    const word = 'word' in said && typeof said.word === 'string' && WORD.test(said.word) ? said.word : undefined
    return { ticket: said.ticket, word }
  } catch {
    return undefined
  }
}

/** Undefined if it is too long, of which the rest is not read, or breaks off. */
function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let length = 0
  return new Promise(resolve => {
    request.on('data', (piece: Buffer) => {
      length += piece.length
      if (length > MOST_BYTES) {
        request.pause()
        resolve(undefined)
      } else pieces.push(piece)
    })
    request.on('end', () => resolve(Buffer.concat(pieces).toString()))
    request.on('close', () => resolve(undefined))
    request.on('error', () => resolve(undefined))
  })
}
