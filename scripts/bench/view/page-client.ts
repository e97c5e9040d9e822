/** A page without a browser: speaks the page's protocol, draws nothing, and keeps what it is sent. For benches and tests. */
import { once } from 'node:events'
import { type RawData, WebSocket } from 'ws'
import type { FromPage } from '../../../shared/page/from-page.ts'
import type { PageRoom, PageView, PictureFacts, ToPage } from '../../../shared/page/page-messages.ts'
import { unpackPicture } from '../../../shared/page/page-pictures.ts'

/** A picture as it came. */
export interface Came {
  readonly facts: PictureFacts
  readonly file: Uint8Array
  /** When, on this machine's clock; and since its view was asked for, ms. */
  readonly at: number
  readonly latencyMs: number
}

interface ClientEvents {
  /** Before the picture counts as drawn. */
  picture?(came: Came): void
  said?(message: ToPage): void
}

/** The cookie that a ticket is exchanged for. @throws Error with the master's words if it counts no more */
export async function exchangeTicket(link: string, origin = new URL(link).origin): Promise<string> {
  const url = new URL(link)
  const ticket = url.hash.slice(1)
  url.hash = ''
  const answer = await fetch(new URL('access', url), {
    method: 'POST',
    headers: { origin },
    body: JSON.stringify({ ticket }),
  })
  const text = (await answer.text()).trim()
  if (!answer.ok) throw new Error(text)
  return answer.headers.get('set-cookie')!.split(';')[0]!
}

export class PageClient {
  readonly #socket: WebSocket
  readonly #events: ClientEvents
  readonly #asked = new Map<number, number>()
  /** Whether pictures are said to be drawn as soon as they come. */
  #draws = true
  readonly #undrawn: number[] = []
  #seq = 0
  #room: PageRoom | undefined
  readonly view: Promise<PageView>
  /** Resolves with the master's words when it closes. */
  readonly closed: Promise<string>

  private constructor(socket: WebSocket, events: ClientEvents) {
    this.#socket = socket
    this.#events = events
    this.view = new Promise((resolve, reject) => {
      socket.on('message', (data, isBinary) => {
        if (isBinary) return this.#take(data)
        const message = JSON.parse(data.toString()) as ToPage
        if (message.type === 'view') resolve(message)
        if (message.type === 'room') this.#room = message
        events.said?.(message)
      })
      socket.on('close', (_, reason) => reject(new Error(`the master closed: ${reason}`)))
    })
    this.closed = once(socket, 'close').then(([, reason]) => `${reason}`)
    this.view.catch(() => {})
  }

  /** @param link as `sortfirst view` prints it. Rejects if it counts no more */
  static async open(link: string, events: ClientEvents = {}, cookie?: string): Promise<PageClient> {
    const { origin } = new URL(link)
    const url = new URL('view', link)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    url.hash = ''
    const headers = { cookie: cookie ?? (await exchangeTicket(link)) }
    const socket = new WebSocket(url, { perMessageDeflate: false, origin, headers })
    const client = new PageClient(socket, events)
    await once(socket, 'open')
    return client
  }

  /** Asks for a view, and moves it from now on, whoever did; returns its number. */
  look(look: Pick<Extract<FromPage, { type: 'look' }>, 'viewpoint' | 'size'>, tiles = false): number {
    const { you, driver } = this.#room ?? { you: 1, driver: 0 }
    // A page before this one may not be known to be gone.
    if (you !== driver) this.say({ type: 'take-over' })
    const seq = ++this.#seq
    this.#asked.set(seq, performance.now())
    this.say({ type: 'look', seq, ...look, tiles })
    return seq
  }

  say(message: FromPage): void {
    this.#socket.send(JSON.stringify(message))
  }

  /** A piece of the scene file that the master was told of. */
  piece(bytes: Uint8Array): void {
    this.#socket.send(bytes)
  }

  /** Draws nothing until `resume`: what comes waits. */
  stall(): void {
    this.#draws = false
  }

  resume(): void {
    this.#draws = true
    for (const picture of this.#undrawn.splice(0)) this.say({ type: 'drawn', picture })
  }

  async close(): Promise<void> {
    const closed = once(this.#socket, 'close')
    this.#socket.close()
    await closed
  }

  #take(data: RawData): void {
    const { facts, file } = unpackPicture(new Uint8Array(data as Buffer))
    const at = performance.now()
    this.#events.picture?.({ facts, file, at, latencyMs: at - (this.#asked.get(facts.seq) ?? at) })
    if (this.#draws) this.say({ type: 'drawn', picture: facts.picture })
    else this.#undrawn.push(facts.picture)
  }
}
