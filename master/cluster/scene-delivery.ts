/**
 * The scenes of one worker as the master sees them: which it was told to use, how far it is with each, and what else it
 * has built. Whatever a worker does not hold is sent, one scene after another.
 */

import type { Channel } from '../../shared/protocol/channel.ts'
import { PartSender } from '../../shared/protocol/part-transfer.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import { manifestBytes } from '../../shared/scene/manifest.ts'
import type { Clock } from '../../shared/time/clock.ts'

/** What it took until a worker had a scene. */
export interface SceneArrival {
  /** Of the parts that it lacked. */
  readonly bytes: number
  /** What it said that packing and building took it, ms; 0 if it had the scene built. */
  readonly buildMs: number
}

/** Why a worker cannot use a scene. */
export interface SceneRefusal {
  readonly reason: string
  /** Whether it lacks room that other scenes take, so that it may use the scene later. */
  readonly isForRoom: boolean
  /** Of the worker's error. */
  readonly code?: string | undefined
}

interface UsedScene {
  readonly scene: NamedScene
  readonly passing: boolean
  /** `coming`: its parts are being sent, or it is being built. */
  state: 'coming' | 'ready' | 'refused'
  refusal: SceneRefusal | undefined
  /** When the worker is told again to use a scene that it refused, ms, and after how long the next time. */
  againAt: number
  pauseMs: number
  /** Whether it has said which parts it lacks. */
  isKnown: boolean
  /** When the worker last showed progress with it, ms. */
  signAt: number
  /** What has become known of its arrival. */
  arrival: SceneArrival
}

/** Errors of a worker that has no room beside other scenes. */
const FOR_ROOM: ReadonlySet<string> = new Set(['SCENES_FULL', 'STORE_FULL'])
/** A refused scene is tried again after this pause, and after twice as long each time up to the second, ms. */
const AGAIN_MS = { first: 1000, most: 30_000 } as const

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
      refusal: undefined,
      againAt: 0,
      pauseMs: AGAIN_MS.first,
      isKnown: false,
    })
    const how = { ...(built ? { built } : {}), ...(passing ? { passing } : {}) }
    this.#channel.send({ type: 'use-scene', scene: hash, manifest, ...how })
    return built
  }

  /** Tells the worker again to use the scenes that it refused a while ago, or before it had more room. */
  tryAgain(): void {
    const now = this.#clock.now()
    for (const used of this.#used.values()) {
      if (used.state !== 'refused' || now < used.againAt) continue
      used.state = 'coming'
      used.isKnown = false
      used.signAt = now
      const { hash, manifest } = used.scene
      this.#channel.send({ type: 'use-scene', scene: hash, manifest, ...(used.passing ? { passing: true } : {}) })
    }
  }

  /** What the worker is doing for the scene that it is furthest from tracing. @param warmth of the area in question */
  phase(warmth: ReadonlyMap<string, 'warming' | 'warm'>): 'loading' | 'building' | 'warming' | 'ready' {
    const coming = [...this.#used].filter(([, { state }]) => state === 'coming')
    if (coming.some(([name, { isKnown }]) => !isKnown || this.#sender.isSending(name))) return 'loading'
    if (coming.length > 0) return 'building'
    return [...this.#used.keys()].some(name => warmth.get(name) === 'warming') ? 'warming' : 'ready'
  }

  /** A scene is no longer needed: its transfer stops. */
  release(scene: string): void {
    const used = this.#used.get(scene)
    if (!used) return
    this.#used.delete(scene)
    this.#sender.stop(scene)
    if (used.state === 'ready' && !used.passing) this.#spare.add(scene)
    this.#channel.send({ type: 'release-scene', scene })
    // There may be room for another one now.
    for (const other of this.#used.values()) other.againAt = 0
  }

  /** Stops all transfers. */
  end(): void {
    this.#sender.end()
  }

  /** Whether the worker has been told to use a scene. */
  isUsed(scene: string): boolean {
    return this.#used.has(scene)
  }

  isReady(scene: string): boolean {
    return this.#used.get(scene)?.state === 'ready'
  }

  /** Of a scene that it has. */
  arrivalOf(scene: string): SceneArrival | undefined {
    const used = this.#used.get(scene)
    return used?.state === 'ready' ? used.arrival : undefined
  }

  /** Why it cannot use a scene: what it said last, until it can. */
  refusalOf(scene: string): SceneRefusal | undefined {
    return this.#used.get(scene)?.refusal
  }

  /** Whether it has a scene, or may be expected to: it made progress with it within the last `patienceMs`. */
  isExpected(scene: string, patienceMs: number): boolean {
    const used = this.#used.get(scene)
    // One that it has refused is a hope only while it is tried again.
    if (!used || used.state === 'refused' || (used.refusal && used.state !== 'ready')) return false
    return used.state === 'ready' || this.#clock.now() - used.signAt < patienceMs
  }

  /** The worker lacks these parts of a scene, possibly none. @throws ProtocolError for parts that the scene does not have */
  partsWanted(scene: string, parts: readonly string[]): void {
    const used = this.#used.get(scene)
    if (!used) return
    used.state = 'coming'
    used.isKnown = true
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
    used.refusal = undefined
    used.pauseMs = AGAIN_MS.first
    used.arrival = { ...used.arrival, buildMs }
    // It builds one after the other: those that wait for it are closer, too.
    for (const other of this.#used.keys()) this.#sign(other)
    return true
  }

  /** The worker cannot use a scene now. False if that is no longer relevant, or has been said before. */
  refused(scene: string, reason: string, code?: string): boolean {
    const used = this.#used.get(scene)
    this.#sender.stop(scene)
    if (!used) return false
    const isNew = used.refusal?.reason !== reason
    used.state = 'refused'
    used.refusal = { reason, isForRoom: code !== undefined && FOR_ROOM.has(code), code }
    used.againAt = this.#clock.now() + used.pauseMs
    used.pauseMs = Math.min(2 * used.pauseMs, AGAIN_MS.most)
    return isNew
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
