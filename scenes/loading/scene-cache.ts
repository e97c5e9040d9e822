/**
 * Packed scenes, in the folder in which workers cache their built scenes: parsing a mesh takes longer than everything after
 * it. What is known of a scene is in a file named by the request and the program that made it, and valid as long as every file
 * that the scene was read from is unchanged. The scene itself is in a file named by its content; it is read only if it is asked for
 * for it, which a worker that finds it built does not.
 *
 *     <SHA-256>.facts        all but the packed scene, as JSON
 *     <scene>.scene          the packed scene
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { SortfirstError } from '../../shared/errors.ts'
import { ENDINGS, MAX_CACHE_BYTES, openCached, putCached } from '../../shared/node/cache-folder.ts'
import type { StoredContent } from '../../shared/node/cached-file.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import type { HeldScene, SceneContent } from '../../shared/scene/held-scene.ts'
import { partsOf, type SceneManifest } from '../../shared/scene/manifest.ts'
import { viewsOf } from '../../shared/scene/packed-layout.ts'
import { loaderFingerprint } from './loader-fingerprint.ts'
import type { HeldThreeScene, PackedThreeScene } from './pack.ts'
import type { SceneOrder } from './scene-messages.ts'
import { changedAt, linkedFile, type SourceFile, sourceFile, unchanged } from './source-files.ts'

/** What is known of a scene. */
interface Facts extends Omit<PackedThreeScene, 'held' | 'files' | 'unfollowed'> {
  readonly hash: string
  readonly manifest: SceneManifest
  readonly files: readonly SourceFile[]
  /** Of the packed scene. */
  readonly bytes: number
}

/** Resolution of file system timestamps, ms. */
const CLOCK_STEP_MS = 20

/** Its copy in the cache is damaged, and its file has changed since. */
export class SceneLostError extends SortfirstError {
  readonly code = 'SCENE_LOST'
  constructor(name: string) {
    super(`${name}: the cached scene is damaged, and the file has changed since it was loaded; start again`)
  }
}

/** The cached scene, or else the loaded one, which is then cached. Rejects as `load` does, or with the signal's reason. */
export async function loadCached(
  cache: SceneCache,
  load: (signal?: AbortSignal) => Promise<HeldThreeScene>,
  signal?: AbortSignal,
): Promise<PackedThreeScene> {
  const loadAndKeep = async (over?: AbortSignal): Promise<HeldThreeScene> => {
    const startedAt = Date.now()
    const scene = await load(over)
    // Not awaited: if the process ends before it is written, nothing harmful remains.
    void cache.keep(scene, startedAt)
    return scene
  }
  const kept = await cache.find(async () => {
    const { held } = await loadAndKeep()
    if (held.hash === kept!.held.hash) return held
    throw new SceneLostError(kept!.name)
  })
  signal?.throwIfAborted()
  return kept ?? loadAndKeep(signal)
}

export class SceneCache {
  readonly #folder: string
  readonly #name: string
  readonly #mostBytes: number

  /** @param program identifies everything that determines how a file is loaded */
  constructor(folder: string, { name, look }: SceneOrder, program = loaderFingerprint(), mostBytes = MAX_CACHE_BYTES) {
    this.#folder = folder
    this.#mostBytes = mostBytes
    const environment = look.environment === undefined ? {} : { environment: resolve(look.environment) }
    // A plain name is a built-in scene, independent of the current folder, or of something in that.
    const isPath = /[/\\.]/.test(name) || existsSync(name)
    const asked = { name: isPath ? resolve(name) : name, look: { ...look, ...environment } }
    this.#name = sha256(new TextEncoder().encode(JSON.stringify([program, asked]))) + ENDINGS.facts
  }

  /**
   * The cached scene, if it exists and its source files are unchanged. Never rejects.
   * @param again loads it from its source, if it turns out to be damaged when it is read
   */
  async find(again: () => Promise<HeldScene>): Promise<PackedThreeScene | undefined> {
    try {
      const found = await this.#facts()
      if (!found) return undefined
      const files = await Promise.all(found.files.map(unchanged))
      if (!files.every(file => file !== undefined)) return undefined
      const { hash, manifest, bytes, files: before, ...facts } = found
      let stored = await openCached(this.#folder, hash + ENDINGS.scene)
      if (stored?.bytes !== bytes) return undefined
      // A file that has been touched is not hashed every time.
      if (files.some((file, i) => file !== before[i])) void this.#putFacts({ ...found, files }).catch(() => {})
      let content: Promise<SceneContent> | undefined
      const read = () => {
        content ??= readScene(stored!, manifest).then(content => content ?? again())
        // Its file is closed once nobody can read it.
        stored = undefined
        return content
      }
      return { ...facts, held: { hash, manifest, content: read }, ...pathsOf(files) }
    } catch {
      return undefined
    }
  }

  /**
   * Caches a scene, unless a source file has changed since reading began: then its content at that time is unknown.
   * Never rejects. @param startedAt ms since 1970
   */
  async keep({ held, files: paths, unfollowed, ...facts }: HeldThreeScene, startedAt: number): Promise<void> {
    try {
      const { hash, manifest, bytes } = held
      const files: SourceFile[] = []
      for (const path of paths) {
        const file = await (unfollowed.includes(path) ? linkedFile : sourceFile)(resolve(path))
        files.push(file)
        if (((await changedAt(file)) ?? 0) > startedAt - CLOCK_STEP_MS) return
      }
      await putCached(this.#folder, hash + ENDINGS.scene, [bytes], this.#mostBytes)
      // Last: it promises the other.
      await this.#putFacts({ ...facts, hash, manifest, files, bytes: bytes.length })
    } catch {
      // It will be loaded from its source next time.
    }
  }

  async #facts(): Promise<Facts | undefined> {
    const stored = await openCached(this.#folder, this.#name)
    const bytes = new Uint8Array(stored?.bytes ?? 0)
    return (await stored?.read(bytes)) ? JSON.parse(new TextDecoder().decode(bytes)) : undefined
  }

  #putFacts(facts: Facts): Promise<void> {
    const json = new TextEncoder().encode(JSON.stringify(facts))
    return putCached(this.#folder, this.#name, [json], this.#mostBytes)
  }
}

const pathsOf = (files: readonly SourceFile[]): Pick<PackedThreeScene, 'files' | 'unfollowed'> => ({
  files: files.map(({ path }) => path),
  unfollowed: files.filter(({ leadsTo }) => leadsTo !== undefined).map(({ path }) => path),
})

/** Undefined if it is damaged. */
async function readScene({ bytes, read }: StoredContent, manifest: SceneManifest): Promise<SceneContent | undefined> {
  const packed = new Uint8Array(bytes)
  return (await read(packed)) ? { bytes: packed, parts: partsOf(viewsOf(packed), manifest) } : undefined
}
