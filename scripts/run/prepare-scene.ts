/** From a scene's name to what a cluster needs of it: packed bytes with their hash, and a camera for every frame. */
import { type CameraPathName, cameraAt } from '../../scenes/camera-paths.ts'
import { flatten } from '../../scenes/flatten.ts'
import { openScene } from '../../scenes/open-scene.ts'
import type { Log } from '../../shared/log.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import type { Size } from '../../shared/rect.ts'
import { type HeldScene, holdScene } from '../../shared/scene/held-scene.ts'
import { packScene, triangleCount } from '../../shared/scene/packed-scene.ts'
import type { Camera } from '../../shared/view.ts'

export interface PreparedScene {
  readonly name: string
  readonly held: HeldScene
  readonly triangles: number
  readonly exposure: number
  readonly cameraPath: CameraPathName
  cameraAt(frame: number): Camera
}

/** Loads and packs; reports what the scene asks for and does not get. @throws UsageError for scenes that cannot be had */
export async function prepareScene(
  name: string,
  size: Size,
  camera: CameraPathName | undefined,
  log: Log,
): Promise<PreparedScene> {
  const started = performance.now()
  const loaded = await openScene(name)
  const { data, degenerate, problems } = flatten(loaded.scene)
  const packed = packScene(data)
  for (const problem of [...loaded.problems, ...problems]) log.warn(`${loaded.name}: ${problem}`)
  const triangles = triangleCount(packed)
  const dropped = degenerate > 0 ? `, ${degenerate} without area left out` : ''
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  log.info(`scene ${loaded.name}: ${triangles.toLocaleString('en')} triangles${dropped}, loaded in ${seconds} s`)
  const cameraPath = camera ?? loaded.defaultCamera
  const { subject, framing } = loaded
  return {
    name: loaded.name,
    held: holdScene(packed.bytes, sha256),
    triangles,
    exposure: loaded.exposure,
    cameraPath,
    cameraAt: frame => cameraAt(cameraPath, { subject, framing }, frame, size[0] / size[1]),
  }
}
