/** A scene that is at hand with all of its parts. */
import { joinScene, type SceneManifest, type Sha256, sceneName, splitScene } from './manifest.ts'
import type { PackedScene } from './packed-layout.ts'

export interface HeldScene {
  /** Its name across the cluster, the SHA-256 of its manifest. */
  readonly hash: string
  readonly manifest: SceneManifest
  /** By the SHA-256 of their bytes. */
  readonly parts: ReadonlyMap<string, Uint8Array>
  /** Packed; made when it is asked for the first time, where it came in parts. */
  readonly bytes: Uint8Array
}

/** A packed scene, its parts views on its bytes. */
export function holdScene(scene: PackedScene, sha256: Sha256): HeldScene {
  const { manifest, parts } = splitScene(scene, sha256)
  return { hash: sceneName(manifest, sha256), manifest, parts, bytes: scene.bytes }
}

/** A scene that came in parts. What its parts say is checked when they are packed. */
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
