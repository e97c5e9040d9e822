/**
 * The scenes of a worker, which outlive its connections: parts in a bounded store, and built scenes up to a bound of their own. A scene
 * that a master has told it to use stays; of the others the least recently used make room. A worker that connects again
 * therefore downloads and builds nothing.
 */
import { SortfirstError } from '../shared/errors.ts'
import { joinScene, manifestBytes, type SceneManifest } from '../shared/scene/manifest.ts'
import type { PartStore } from '../shared/scene/part-store.ts'

/** Who builds scenes and forgets them; the real one is `ThreadPool`. */
export interface SceneBuilder {
  /** Takes up a packed scene under a name; nobody writes to it any more. */
  loadScene(name: string, scene: Uint8Array<SharedArrayBuffer>): Promise<{ buildMs: number }>
  /** Frees a scene, if there is one of that name. */
  unloadScene(name: string): Promise<void>
}

/** Scenes in use leave no room to build another. */
export class BuiltScenesFullError extends SortfirstError {
  readonly code = 'SCENES_FULL'
  constructor(wanted: number, used: number, most: number) {
    super(
      `built scenes: expected at most ${gigabytes(most)} in use, got about ${gigabytes(wanted)} beside ${gigabytes(used)} of other scenes; ` +
        'wait until these are done, or use a smaller mesh',
    )
  }
}

/** A scene with its structure takes about so many times what its parts take. */
const BUILT_RATIO = 4

interface BuiltScene {
  readonly bytes: number
  readonly buildMs: number
}

interface UsedScene {
  readonly manifest: SceneManifest
  readonly release: () => void
}

export class WorkerScenes {
  readonly parts: PartStore
  readonly #builders: readonly SceneBuilder[]
  readonly #mostBytes: number
  /** The least recently used first. */
  readonly #built = new Map<string, BuiltScene>()
  readonly #building = new Map<string, Promise<number>>()
  /** Scenes are built one after the other: each makes room for itself. */
  #lastBuild: Promise<unknown> = Promise.resolve()
  /** Those that a master has told it to use. */
  readonly #used = new Map<string, UsedScene>()
  readonly #listeners = new Set<(scene: string) => void>()

  /** @param mostBytes of all built scenes together, about; one that is larger is built when it is the only one in use */
  constructor(builders: readonly SceneBuilder[], parts: PartStore, mostBytes: number) {
    this.#builders = builders
    this.parts = parts
    this.#mostBytes = mostBytes
  }

  /** Names of scenes that can be traced. */
  get built(): readonly string[] {
    return [...this.#built.keys()]
  }

  isBuilt(scene: string): boolean {
    return this.#built.has(scene)
  }

  /** Names of parts of a scene in use that are not here. */
  missing(scene: string): readonly string[] {
    const { parts } = this.#used.get(scene)?.manifest ?? { parts: [] }
    return [...new Set(parts.map(({ sha256 }) => sha256))].filter(part => !this.parts.has(part))
  }

  /** Keeps a scene, and room for its parts, until it is released. @throws StoreFullError */
  use(scene: string, manifest: SceneManifest): void {
    if (this.#used.has(scene)) return
    this.#used.set(scene, { manifest, release: this.parts.keep(manifest.parts) })
    const built = this.#built.get(scene)
    if (!built) return
    this.#built.delete(scene)
    this.#built.set(scene, built)
  }

  /** It is kept while there is room. */
  release(scene: string): void {
    this.#used.get(scene)?.release()
    this.#used.delete(scene)
  }

  /** Starts telling of scenes that had to go; the answer stops it. */
  onDropped(listener: (scene: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Builds a scene in use whose parts are all here, and answers how long that took, ms.
   * Rejects with BuiltScenesFullError, PackedSceneError or what a builder says.
   */
  build(scene: string): Promise<number> {
    const built = this.#built.get(scene)
    if (built) return Promise.resolve(built.buildMs)
    const running = this.#building.get(scene)
    if (running) return running
    const { manifest } = this.#used.get(scene)!
    // Whoever releases it while it is built shall not take its parts away.
    const letGo = this.parts.keep(manifest.parts)
    const building = this.#lastBuild
      .then(() => this.#build(scene, manifest))
      .finally(() => {
        letGo()
        this.#building.delete(scene)
      })
    this.#lastBuild = building.catch(() => {})
    this.#building.set(scene, building)
    return building
  }

  async #build(scene: string, manifest: SceneManifest): Promise<number> {
    const bytes = BUILT_RATIO * manifestBytes(manifest)
    await this.#makeRoom(bytes)
    const packed = joinScene(
      manifest,
      part => this.parts.get(part)!,
      length => new Uint8Array(new SharedArrayBuffer(length)),
    )
    let buildMs = 0
    for (const builder of this.#builders) {
      const shared = packed.bytes as Uint8Array<SharedArrayBuffer>
      buildMs += (await builder.loadScene(scene, shared)).buildMs
    }
    this.#built.set(scene, { bytes, buildMs })
    return buildMs
  }

  /** Forgets scenes that are not in use, the least recently used first, until there is room. */
  async #makeRoom(bytes: number): Promise<void> {
    const total = () => [...this.#built.values()].reduce((sum, built) => sum + built.bytes, 0)
    for (const name of this.built) {
      if (total() + bytes <= this.#mostBytes) return
      if (this.#used.has(name)) continue
      this.#built.delete(name)
      for (const listener of this.#listeners) listener(name)
      await Promise.all(this.#builders.map(builder => builder.unloadScene(name)))
    }
    const others = total()
    if (others > 0 && others + bytes > this.#mostBytes) throw new BuiltScenesFullError(bytes, others, this.#mostBytes)
  }
}

const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(2)} GiB`
