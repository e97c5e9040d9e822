/**
 * The scenes of one worker as the master sees them: which it was told to use, how far it is with each, and what else it
 * has built. Whatever a worker does not hold is sent, one scene after another.
 */
import type { Clock } from '../../shared/clock.ts'
import type { Channel } from '../../shared/protocol/channel.ts'
import { PartSender } from '../../shared/protocol/part-transfer.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import { manifestBytes } from '../../shared/scene/manifest.ts'

/** What it took until a worker had a scene. */
export interface SceneArrival {
  /** Of the parts that it lacked. */
  readonly bytes: number
  /** What it said that packing and building took it, ms; 0 if it had the scene built. */
  readonly buildMs: number
}

interface UsedScene {
  readonly scene: NamedScene
  readonly passing: boolean
  /** `coming`: its parts are being sent, or it is being built. */
  state: 'coming' | 'ready' | 'refused'
  /** When the worker last showed progress with it, ms. */
  signAt: number
  /** What has become known of its arrival. */
  arrival: SceneArrival
}

export class SceneDelivery {
  readonly #channel: Channel
  readonly #clock: Clock
  readonly #sender: PartSender
  /** Built and not in use, as far as known. */
  readonly #spare: Set<string>
  readonly #used = new Map<string, UsedScene>()

  /** @param built scenes that it had when it connected */
  constructor(built: readonly string[], channel: Channel, clock: Clock) {
    this.#channel = channel
    this.#clock = clock
    this.#spare = new Set(built)
    this.#sender = new PartSender(channel, scene => this.#sign(scene))
  }

  /** Tells the worker to use a scene, and to drop it afterwards if it is passing; true if it already has it built. */
  use(scene: NamedScene, passing = false): boolean {
    const { hash, manifest } = scene
    if (this.#used.has(hash)) return false
    const built = this.#spare.delete(hash)
    this.#used.set(hash, {
      scene,
      passing,
      state: built ? 'ready' : 'coming',
      signAt: this.#clock.now(),
      arrival: { bytes: 0, buildMs: 0 },
    })
    const how = { ...(built ? { built } : {}), ...(passing ? { passing } : {}) }
    this.#channel.send({ type: 'use-scene', scene: hash, manifest, ...how })
    return built
  }

  /** A scene is no longer needed: its transfer stops. */
  release(scene: string): void {
    const used = this.#used.get(scene)
    if (!used) return
    this.#used.delete(scene)
    this.#sender.stop(scene)
    if (used.state === 'ready' && !used.passing) this.#spare.add(scene)
    this.#channel.send({ type: 'release-scene', scene })
  }

  /** Stops all transfers. */
  end(): void {
    this.#sender.end()
  }

  isReady(scene: string): boolean {
    return this.#used.get(scene)?.state === 'ready'
  }

  /** Of a scene that it has. */
  arrivalOf(scene: string): SceneArrival | undefined {
    const used = this.#used.get(scene)
    return used?.state === 'ready' ? used.arrival : undefined
  }

  /** Whether it has a scene, or may be expected to: it made progress with it within the last `patienceMs`. */
  isExpected(scene: string, patienceMs: number): boolean {
    const used = this.#used.get(scene)
    if (!used || used.state === 'refused') return false
    return used.state === 'ready' || this.#clock.now() - used.signAt < patienceMs
  }

  /** The worker lacks these parts of a scene, possibly none. @throws ProtocolError for parts that the scene does not have */
  partsWanted(scene: string, parts: readonly string[]): void {
    const used = this.#used.get(scene)
    if (!used) return
    used.state = 'coming'
    const lacked = new Set(parts)
    const sent = used.scene.manifest.parts.filter(({ sha256 }) => lacked.delete(sha256))
    used.arrival = { bytes: manifestBytes({ parts: sent }), buildMs: 0 }
    this.#sign(scene)
    this.#sender.send(used.scene, parts)
  }

  /** The worker has built a scene. False if that is already known or no longer relevant. */
  ready(scene: string, buildMs: number): boolean {
    const used = this.#used.get(scene)
    if (!used || used.state === 'ready') return false
    used.state = 'ready'
    used.arrival = { ...used.arrival, buildMs }
    // It builds one after the other: those that wait for it are closer, too.
    for (const other of this.#used.keys()) this.#sign(other)
    return true
  }

  /** The worker cannot use a scene. False if that is no longer relevant. */
  refused(scene: string): boolean {
    const used = this.#used.get(scene)
    this.#sender.stop(scene)
    if (used) used.state = 'refused'
    return used !== undefined
  }

  /** The worker dropped a scene that was not in use, at least at the time. */
  dropped(scene: string): void {
    this.#spare.delete(scene)
  }

  #sign(scene: string): void {
    const used = this.#used.get(scene)
    if (used) used.signAt = this.#clock.now()
  }
}
