/**
 * Scenes that have been validated for tracing. A scene is named by its content, so once checked it need not be packed
 * again for the next session that renders it, which would take longer than everything else before a first frame. The
 * packed scene is not kept: a master only ever looks at where the triangles are.
 */
import { keepNewest } from '../../shared/keep-newest.ts'
import type { HeldScene } from '../../shared/scene/held-scene.ts'
import { joiningSteps } from '../../shared/scene/manifest.ts'
import { inSteps } from '../sessions/in-steps.ts'

/** Maximum number of remembered names. */
const MAX_REMEMBERED = 1024

export class CheckedScenes {
  /** Least recently used first. */
  readonly #good = new Set<string>()

  /** Those that are being checked. */
  readonly #running = new Map<string, Promise<unknown>>()

  /** Rejects with PackedSceneError if the scene contradicts itself. */
  async check({ hash, manifest, parts }: Pick<HeldScene, 'hash' | 'manifest' | 'parts'>): Promise<void> {
    if (!this.#good.delete(hash)) {
      const running = this.#running.get(hash) ?? inSteps(joiningSteps(manifest, part => parts.get(part)!))
      this.#running.set(hash, running)
      await running.finally(() => this.#running.delete(hash))
    }
    this.#good.add(hash)
    keepNewest(this.#good, MAX_REMEMBERED)
  }
}
