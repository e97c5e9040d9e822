/** A scene held in memory with all of its parts. */
import { joinScene, type SceneManifest, type Sha256, sceneName, splitScene } from './manifest.ts'
import type { PackedScene } from './packed-layout.ts'

export interface HeldScene {
  /** Its cluster-wide name, the SHA-256 of its manifest. */
  readonly hash: string
  readonly manifest: SceneManifest
  /** Keyed by the SHA-256 of their bytes. */
  readonly parts: ReadonlyMap<string, Uint8Array>
  /** The packed scene; created on first access if the scene came in parts. */
  readonly bytes: Uint8Array
}

/** Holds a packed scene; most of its parts are views of its bytes. */
export function holdScene(scene: PackedScene, sha256: Sha256): HeldScene {
  const { manifest, parts } = splitScene(scene, sha256)
  return { hash: sceneName(manifest, sha256), manifest, parts, bytes: scene.bytes }
}

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
  }
}
