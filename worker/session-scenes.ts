/**
 * The scenes that a master has told its worker to use: asks for the parts that are missing, has them built, and says when they are. The
 * scenes themselves outlive the connection (`scenes.ts`).
 */
import { messageOf, SortfirstError } from '../shared/errors.ts'
import type { Channel } from '../shared/protocol/channel.ts'
import type { PartChunk } from '../shared/protocol/codec.ts'
import { MAX_REASON, type UseScene } from '../shared/protocol/messages.ts'
import { PartReceiver, type RunningHash } from '../shared/protocol/part-transfer.ts'
import { MAX_USED_SCENES } from '../shared/protocol/peer-limits.ts'
import { ProtocolError } from '../shared/protocol/protocol-error.ts'
import { type SceneManifest, sceneName } from '../shared/scene/manifest.ts'
import { shortened } from '../shared/text/printable.ts'
import { SceneWaits } from './scene-waits.ts'
import type { WorkerScenes } from './scenes.ts'

export class SessionScenes {
  readonly #channel: Channel
  readonly #scenes: WorkerScenes
  readonly #receiver: PartReceiver
  readonly #startHash: () => RunningHash
  /** Scenes that this master uses, and those of them that lack parts. */
  readonly #wanted = new Set<string>()
  readonly #incomplete = new Set<string>()
  readonly #waits = new SceneWaits()
  readonly #stopListening: () => void

  /** @param startHash SHA-256 */
  constructor(channel: Channel, scenes: WorkerScenes, startHash: () => RunningHash) {
    this.#channel = channel
    this.#startHash = startHash
    this.#receiver = new PartReceiver(startHash)
    this.#scenes = scenes
    this.#stopListening = scenes.onDropped(scene => channel.send({ type: 'scene-dropped', scene }))
  }

  /** @throws ProtocolError */
  use({ scene, manifest, built, passing }: UseScene): void {
    if (sceneName(manifest, bytes => this.#hashOf(bytes)) !== scene)
      throw new ProtocolError(`scene ${scene.slice(0, 12)} is not its manifest`)
    if (this.#wanted.size >= MAX_USED_SCENES && !this.#wanted.has(scene))
      throw new ProtocolError(`scene ${scene.slice(0, 12)}: expected at most ${MAX_USED_SCENES} in use, got one more`)
    try {
      this.#scenes.use(scene, manifest, passing)
    } catch (error) {
      return this.#refuse(scene, error)
    }
    this.#wanted.add(scene)
    if (this.#scenes.isBuilt(scene)) {
      if (!built) this.#ready(scene, 0)
      return
    }
    // A master that believes it to be built here has not heard yet that it was dropped: tiles of it wait until it is built again.
    const found = this.#scenes.find(scene)
    if (found) void this.#await(scene, manifest, found)
    else this.#fetch(scene, manifest)
  }

  #hashOf(bytes: Uint8Array): string {
    const hash = this.#startHash()
    hash.update(bytes)
    return hash.digest()
  }

  /** @param isOver whether the connection is: its master may come back to the middle of a frame */
  release(scene: string, isOver = false): void {
    const missing = this.#scenes.missing(scene)
    this.#wanted.delete(scene)
    this.#incomplete.delete(scene)
    this.#waits.failed(scene, notHeld(scene))
    this.#scenes.release(scene, isOver)
    const others = new Set([...this.#incomplete].flatMap(other => this.#scenes.missing(other)))
    for (const part of missing) if (!others.has(part)) this.#receiver.forget(part)
  }

  /** @throws ProtocolError */
  take(chunk: PartChunk): void {
    const whole = this.#receiver.take(chunk)
    if (!whole) return
    this.#scenes.parts.put(whole.part, whole.bytes)
    for (const scene of [...this.#incomplete]) if (this.#scenes.missing(scene).length === 0) void this.#build(scene)
  }

  /** Undefined if a scene is built and can be traced; else resolves when it is, or rejects if it will not be. @throws ProtocolError if it is not used */
  awaited(scene: string): Promise<void> | undefined {
    if (this.#scenes.isBuilt(scene)) return undefined
    if (!this.#wanted.has(scene)) throw notHeld(scene)
    return this.#waits.until(scene)
  }

  /** Called every two seconds: which scenes' tiles may be waiting for a scene, which is no fault of theirs. */
  excused(): (scene: string) => boolean {
    const { building } = this.#scenes
    const isReason = this.#waits.isReason(building)
    return scene => isReason && (building.length > 0 || this.#waits.isAwaited(scene))
  }

  end(): void {
    for (const scene of [...this.#wanted]) this.release(scene, true)
    this.#stopListening()
  }

  /** Uses a scene that another worker of this machine has built, or builds it for all. */
  async #await(scene: string, manifest: SceneManifest, found: Promise<boolean>): Promise<void> {
    try {
      const isBuilt = await found
      if (!this.#wanted.has(scene)) return
      if (isBuilt) this.#ready(scene, 0)
      else this.#fetch(scene, manifest)
    } catch (error) {
      this.#fail(scene, error)
    }
  }

  #fetch(scene: string, manifest: SceneManifest): void {
    const missing = this.#scenes.missing(scene)
    for (const part of manifest.parts) if (missing.includes(part.sha256)) this.#receiver.expect(part)
    this.#channel.send({ type: 'parts-wanted', scene, parts: [...missing] })
    this.#incomplete.add(scene)
    if (missing.length === 0) void this.#build(scene)
  }

  async #build(scene: string): Promise<void> {
    this.#incomplete.delete(scene)
    try {
      const buildMs = await this.#scenes.build(scene)
      if (this.#wanted.has(scene)) this.#ready(scene, buildMs)
    } catch (error) {
      this.#fail(scene, error)
    }
  }

  #ready(scene: string, buildMs: number): void {
    this.#channel.send({ type: 'scene-ready', scene, buildMs })
    this.#waits.built(scene)
  }

  #fail(scene: string, error: unknown): void {
    if (!this.#wanted.has(scene)) return
    this.#waits.failed(scene, error)
    this.release(scene)
    this.#refuse(scene, error)
  }

  #refuse(scene: string, error: unknown): void {
    const code = error instanceof SortfirstError ? { code: error.code } : {}
    this.#channel.send({ type: 'scene-failed', scene, reason: shortened(messageOf(error), MAX_REASON), ...code })
  }
}

const notHeld = (scene: string): ProtocolError => new ProtocolError(`scene ${scene.slice(0, 12)} is not held here`)
