/** The views that a client has its master show on its page. They end with its connection. */
import { messageOf, SortfirstError } from '../../shared/errors.ts'
import type { AskedScene } from '../../shared/page/hand.ts'
import type { ViewFacts } from '../../shared/page/view-offer.ts'
import type { Channel } from '../../shared/protocol/channel.ts'
import type { FromClient } from '../../shared/protocol/client-messages.ts'
import { MAX_REASON } from '../../shared/protocol/messages.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import { shortened } from '../../shared/text/printable.ts'
import type { ShownView } from '../page/view-source.ts'
import { MOST_PAGES, type OfferedView } from '../page/views.ts'

/** What it needs from its master. */
export interface ViewJobs {
  offerView(shown: ShownView): Promise<OfferedView>
  /** Rejects if the scene contradicts itself. */
  checkScene(scene: NamedScene): Promise<void>
}

type Said = Extract<FromClient, { readonly view: number }>

/** Questions for scenes that a client has not answered, of one view: a page has one. */
const MOST_ASKED = 2 * MOST_PAGES

/** Pages that wait for another scene of a view. */
class AskedScenes {
  readonly #send: (ask: number, asked: AskedScene) => void
  readonly #waiting = new Map<number, { resolve(scene: NamedScene): void; reject(why: Error): void }>()
  #count = 0

  constructor(send: (ask: number, asked: AskedScene) => void) {
    this.#send = send
  }

  ask(asked: AskedScene): Promise<NamedScene> {
    if (this.#waiting.size >= MOST_ASKED)
      return Promise.reject(new Error('too many pages wait for another scene: try again'))
    const ask = this.#count++
    return new Promise((resolve, reject) => {
      this.#waiting.set(ask, { resolve, reject })
      this.#send(ask, asked)
    })
  }

  /** An answer to a question; undefined if nobody waits for it. */
  take(ask: number) {
    const waiting = this.#waiting.get(ask)
    this.#waiting.delete(ask)
    return waiting
  }

  end(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error('the view has ended'))
    this.#waiting.clear()
  }
}

/** Views of a client. */
const MOST_VIEWS = 8

export class ClientViews {
  readonly #channel: Channel
  readonly #jobs: ViewJobs
  readonly #sent: (scene: string) => NamedScene | undefined
  /** Undefined while one is being checked. */
  readonly #views = new Map<number, OfferedView | undefined>()
  /** Of views whose client makes other scenes. */
  readonly #asked = new Map<number, AskedScenes>()
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
      case 'scene-made':
        return void this.#made(said)
      case 'scene-not-made':
        return this.#asked.get(view)?.take(said.ask)?.reject(new Error(said.reason))
      case 'end-view':
        this.#views.get(view)?.close()
        this.#views.delete(view)
        this.#noMore(view)
    }
  }

  /** The client has disconnected. */
  end(): void {
    this.#isOver = true
    for (const view of this.#views.values()) view?.close()
    this.#views.clear()
    for (const view of [...this.#asked.keys()]) this.#noMore(view)
  }

  async #made({ view, ask, scene: name }: Extract<Said, { type: 'scene-made' }>): Promise<void> {
    // Its view may have ended.
    const waiting = this.#asked.get(view)?.take(ask)
    if (!waiting) return
    try {
      const scene = this.#sent(name)
      if (!scene) throw new ProtocolError('it names a scene that was not sent')
      await this.#jobs.checkScene(scene)
      waiting.resolve(scene)
    } catch (error) {
      waiting.reject(new Error(`the scene that sortfirst view has made: ${messageOf(error)}`))
    }
  }

  #noMore(view: number): void {
    this.#asked.get(view)?.end()
    this.#asked.delete(view)
  }

  /** What pages ask of the client. */
  #sourceOf(view: number, { light }: ViewFacts): Pick<ShownView, 'source'> {
    if (!light) return {}
    const scenes = new AskedScenes((ask, asked) => this.#channel.send({ type: 'want-scene', view, ask, asked }))
    this.#asked.set(view, scenes)
    return { source: { light, scene: asked => scenes.ask(asked) } }
  }

  async #offer({ view, order, facts }: Extract<Said, { type: 'offer-view' }>): Promise<void> {
    this.#views.set(view, undefined)
    try {
      const scene = this.#sent(order.scene)
      if (!scene) throw new ProtocolError('the view names a scene that was not sent')
      if (order.kind !== 'viewer') throw new ProtocolError(`a view is a viewer, got an order for a ${order.kind}`)
      const offered = await this.#jobs.offerView({ order, scene, facts, ...this.#sourceOf(view, facts) })
      if (this.#isOver || !this.#views.has(view)) return offered.close()
      this.#views.set(view, offered)
      this.#show(view)
    } catch (error) {
      this.#views.delete(view)
      this.#noMore(view)
      const code = error instanceof SortfirstError ? error.code : 'INTERNAL'
      this.#channel.send({ type: 'view-refused', view, code, reason: shortened(messageOf(error), MAX_REASON) })
    }
  }

  #show(view: number): void {
    const offered = this.#views.get(view)
    if (offered) this.#channel.send({ type: 'view-shown', view, ticket: offered.ticket() })
  }
}
