/** The scene of a session. Its content is read only if a worker lacks it, or the strategy asks where it is on the screen. */
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import type { NamedScene, SceneContent } from '../../shared/scene/held-scene.ts'
import { geometryOf, type SceneManifest } from '../../shared/scene/manifest.ts'
import { CoverageMask } from '../coverage/coverage-mask.ts'
import { projectCoverage } from '../coverage/project.ts'

export class SessionScene implements NamedScene {
  readonly hash: string
  readonly manifest: SceneManifest
  readonly title: string
  readonly #scene: NamedScene
  readonly #lost: (error: unknown) => void
  #held: SceneContent | undefined

  /**
   * @param title what people call it
   * @param lost called if the content cannot be had
   */
  constructor(scene: NamedScene, title: string, lost: (error: unknown) => void) {
    this.title = title
    this.hash = scene.hash
    this.manifest = scene.manifest
    this.#scene = scene
    this.#lost = lost
  }

  async content(): Promise<SceneContent> {
    try {
      this.#held = await this.#scene.content()
      return this.#held
    } catch (error) {
      this.#lost(error)
      throw error
    }
  }

  /** Where it projects in a frame; nowhere if its content has not been read, because the question was not foreseen. */
  coverage(camera: Camera, size: Size): CoverageMask {
    const held = this.#held
    if (!held) return new CoverageMask(size)
    return projectCoverage(
      geometryOf(this.manifest, part => held.parts.get(part)!),
      camera,
      size,
    )
  }
}
