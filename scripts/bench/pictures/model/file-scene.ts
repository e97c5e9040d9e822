/** A glTF file for two tracers, which read it each by itself, under the same light. */
import type { EnvironmentMap, Sky } from '../../../../shared/scene/environment.ts'
import type { Light } from '../../../../shared/scene/light.ts'

export interface FileScene {
  readonly path: string
  /** The scene as the kernel reads it. */
  readonly packed: Uint8Array
  /** In the coordinates of the file; glowing surfaces come with it. */
  readonly lights: readonly Light[]
  readonly environment: Sky | EnvironmentMap
  /** All surfaces are diffuse, in their colours: then both tracers should show the same light. */
  readonly diffuse: boolean
}
