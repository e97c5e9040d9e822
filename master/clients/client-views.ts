/** The views that a client has its master show on its page. They end with its connection. */
import { messageOf, SortfirstError } from '../../shared/errors.ts'
import type { Channel } from '../../shared/protocol/channel.ts'
import type { FromClient } from '../../shared/protocol/client-messages.ts'
import { MAX_REASON } from '../../shared/protocol/messages.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import { shortened } from '../../shared/text/printable.ts'
import type { ShownView } from '../page/view-source.ts'
import type { OfferedView } from '../page/views.ts'

/** What it needs from its master. */
export interface ViewJobs {
  offerView(shown: ShownView): Promise<OfferedView>
}

type Said = Extract<FromClient, { readonly view: number }>

/** Views of a client. */
const MOST_VIEWS = 8

export class ClientViews {
  readonly #channel: Channel
  readonly #jobs: ViewJobs
  readonly #sent: (scene: string) => NamedScene | undefined
  /** Undefined while one is being checked. */
  readonly #views = new Map<number, OfferedView | undefined>()
  /** All lower numbers have been used. */
  #next = 0
  #isOver = false

  /** @param sent the scenes that the client has sent */
  constructor(channel: Channel, jobs: ViewJobs, sent: (scene: string) => NamedScene | undefined) {
    this.#channel = channel
    this.#jobs = jobs
    this.#sent = sent
  }

  get count(): number {
    return this.#views.size
  }

  /** @throws ProtocolError */
  hear(said: Said): void {
    const { view } = said
    switch (said.type) {
      case 'offer-view':
        if (view < this.#next || this.#views.size >= MOST_VIEWS)
          throw new ProtocolError(`view ${view}: expected at most ${MOST_VIEWS}, with numbers that are each used once`)
        this.#next = view + 1
        return void this.#offer(said)
      case 'want-ticket':
        // It may have ended meanwhile.
        return this.#show(view)
      case 'end-view':
        this.#views.get(view)?.close()
        this.#views.delete(view)
    }
  }

  /** The client has disconnected. */
  end(): void {
    this.#isOver = true
    for (const view of this.#views.values()) view?.close()
    this.#views.clear()
  }

  async #offer({ view, order, facts }: Extract<Said, { type: 'offer-view' }>): Promise<void> {
    this.#views.set(view, undefined)
    try {
      const scene = this.#sent(order.scene)
      if (!scene) throw new ProtocolError('the view names a scene that was not sent')
      if (order.kind !== 'viewer') throw new ProtocolError(`a view is a viewer, got an order for a ${order.kind}`)
      const offered = await this.#jobs.offerView({ order, scene, facts })
      if (this.#isOver || !this.#views.has(view)) return offered.close()
      this.#views.set(view, offered)
      this.#show(view)
    } catch (error) {
      this.#views.delete(view)
      const code = error instanceof SortfirstError ? error.code : 'INTERNAL'
      this.#channel.send({ type: 'view-refused', view, code, reason: shortened(messageOf(error), MAX_REASON) })
    }
  }

  #show(view: number): void {
    const offered = this.#views.get(view)
    if (offered) this.#channel.send({ type: 'view-shown', view, ticket: offered.ticket() })
  }
}
