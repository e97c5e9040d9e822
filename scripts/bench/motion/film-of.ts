/** A scene in which something moves as a film of which costs can be measured, made on the calling thread. */
import { cameraAt } from '../../../scenes/cameras/camera-paths.ts'
import type { CameraPathName } from '../../../scenes/cameras/camera-words.ts'
import { ScenePacker } from '../../../scenes/loading/pack.ts'
import type { LoadedScene } from '../../../scenes/scene-source.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { sceneOfParts } from '../../../shared/scene/held-scene.ts'
import type { CostedFilm } from '../../recording/trace-costs.ts'

export function filmOf(loaded: LoadedScene, path: CameraPathName, [width, height]: Size): CostedFilm {
  const packer = new ScenePacker(loaded)
  const { held, exposure } = packer.packed
  let parts = held.parts
  return {
    held,
    exposure,
    cameraAt: frame => cameraAt(path, loaded, frame, width / height),
    async at(seconds, frame) {
      const { hash, manifest, fresh, cameras } = await packer.at(seconds, frame)
      const before = parts
      parts = new Map(manifest.parts.map(({ sha256 }) => [sha256, fresh.get(sha256) ?? before.get(sha256)!]))
      return { held: sceneOfParts(hash, manifest, parts), cameras }
    },
  }
}
