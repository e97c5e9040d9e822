/**
 * The scenes of a client: it offers each by its manifest and sends the parts missing from the master's store, which all
 * clients share. Each client's newest few scenes are kept, and those that no session or frame has named yet: a frame with motion blur
 * names many at once.
 */

import { MAX_MOMENTS } from '../../shared/frame/frame-limits.ts'
import { sha256, startSha256 } from '../../shared/node/sha256.ts'
import type { Channel } from '../../shared/protocol/channel.ts'
import type { PartChunk } from '../../shared/protocol/codec.ts'
import { PartReceiver } from '../../shared/protocol/part-transfer.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import { type HeldScene, sceneOfParts } from '../../shared/scene/held-scene.ts'
import { type SceneManifest, sceneName } from '../../shared/scene/manifest.ts'
import { type PartStore, StoreFullError } from '../../shared/scene/part-store.ts'

/** Maximum number of scenes kept per client of those that have been named, and of all. */
const MAX_NAMED = 4
const MAX_OFFERED = MAX_NAMED + MAX_MOMENTS

interface Offer {
  readonly manifest: SceneManifest
  readonly release: () => void
  /** Set once all parts are present. */
  held?: HeldScene
  /** Whether a session or a frame has named it. */
  isNamed: boolean
}

export class OfferedScenes {
  readonly #channel: Channel
  readonly #store: PartStore
  readonly #receiver = new PartReceiver(startSha256)
  /** Newest last. */
  readonly #offers = new Map<string, Offer>()

  constructor(channel: Channel, store: PartStore) {
    this.#channel = channel
    this.#store = store
  }

  /** A scene that a session or a frame names, if all its parts have arrived. */
  get(scene: string): HeldScene | undefined {
    const offer = this.#offers.get(scene)
    if (offer) offer.isNamed = true
    return offer?.held
  }

  /** Requests the missing parts of a scene, or refuses it if the store has no room for it. @throws ProtocolError */
  offered(scene: string, manifest: SceneManifest): void {
    if (sceneName(manifest, sha256) !== scene)
      throw new ProtocolError(`scene ${scene.slice(0, 12)} is not its manifest`)
    const before = this.#offers.get(scene)
    this.#forget(scene)
    const named = [...this.#offers].flatMap(([name, { isNamed }]) => (isNamed ? [name] : []))
    for (const oldest of named.slice(0, 1 - MAX_NAMED)) this.#forget(oldest)
    for (const oldest of [...this.#offers.keys()].slice(0, 1 - MAX_OFFERED)) this.#forget(oldest)
    const release = this.#keep(scene, manifest)
    if (!release) return
    const offer: Offer = { manifest, isNamed: false, release, ...(before?.held ? { held: before.held } : {}) }
    this.#offers.set(scene, offer)
    const missing = this.#missing(offer)
    for (const part of manifest.parts) if (missing.includes(part.sha256)) this.#receiver.expect(part)
    this.#channel.send({ type: 'parts-wanted', scene, parts: missing })
    this.#look(scene, offer)
  }

  /** No session of the client is open: the store need not keep what was named. @param next what the client is about to offer */
  rest(next?: string): void {
    for (const [scene, { isNamed }] of [...this.#offers]) if (isNamed && scene !== next) this.#forget(scene)
  }

  /** Takes a chunk of a requested part. @throws ProtocolError */
  take(chunk: PartChunk): void {
    const whole = this.#receiver.take(chunk)
    if (!whole) return
    this.#store.put(whole.part, whole.bytes)
    for (const [scene, offer] of this.#offers) if (!offer.held) this.#look(scene, offer)
  }

  /** The client has disconnected. */
  end(): void {
    for (const scene of [...this.#offers.keys()]) this.#forget(scene)
  }

  #keep(scene: string, manifest: SceneManifest): (() => void) | undefined {
    try {
      return this.#store.keep(manifest.parts)
    } catch (error) {
      if (!(error instanceof StoreFullError)) throw error
      const { code, message } = error
      this.#channel.send({ type: 'scene-refused', scene, code, reason: message })
      return undefined
    }
  }

  #missing({ manifest }: Offer): string[] {
    const parts = new Set(manifest.parts.map(({ sha256 }) => sha256))
    return [...parts].filter(part => !this.#store.has(part))
  }

  #look(scene: string, offer: Offer): void {
    if (this.#missing(offer).length > 0) return
    const parts = new Map(offer.manifest.parts.map(({ sha256 }) => [sha256, this.#store.get(sha256)!]))
    offer.held ??= sceneOfParts(scene, offer.manifest, parts)
    this.#channel.send({ type: 'scene-held', scene })
  }

  /** Chunks of its parts still in transit are accepted, for the next scene that needs them. */
  #forget(scene: string): void {
    this.#offers.get(scene)?.release()
    this.#offers.delete(scene)
  }
}
