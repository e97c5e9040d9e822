/**
 * Packed scenes, in the folder in which workers cache their built scenes: parsing a mesh takes longer than everything after
 * it. A file is named by the request and the program that made it, and is valid as long as every file that the scene was
 * read from has unchanged content.
 *
 *     <SHA-256>.scene        packed scene | facts as JSON | f64 bytes of the packed scene
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { REVISION } from 'three'
import { ENDINGS, openCached, putCached } from '../../shared/node/cache-folder.ts'
import { moduleFingerprint } from '../../shared/node/module-fingerprint.ts'
import { moduleUrl } from '../../shared/node/program-files.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import { partsOf, type SceneManifest } from '../../shared/scene/manifest.ts'
import { viewsOf } from '../../shared/scene/packed-layout.ts'
import type { PackedThreeScene } from './pack.ts'
import type { SceneOrder } from './scene-thread.ts'

/** Stored along with the packed scene. */
interface Facts extends Omit<PackedThreeScene, 'held' | 'files'> {
  readonly hash: string
  readonly manifest: SceneManifest
  /** Each with the SHA-256 of its content; null if the file did not exist. */
  readonly files: readonly (readonly [path: string, content: string | null])[]
}

/** Resolution of file system timestamps, ms. */
const CLOCK_STEP_MS = 20

export class SceneCache {
  readonly #folder: string
  readonly #name: string

  constructor(folder: string, { name, look }: SceneOrder) {
    this.#folder = folder
    // Without a folder or an extension it is a built-in scene, independent of the current folder.
    const environment = look.environment === undefined ? {} : { environment: resolve(look.environment) }
    const asked = { name: /[/\\.]/.test(name) ? resolve(name) : name, look: { ...look, ...environment } }
    this.#name = sha256(new TextEncoder().encode(JSON.stringify([program(), asked]))) + ENDINGS.scene
  }

  /** The cached scene, if it exists and its source files are unchanged. Never rejects. */
  async find(): Promise<PackedThreeScene | undefined> {
    const stored = await openCached(this.#folder, this.#name).catch(() => undefined)
    if (!stored) return undefined
    const bytes = new Uint8Array(stored.bytes)
    if (!(await stored.read(bytes))) return undefined
    const end = bytes.length - 8
    const packedBytes = new DataView(bytes.buffer).getFloat64(end, true)
    const { hash, manifest, files, ...facts }: Facts = JSON.parse(
      new TextDecoder().decode(bytes.subarray(packedBytes, end)),
    )
    for (const [path, content] of files) if ((await contentOf(path)) !== content) return undefined
    const packed = viewsOf(bytes.subarray(0, packedBytes))
    return {
      ...facts,
      held: { hash, manifest, parts: partsOf(packed, manifest), bytes: packed.bytes },
      files: files.map(([path]) => path),
    }
  }

  /**
   * Caches a scene, unless a source file has changed since reading began: then its content at that time is unknown.
   * Never rejects. @param startedAt ms since 1970
   */
  async keep({ held, files, ...facts }: PackedThreeScene, startedAt: number): Promise<void> {
    try {
      const contents: (readonly [string, string | null])[] = []
      for (const path of files.map(file => resolve(file))) {
        const content = await contentOf(path)
        const { ctimeMs = 0 } = (await stat(path).catch(() => undefined)) ?? {}
        if (ctimeMs > startedAt - CLOCK_STEP_MS) return
        contents.push([path, content])
      }
      const kept: Facts = { ...facts, hash: held.hash, manifest: held.manifest, files: contents }
      const json = new TextEncoder().encode(JSON.stringify(kept))
      const length = new Uint8Array(Float64Array.of(held.bytes.length).buffer)
      await putCached(this.#folder, this.#name, [held.bytes, json, length])
    } catch {
      // It will be loaded from its source next time.
    }
  }
}

/** Fingerprint of everything in this program and three.js that determines how a file is loaded. */
let known: string | undefined
const program = (): string => {
  known ??= `${moduleFingerprint(moduleUrl('scripts/library/scene-thread.js'))} three ${REVISION}`
  return known
}

/** The SHA-256 of a file's content, or of the names in a folder; null if it cannot be read. */
async function contentOf(path: string): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    if ((await stat(path)).isDirectory()) return hash.update((await readdir(path)).sort().join('\0')).digest('hex')
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
    return hash.digest('hex')
  } catch {
    return null
  }
}
