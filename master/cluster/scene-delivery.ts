/**
 * The scenes of one worker as the master sees them: which it was told to use, how far it is with each, what it has built besides. What a
 * worker does not hold is sent, one scene after the other.
 */
import type { Clock } from '../../shared/clock.ts'
import type { Channel } from '../../shared/protocol/channel.ts'
import { PartSender } from '../../shared/protocol/part-transfer.ts'
import type { HeldScene } from '../../shared/scene/held-scene.ts'

interface UsedScene {
  readonly scene: HeldScene
  /** `coming`: parts are sent, or it is built. */
  state: 'coming' | 'ready' | 'refused'
  /** When the worker last showed that it takes it, ms. */
  signAt: number
}

export class SceneDelivery {
  readonly #channel: Channel
  readonly #clock: Clock
  readonly #sender: PartSender
  /** Built and not in use, as far as is known. */
  readonly #spare: Set<string>
  readonly #used = new Map<string, UsedScene>()

  /** @param built those that it had when it came */
  constructor(built: readonly string[], channel: Channel, clock: Clock) {
    this.#channel = channel
    this.#clock = clock
    this.#spare = new Set(built)
    this.#sender = new PartSender(channel, scene => this.#sign(scene))
  }

  /** Tells it to use a scene; true where it has it built. */
  use(scene: HeldScene): boolean {
    const { hash, manifest } = scene
    if (this.#used.has(hash)) return false
    const built = this.#spare.delete(hash)
    this.#used.set(hash, { scene, state: built ? 'ready' : 'coming', signAt: this.#clock.now() })
    this.#channel.send({ type: 'use-scene', scene: hash, manifest, ...(built ? { built } : {}) })
    return built
  }

  /** Nobody needs a scene any more: what is being sent of it ends. */
  release(scene: string): void {
    const used = this.#used.get(scene)
    if (!used) return
    this.#used.delete(scene)
    this.#sender.stop(scene)
    if (used.state === 'ready') this.#spare.add(scene)
    this.#channel.send({ type: 'release-scene', scene })
  }

  /** Nothing more is sent. */
  end(): void {
    this.#sender.end()
  }

  isReady(scene: string): boolean {
    return this.#used.get(scene)?.state === 'ready'
  }

  /** Whether it has a scene, or may be expected to: it took a step towards it within so many ms. */
  isExpected(scene: string, patienceMs: number): boolean {
    const used = this.#used.get(scene)
    if (!used || used.state === 'refused') return false
    return used.state === 'ready' || this.#clock.now() - used.signAt < patienceMs
  }

  /** It lacks parts of a scene, or none. @throws ProtocolError for parts that the scene does not have */
  partsWanted(scene: string, parts: readonly string[]): void {
    const used = this.#used.get(scene)
    if (!used) return
    used.state = 'coming'
    this.#sign(scene)
    this.#sender.send(used.scene, parts)
  }

  /** It has a scene built. False where that is known, or not of interest any more. */
  ready(scene: string): boolean {
    const used = this.#used.get(scene)
    if (!used || used.state === 'ready') return false
    used.state = 'ready'
    return true
  }

  /** It cannot use a scene. False where that is not of interest any more. */
  refused(scene: string): boolean {
    const used = this.#used.get(scene)
    this.#sender.stop(scene)
    if (used) used.state = 'refused'
    return used !== undefined
  }

  /** It gave up a scene that was not in use, or not when it did so. */
  dropped(scene: string): void {
    this.#spare.delete(scene)
  }

  #sign(scene: string): void {
    const used = this.#used.get(scene)
    if (used) used.signAt = this.#clock.now()
  }
}
