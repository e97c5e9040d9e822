/**
 * The scenes of a worker, which outlive its connections: parts in a bounded store, and built scenes up to a separate bound. Scenes
 * that a master has told it to use stay; the others are evicted least recently used first. A worker that reconnects therefore
 * downloads and builds nothing.
 */
import { SortfirstError } from '../shared/errors.ts'
import { type JoinedScene, joiningSteps, manifestBytes, type SceneManifest } from '../shared/scene/manifest.ts'
import type { PartStore } from '../shared/scene/part-store.ts'
import { AT_ONCE, inTurns, type TurnPorts } from '../shared/time/steps.ts'
import type { SceneFamily } from './threads/messages.ts'

/** Builds and unloads scenes; the real one is `ThreadPool`. */
export interface SceneBuilder {
  /**
   * Loads a packed scene under a name; it must not be written to meanwhile. `image`: the storable bytes of the built scene.
   * @param family by which another scene is found that has much in common
   */
  loadScene(
    name: string,
    scene: Uint8Array<SharedArrayBuffer>,
    helpers?: number,
    family?: SceneFamily,
  ): Promise<{ buildMs: number; image?: Uint8Array }>
  /** Loads a stored scene; false if it is damaged. */
  restoreScene(name: string, stored: StoredScene): Promise<boolean>
  /** Frees a scene, if there is one of that name. */
  unloadScene(name: string): Promise<void>
}

/** A stored built scene. */
export interface StoredScene {
  readonly bytes: number
  /** Reads it, as often as it is wanted; false if it is damaged, or cannot be had any more. */
  read(into: Uint8Array): Promise<boolean>
}

/** A structure that some worker on this machine has built. */
export interface StoredStructure extends StoredScene {
  readonly found: true
}

/** The task of building a scene for all workers on this machine; exactly one of its functions is called. */
export interface BuildClaim {
  readonly found: false
  /** The scene is built. */
  put(image: Uint8Array): Promise<void>
  /** The scene will not be built. */
  drop(): Promise<void>
}

/** Built scenes shared by the workers of a machine; the real one is a folder (`node/structure-cache.ts`). */
export interface StructureStore {
  /** Waits while another worker builds it. Never rejects; after an abort it resolves with a claim that has no effect. */
  claim(scene: string, signal: AbortSignal): Promise<StoredStructure | BuildClaim>
}

/** Scenes in use leave no room to build another. */
export class BuiltScenesFullError extends SortfirstError {
  readonly code = 'SCENES_FULL'
  constructor(wanted: number, used: number, most: number) {
    super(
      `built scenes: expected at most ${gigabytes(most)} in use, got about ${gigabytes(wanted)} beside ${gigabytes(used)} of other scenes; ` +
        'wait until those are done, or use a smaller mesh',
    )
  }
}

/** Packed scenes of about 500,000 triangles or more are built with helpers. */
const WORTH_HELP_BYTES = 16 << 20

/** Approximate size of a scene with its structure relative to its parts. */
const BUILT_RATIO = 4

/** How often a stored structure is looked for that turns out to be unreadable. One that can be neither read nor removed is built. */
const ATTEMPTS = 2

/** Copied in one go, in about 20 ms; in between, heartbeats are answered. */
const COPY_BYTES = 64 << 20

interface BuiltScene {
  readonly bytes: number
  readonly buildMs: number
}

interface UsedScene {
  readonly manifest: SceneManifest
  readonly release: () => void
  /** Whether it is of a single frame. */
  readonly passing: boolean
  /** Aborts the search for a stored structure. */
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
  /** Scenes that a master has told it to use. */
  readonly #used = new Map<string, UsedScene>()
  readonly #listeners = new Set<(scene: string) => void>()
  readonly #store: StructureStore | undefined
  readonly #helpers: number
  readonly #turns: TurnPorts
  /** The film's scene that was built last: its packed bytes are no longer needed. */
  #joined: JoinedScene | undefined
  /** Claims on scenes that this worker builds for all workers of the machine. */
  readonly #claims = new Map<string, BuildClaim>()

  /**
   * @param mostBytes approximate bound of all built scenes together; a larger scene is built if it is the only one in use
   * @param builders of one engine: what the first builds, the others take over
   * @param store of built scenes
   * @param helpers extra threads for building while the other workers of the machine wait for the result
   * @param turns leave time for heartbeats while the parts of a large scene are joined
   */
  constructor(
    builders: readonly SceneBuilder[],
    parts: PartStore,
    mostBytes: number,
    store?: StructureStore,
    helpers = 0,
    turns = AT_ONCE,
  ) {
    this.#builders = builders
    this.parts = parts
    this.#mostBytes = mostBytes
    this.#store = store
    this.#helpers = helpers
    this.#turns = turns
  }

  /** Names of scenes that can be traced. */
  get built(): readonly string[] {
    return [...this.#built.keys()]
  }

  isBuilt(scene: string): boolean {
    return this.#built.has(scene)
  }

  /** Names of scenes that are being built, or wait for that. */
  get building(): readonly string[] {
    return [...this.#building.keys()]
  }

  /** Names of the missing parts of a scene in use. */
  missing(scene: string): readonly string[] {
    const { parts } = this.#used.get(scene)?.manifest ?? { parts: [] }
    return [...new Set(parts.map(({ sha256 }) => sha256))].filter(part => !this.parts.has(part))
  }

  /**
   * Keeps a scene, and room for its parts, until it is released.
   * @param passing whether it is of a single frame: no other worker needs it, and it is dropped when it is released
   * @throws StoreFullError
   */
  use(scene: string, manifest: SceneManifest, passing = false): void {
    if (this.#used.has(scene)) return
    const over = new AbortController()
    this.#used.set(scene, { manifest, release: this.parts.keep(manifest.parts), passing, over })
    const built = this.#built.get(scene)
    if (!built) return
    this.#built.delete(scene)
    this.#built.set(scene, built)
  }

  /** The scene is kept while there is room; a passing one only if `mayReturn`. */
  release(scene: string, mayReturn = false): void {
    const used = this.#used.get(scene)
    this.#used.delete(scene)
    used?.release()
    used?.over.abort()
    const building = this.#building.get(scene)
    if (!building) void this.#dropClaim(scene)
    if (this.#used.size === 0) this.#joined = undefined
    if (used?.passing && !mayReturn) void (building ?? Promise.resolve()).then(() => this.#drop(scene)).catch(() => {})
  }

  /** Unloads a scene that is not in use. */
  async #drop(scene: string): Promise<void> {
    if (this.#used.has(scene) || !this.#built.delete(scene)) return
    for (const listener of this.#listeners) listener(scene)
    await Promise.all(this.#builders.map(builder => builder.unloadScene(scene)))
  }

  /**
   * Whether a scene in use is built, or was built by another worker of this machine and is now loaded. If not, this worker has to
   * build it once its parts have arrived. Undefined if no other worker can have built it: without a store, or if it is passing.
   */
  find(scene: string): Promise<boolean> | undefined {
    return this.#used.get(scene)?.passing ? undefined : this.#store && this.#find(scene, this.#store)
  }

  async #find(scene: string, store: StructureStore): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { manifest, over } = this.#used.get(scene) ?? {}
      if (!manifest || this.#built.has(scene)) return this.#built.has(scene)
      const claim = await store.claim(scene, over!.signal)
      if (!claim.found) {
        if (over!.signal.aborted) await claim.drop()
        else this.#claims.set(scene, claim)
        return false
      }
      // Only this part takes turns: two workers that waited for each other's scenes in a turn would never build.
      if (await this.#inTurn(() => this.#restore(scene, manifest, claim))) return true
    }
    return false
  }

  async #restore(scene: string, manifest: SceneManifest, structure: StoredStructure): Promise<boolean> {
    const bytes = BUILT_RATIO * manifestBytes(manifest)
    await this.#makeRoom(bytes)
    const stored = readOnce(structure)
    for (const builder of this.#builders) if (!(await builder.restoreScene(scene, stored))) return false
    this.#built.set(scene, { bytes, buildMs: 0 })
    return true
  }

  async #dropClaim(scene: string): Promise<void> {
    const claim = this.#claims.get(scene)
    this.#claims.delete(scene)
    await claim?.drop()
  }

  /** Runs tasks one after the other: each makes room for itself. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#lastBuild.then(work)
    this.#lastBuild = done.catch(() => {})
    return done
  }

  /** Calls the listener for evicted scenes; returns a function that unsubscribes it. */
  onDropped(listener: (scene: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Builds a scene in use whose parts are all present, and resolves with how long that took, ms.
   * Rejects with BuiltScenesFullError, PackedSceneError or a builder's error.
   */
  build(scene: string): Promise<number> {
    const built = this.#built.get(scene)
    if (built) return Promise.resolve(built.buildMs)
    const running = this.#building.get(scene)
    if (running) return running
    const { manifest, passing } = this.#used.get(scene)!
    // A release during the build must not remove its parts.
    const letGo = this.parts.keep(manifest.parts)
    const building = this.#inTurn(() => this.#build(scene, manifest, passing)).finally(() => {
      letGo()
      this.#building.delete(scene)
      void this.#dropClaim(scene)
    })
    this.#building.set(scene, building)
    return building
  }

  async #build(scene: string, manifest: SceneManifest, passing: boolean): Promise<number> {
    const bytes = BUILT_RATIO * manifestBytes(manifest)
    await this.#makeRoom(bytes)
    const before = passing ? this.#joined : undefined
    this.#joined = undefined
    const joining = joiningSteps(
      manifest,
      part => this.parts.get(part)!,
      length => new Uint8Array(new SharedArrayBuffer(length)),
      before,
    )
    const packed = await inTurns(joining, this.#turns)
    const [first, ...others] = this.#builders
    const family = kinOf(manifest, passing)
    const shared = packed.bytes as Uint8Array<SharedArrayBuffer>
    // A small scene is built before a helper has started.
    const helpers = this.#claims.has(scene) && shared.length > WORTH_HELP_BYTES ? this.#helpers : 0
    const { buildMs: firstMs, image } = await first!.loadScene(scene, shared, helpers, family)
    if (image) this.#share(scene, image)
    let buildMs = firstMs
    for (const builder of others) {
      if (image && (await builder.restoreScene(scene, inMemory(image)))) continue
      buildMs += (await builder.loadScene(scene, shared, 0, family)).buildMs
    }
    this.#built.set(scene, { bytes, buildMs })
    if (passing) this.#joined = { manifest, bytes: packed.bytes }
    return buildMs
  }

  /** Shares a built scene with the other workers of the machine; this one need not wait for that. */
  #share(scene: string, image: Uint8Array): void {
    const claim = this.#claims.get(scene)
    this.#claims.delete(scene)
    void claim?.put(image)
  }

  /** Unloads scenes that are not in use, the least recently used first, until there is room. */
  async #makeRoom(bytes: number): Promise<void> {
    const total = () => [...this.#built.values()].reduce((sum, built) => sum + built.bytes, 0)
    for (const name of this.built) {
      if (total() + bytes <= this.#mostBytes) return
      await this.#drop(name)
    }
    const others = total()
    if (others > 0 && others + bytes > this.#mostBytes) throw new BuiltScenesFullError(bytes, others, this.#mostBytes)
  }
}

const kinOf = ({ parts }: SceneManifest, moves: boolean): SceneFamily => ({
  texels: parts.flatMap(({ kind, sha256 }) => (kind === 'images' ? [sha256] : [])).join(' '),
  moves,
})

/**
 * A stored scene, for the builders of one worker, now and when a device is started anew. The first of them reads it into the memory in which it
 * then holds the scene, which does not change; from there the others have it, whatever becomes of the file.
 */
function readOnce({ bytes, read }: StoredScene): StoredScene {
  let held: StoredScene | undefined
  return {
    bytes,
    read: async into => {
      if (held) return held.read(into)
      if (!(await read(into))) return false
      held = inMemory(into)
      return true
    },
  }
}

const inMemory = (image: Uint8Array): StoredScene => ({
  bytes: image.length,
  read: async into => {
    for (let at = 0; at < image.length; at += COPY_BYTES) {
      if (at > 0) await new Promise(resolve => setTimeout(resolve))
      into.set(image.subarray(at, at + COPY_BYTES), at)
    }
    return true
  },
})

const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(2)} GiB`
