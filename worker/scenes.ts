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
  /** Takes up a packed scene under a name; nobody writes to it any more. `image`: what can be stored of what was built. */
  loadScene(
    name: string,
    scene: Uint8Array<SharedArrayBuffer>,
    helpers?: number,
  ): Promise<{ buildMs: number; image?: Uint8Array }>
  /** Takes up what was stored of a scene; false where that is damaged. */
  restoreScene(name: string, stored: StoredScene): Promise<boolean>
  /** Frees a scene, if there is one of that name. */
  unloadScene(name: string): Promise<void>
}

/** A built scene as it was stored. */
export interface StoredScene {
  readonly bytes: number
  /** Reads it, once; false where it is damaged. */
  read(into: Uint8Array): Promise<boolean>
}

/** What somebody on this machine has built. */
export interface StoredStructure extends StoredScene {
  readonly found: true
}

/** The task of building a scene for everybody on this machine; exactly one of its functions is called. */
export interface BuildClaim {
  readonly found: false
  /** It is built. */
  put(image: Uint8Array): Promise<void>
  /** It is not going to be. */
  drop(): Promise<void>
}

/** Built scenes that the workers of a machine share; the real one is a folder (`node/structure-cache.ts`). */
export interface StructureStore {
  /** Waits while somebody else builds it. Never rejects; who does not wait any more gets a claim that binds nobody. */
  claim(scene: string, signal: AbortSignal): Promise<StoredStructure | BuildClaim>
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

/** Packed scenes of some 500,000 triangles and more are built with help. */
const WORTH_HELP_BYTES = 16 << 20

/** A scene with its structure takes about so many times what its parts take. */
const BUILT_RATIO = 4

interface BuiltScene {
  readonly bytes: number
  readonly buildMs: number
}

interface UsedScene {
  readonly manifest: SceneManifest
  readonly release: () => void
  /** Ends the search for a stored structure. */
  readonly over: AbortController
}

export class WorkerScenes {
  readonly parts: PartStore
  readonly #builders: readonly SceneBuilder[]
  readonly #mostBytes: number
  /** The least recently used first. */
  readonly #built = new Map<string, BuiltScene>()
  readonly #building = new Map<string, Promise<number>>()
  #lastBuild: Promise<unknown> = Promise.resolve()
  /** Those that a master has told it to use. */
  readonly #used = new Map<string, UsedScene>()
  readonly #listeners = new Set<(scene: string) => void>()
  readonly #store: StructureStore | undefined
  readonly #helpers: number
  /** Scenes that this worker builds for the machine. */
  readonly #claims = new Map<string, BuildClaim>()

  /**
   * @param mostBytes of all built scenes together, about; one that is larger is built when it is the only one in use
   * @param store of what the first builder builds, where it is the only one
   * @param helpers threads that build along where the others of the machine wait for what is built
   */
  constructor(
    builders: readonly SceneBuilder[],
    parts: PartStore,
    mostBytes: number,
    store?: StructureStore,
    helpers = 0,
  ) {
    this.#builders = builders
    this.parts = parts
    this.#mostBytes = mostBytes
    this.#store = builders.length === 1 ? store : undefined
    this.#helpers = helpers
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
    const over = new AbortController()
    this.#used.set(scene, { manifest, release: this.parts.keep(manifest.parts), over })
    const built = this.#built.get(scene)
    if (!built) return
    this.#built.delete(scene)
    this.#built.set(scene, built)
  }

  /** It is kept while there is room. */
  release(scene: string): void {
    const used = this.#used.get(scene)
    this.#used.delete(scene)
    used?.release()
    used?.over.abort()
    if (!this.#building.has(scene)) void this.#dropClaim(scene)
  }

  /**
   * Whether a scene in use is built, or was by some other worker of this machine and is now here. If not, it is for this one to build
   * when its parts are here. Undefined without a store: nobody else can have it.
   */
  find(scene: string): Promise<boolean> | undefined {
    return this.#store && this.#find(scene, this.#store)
  }

  async #find(scene: string, store: StructureStore): Promise<boolean> {
    const { manifest, over } = this.#used.get(scene) ?? {}
    if (!manifest || this.#built.has(scene)) return this.#built.has(scene)
    const claim = await store.claim(scene, over!.signal)
    if (!claim.found) {
      if (over!.signal.aborted) await claim.drop()
      else this.#claims.set(scene, claim)
      return false
    }
    // Only this has its turn: of two workers that wait for each other's scenes none would build.
    const isRestored = await this.#inTurn(async () => {
      const bytes = BUILT_RATIO * manifestBytes(manifest)
      await this.#makeRoom(bytes)
      if (!(await this.#builders[0]!.restoreScene(scene, claim))) return false
      this.#built.set(scene, { bytes, buildMs: 0 })
      return true
    })
    return isRestored || this.#find(scene, store)
  }

  async #dropClaim(scene: string): Promise<void> {
    const claim = this.#claims.get(scene)
    this.#claims.delete(scene)
    await claim?.drop()
  }

  /** One after the other: each makes room for itself. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#lastBuild.then(work)
    this.#lastBuild = done.catch(() => {})
    return done
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
    const building = this.#inTurn(() => this.#build(scene, manifest)).finally(() => {
      letGo()
      this.#building.delete(scene)
      void this.#dropClaim(scene)
    })
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
      // A small scene is built before a thread has started.
      const helpers = this.#claims.has(scene) && shared.length > WORTH_HELP_BYTES ? this.#helpers : 0
      const loaded = await builder.loadScene(scene, shared, helpers)
      buildMs += loaded.buildMs
      if (loaded.image) this.#share(scene, loaded.image)
    }
    this.#built.set(scene, { bytes, buildMs })
    return buildMs
  }

  /** Lets the other workers of the machine have what was built; this one need not wait for that. */
  #share(scene: string, image: Uint8Array): void {
    const claim = this.#claims.get(scene)
    this.#claims.delete(scene)
    void claim?.put(image)
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
