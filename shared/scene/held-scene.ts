/** A scene by its name, and one that is held in memory with all of its parts. */
import { joinScene, type SceneManifest, type Sha256, sceneName, splitScene } from './manifest.ts'
import type { PackedScene } from './packed-layout.ts'

export interface SceneContent {
  /** Keyed by the SHA-256 of their bytes. */
  readonly parts: ReadonlyMap<string, Uint8Array>
  /** The packed scene; created on first access if the scene came in parts. */
  readonly bytes: Uint8Array
}

/** A scene whose content may still have to be read: workers that have it built never ask for it. */
export interface NamedScene {
  /** Its cluster-wide name, the SHA-256 of its manifest. */
  readonly hash: string
  readonly manifest: SceneManifest
  /** What people call it, for logs. @default nothing */
  readonly title?: string
  /** Rejects if it can no longer be had. */
  content(): Promise<SceneContent>
}

export interface HeldScene extends NamedScene, SceneContent {}

/** Holds a packed scene; most of its parts are views of its bytes. */
export function holdScene(scene: PackedScene, sha256: Sha256): HeldScene {
  const { manifest, parts } = splitScene(scene, sha256)
  return withContent({ hash: sceneName(manifest, sha256), manifest, parts, bytes: scene.bytes })
}

/** Holds a scene whose name is known, as one from another thread. */
export const withContent = (scene: Omit<HeldScene, 'content'>): HeldScene => ({
  ...scene,
  content: () => Promise.resolve(scene),
})

/** Holds a scene that came in parts. Their content is validated when they are packed. */
export function sceneOfParts(hash: string, manifest: SceneManifest, parts: ReadonlyMap<string, Uint8Array>): HeldScene {
  let packed: Uint8Array | undefined
  return {
    hash,
    manifest,
    parts,
    get bytes() {
      packed ??= joinScene(manifest, part => parts.get(part)!).bytes
      return packed
    },
    content() {
      return Promise.resolve(this)
    },
  }
}
