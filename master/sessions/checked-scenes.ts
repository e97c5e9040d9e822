/**
 * Scenes that were found to be what a tracer can rely on. A scene is named by its content, so what was checked once need
 * not be packed again for whoever renders it next: that takes longer than everything else before a first frame. What was
 * packed is not kept: all that a master ever looks at is where the triangles are.
 */
import { keepNewest } from '../../shared/keep-newest.ts'
import type { HeldScene } from '../../shared/scene/held-scene.ts'
import { joinScene } from '../../shared/scene/manifest.ts'

/** Names that are remembered. */
const MAX_REMEMBERED = 1024

export class CheckedScenes {
  /** The least recently asked for first. */
  readonly #good = new Set<string>()

  /** @throws PackedSceneError when the scene contradicts itself */
  check(scene: HeldScene): void {
    const { hash, manifest, parts } = scene
    if (!this.#good.delete(hash)) joinScene(manifest, part => parts.get(part)!)
    this.#good.add(hash)
    keepNewest(this.#good, MAX_REMEMBERED)
  }
}
