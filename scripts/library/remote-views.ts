/** The views that a client has its master show on the master's page. */
import { CancelledError } from '../../shared/errors.ts'
import type { ViewFacts } from '../../shared/page/view-offer.ts'
import type { FromClient, ToClient } from '../../shared/protocol/client-messages.ts'
import { SESSION_VERSION, type SessionOrder } from '../../shared/protocol/session-order.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import { RemoteError } from './remote-errors.ts'
import type { SceneOffers } from './scene-offers.ts'
import { linkOf, type ShownScene } from './shown-view.ts'

interface Waiting {
  resolve(ticket: string): void
  reject(error: unknown): void
}

export class RemoteViews {
  readonly #url: string
  readonly #send: (message: FromClient) => void
  readonly #offers: Pick<SceneOffers, 'bring' | 'withdraw'>
  /** Who waits for a ticket of a view, the first to ask first. */
  readonly #waiting = new Map<number, Waiting[]>()
  readonly #lost: Promise<never>
  #lose: (why: unknown) => void = () => {}
  #count = 0

  constructor(url: string, send: (message: FromClient) => void, offers: Pick<SceneOffers, 'bring' | 'withdraw'>) {
    this.#url = url
    this.#send = send
    this.#offers = offers
    this.#lost = new Promise((_, reject) => {
      this.#lose = reject
    })
    this.#lost.catch(() => {})
  }

  /** Rejects with RemoteError if the master does not show it, or has no room for its scene; with CancelledError when the signal aborts. */
  async show(order: SessionOrder, scene: NamedScene, facts: ViewFacts, signal: AbortSignal): Promise<ShownScene> {
    const view = this.#count++
    const user = { isOver: false, say: () => {} }
    const bring = this.#offers.bring(scene, user)
    const cancelled = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new CancelledError()), { once: true })
    })
    cancelled.catch(() => {})
    try {
      await Promise.race([bring, this.#lost, cancelled])
    } catch (error) {
      user.isOver = true
      this.#offers.withdraw(user)
      throw error
    }
    const first = this.#ticket(view)
    this.#send({ type: 'offer-view', view, version: SESSION_VERSION, order, facts })
    let ticket: string | undefined = await Promise.race([first, this.#lost, cancelled])
    return {
      lost: this.#lost,
      link: async () => {
        const now = ticket
        ticket = undefined
        if (now !== undefined) return linkOf(this.#url, now)
        const next = this.#ticket(view)
        this.#send({ type: 'want-ticket', view })
        return linkOf(this.#url, await Promise.race([next, this.#lost]))
      },
      close: () => this.#send({ type: 'end-view', view }),
    }
  }

  hear(said: Extract<ToClient, { readonly view: number }>): void {
    const waiting = this.#waiting.get(said.view)?.shift()
    if (said.type === 'view-shown') waiting?.resolve(said.ticket)
    else waiting?.reject(new RemoteError(said.code, said.reason))
  }

  /** The connection is over. */
  lost(why: unknown): void {
    this.#lose(why)
  }

  #ticket(view: number): Promise<string> {
    const ticket = new Promise<string>((resolve, reject) => {
      const waiting = this.#waiting.get(view) ?? []
      this.#waiting.set(view, waiting)
      waiting.push({ resolve, reject })
    })
    ticket.catch(() => {})
    return ticket
  }
}
