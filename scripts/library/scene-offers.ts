/**
 * The scenes that a client brings to its master, one after the other: it offers each by its manifest, and sends the parts that the
 * master lacks.
 */
import type { Channel } from '../../shared/protocol/channel.ts'
import { PartSender } from '../../shared/protocol/part-transfer.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import { manifestBytes } from '../../shared/scene/manifest.ts'

/** A session that needs a scene. */
export interface SceneUser {
  /** Whether it needs no scene any more. */
  readonly isOver: boolean
  /** One line about a long operation in progress. */
  say(text: string): void
}

interface Offer {
  readonly scene: NamedScene
  readonly user: SceneUser
  readonly settled: () => void
  readonly failed: (error: unknown) => void
}

export class SceneOffers {
  readonly #channel: Channel
  readonly #sender: PartSender
  /** What the master is being offered. */
  #offer: Offer | undefined
  #last: Promise<unknown> = Promise.resolve()
  #isEnded = false

  constructor(channel: Channel) {
    this.#channel = channel
    this.#sender = new PartSender(channel)
  }

  /** Resolves when the master has all parts of the scene, or its user is over. Rejects if it cannot have them. */
  bring(scene: NamedScene, user: SceneUser): Promise<void> {
    const brought = this.#last.then(() => this.#bringNow(scene, user))
    this.#last = brought.catch(() => {})
    return brought
  }

  /** The master requests parts of a scene. */
  wanted(scene: string, parts: readonly string[]): void {
    const offer = this.#offer
    if (offer?.scene.hash !== scene) return
    if (parts.length > 0) offer.scene.content().catch(offer.failed)
    try {
      this.#sender.send(offer.scene, parts)
    } catch (error) {
      return offer.failed(error)
    }
    const asked = new Set(parts)
    const bytes = manifestBytes({ parts: offer.scene.manifest.parts.filter(({ sha256 }) => asked.has(sha256)) })
    if (bytes > 0) offer.user.say(`sending the scene to the master, ${(bytes / 2 ** 20).toFixed(0)} MiB`)
  }

  /** The master has a scene. */
  held(scene: string): void {
    if (this.#offer?.scene.hash === scene) this.#offer.settled()
  }

  /** The master has no room for a scene. */
  refused(scene: string, why: unknown): void {
    if (this.#offer?.scene.hash === scene) this.#offer.failed(why)
  }

  /** What a session was bringing is no longer wanted. */
  withdraw(user: SceneUser): void {
    if (this.#offer?.user !== user) return
    this.#sender.stop(this.#offer.scene.hash)
    this.#offer.settled()
  }

  /** The connection is over. */
  end(): void {
    this.#isEnded = true
    this.#sender.end()
    this.#offer?.settled()
  }

  async #bringNow(scene: NamedScene, user: SceneUser): Promise<void> {
    if (user.isOver || this.#isEnded) return
    try {
      await new Promise<void>((settled, failed) => {
        this.#offer = { scene, user, settled, failed }
        this.#channel.send({ type: 'offer-scene', scene: scene.hash, manifest: scene.manifest })
      })
    } catch (error) {
      this.#sender.stop(scene.hash)
      throw error
    } finally {
      this.#offer = undefined
    }
  }
}
