/** From a scene's name on the command line to what a cluster is given, and a camera for every frame. */
import type { CameraPathName } from '../../scenes/camera-paths.ts'
import type { Log } from '../../shared/log.ts'
import type { Size } from '../../shared/rect.ts'
import type { SceneFacts } from '../../shared/scene/facts.ts'
import type { Camera } from '../../shared/view.ts'
import { camerasOf } from '../library/cameras.ts'
import { loadScene, type ReadyScene } from '../library/ready-scene.ts'
import { triangleText } from '../report/numbers.ts'
import { withLongSteps } from './long-steps.ts'

export interface PreparedScene extends ReadyScene {
  readonly cameraPath: CameraPathName
  cameraAt(frame: number): Camera
}

/** Loads and packs; reports what the scene asks for and does not get. Rejects as `loadScene` does. */
export async function prepareScene(
  name: string,
  size: Size,
  camera: CameraPathName | undefined,
  log: Log,
  signal?: AbortSignal,
): Promise<PreparedScene> {
  const started = performance.now()
  const scene = await withLongSteps(log, steps => {
    steps.begin(`loading ${name}`)
    return loadScene(name, signal ? { signal } : {})
  })
  for (const problem of scene.problems) log.warn(`${scene.name}: ${problem}`)
  const { degenerate } = scene
  const dropped = degenerate > 0 ? `, ${degenerate} without area left out` : ''
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  log.info(`scene ${scene.name}: ${triangleText(scene)}${dropped}, loaded in ${seconds} s`)
  const cameraPath = camera ?? scene.defaultCamera
  return { ...scene, cameraPath, cameraAt: camerasOf(scene, cameraPath, size) }
}

/** For the files of a run. */
export const sceneFacts = ({
  name,
  triangles,
  floorTriangles,
  held,
}: Pick<ReadyScene, 'name' | 'triangles' | 'floorTriangles' | 'held'>): SceneFacts => ({
  ...{ name, triangles, sha256: held.hash },
  ...(floorTriangles > 0 ? { floorTriangles } : {}),
})
