/** The views that a client has its master show on the master's page. */
import type { ViewSource } from '../../master/page/view-source.ts'
import { CancelledError, messageOf } from '../../shared/errors.ts'
import type { ViewFacts } from '../../shared/page/view-offer.ts'
import type { FromClient, ToClient } from '../../shared/protocol/client-messages.ts'
import { MAX_REASON } from '../../shared/protocol/messages.ts'
import { SESSION_VERSION, type SessionOrder } from '../../shared/protocol/session-order.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import { shortened } from '../../shared/text/printable.ts'
import { RemoteError } from './remote-errors.ts'
import type { SceneOffers, SceneUser } from './scene-offers.ts'
import { linkOf, type ShownScene } from './shown-view.ts'

interface Waiting {
  resolve(ticket: string): void
  reject(error: unknown): void
}

/** A view whose scene is made anew when its pages ask for that. */
interface Making {
  readonly source: Pick<ViewSource, 'scene'>
  readonly user: SceneUser
}

export class RemoteViews {
  readonly #url: string
  readonly #send: (message: FromClient) => void
  readonly #offers: Pick<SceneOffers, 'bring' | 'withdraw'>
  /** What makes other scenes of a view. */
  readonly #sources = new Map<number, Making>()
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
  async show(
    order: SessionOrder,
    scene: NamedScene,
    facts: ViewFacts,
    signal: AbortSignal,
    source?: Pick<ViewSource, 'light' | 'scene'>,
  ): Promise<ShownScene> {
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
    if (source) this.#sources.set(view, { source, user })
    const offered = source ? { ...facts, light: source.light } : facts
    this.#send({ type: 'offer-view', view, version: SESSION_VERSION, order, facts: offered })
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
      close: () => {
        user.isOver = true
        this.#sources.delete(view)
        this.#offers.withdraw(user)
        this.#send({ type: 'end-view', view })
      },
    }
  }

  hear(said: Extract<ToClient, { readonly view: number }>): void {
    if (said.type === 'want-scene') return void this.#make(said)
    const waiting = this.#waiting.get(said.view)?.shift()
    if (said.type === 'view-shown') waiting?.resolve(said.ticket)
    else waiting?.reject(new RemoteError(said.code, said.reason))
  }

  /** The connection is over. */
  lost(why: unknown): void {
    this.#lose(why)
  }

  async #make({ view, ask, asked }: Extract<ToClient, { type: 'want-scene' }>): Promise<void> {
    const making = this.#sources.get(view)
    // It was on its way when the view ended.
    if (!making) return
    const { source, user } = making
    try {
      const scene = await source.scene(asked)
      await this.#offers.bring(scene, user)
      if (!user.isOver) this.#send({ type: 'scene-made', view, ask, scene: scene.hash })
    } catch (error) {
      const reason = shortened(messageOf(error), MAX_REASON)
      if (!user.isOver) this.#send({ type: 'scene-not-made', view, ask, reason })
    }
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
