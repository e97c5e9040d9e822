/**
 * Loads a scene that a JavaScript module builds with three.js. A module is a program of the user's: it runs with all rights, in the
 * thread that loads scenes, and nothing of it is cached.
 */
import { basename } from 'node:path'
import { Box3, type Object3D, type Scene, Vector3 } from 'three'
import type { SceneCamera } from '../../shared/scene/description.ts'
import { printable } from '../../shared/text/printable.ts'
import { DEFAULT_FRAMING } from '../cameras/camera-paths.ts'
import { firstSight } from '../cameras/first-sight.ts'
import { mapCamera, mapCameras } from '../cameras/map-camera.ts'
import { namingFile, SceneModuleError } from '../errors.ts'
import { boxOfShown, hasHidden } from '../import/box-of-shown.ts'
import { mapLighting } from '../import/lights/map-light.ts'
import type { LoadedScene, Motion } from '../scene-source.ts'
import { type BuiltScene, builtScene } from './built-scene.ts'
import { fromModule, importModule } from './import-module.ts'
import { moduleFiles } from './module-files.ts'

/** Rejects with SceneModuleError, or another one in `errors.ts`. */
export async function loadModule(path: string): Promise<LoadedScene> {
  const module = await importModule(path)
  if (!('default' in module))
    throw new SceneModuleError(path, 'expected a default export that builds a scene, got none')
  const problems: string[] = []
  const made = module.default
  const built = builtScene(
    path,
    await fromModule(path, 'its default export threw', () =>
      typeof made === 'function' ? made(moduleFiles(path, problems)) : made,
    ),
    module.update,
  )
  const motion = built.update && new ModuleMotion(path, built)
  await motion?.setTime(0, 0)
  const { scene, exposure, name } = built
  scene.updateMatrixWorld(true)
  namingFile(path, () => mapLighting(scene, [0, 0, 0], []))
  const cameras = motion?.cameras() ?? camerasOf(path, built, problems)
  return {
    name: printable(name ?? basename(path)),
    path,
    scene,
    exposure,
    cameras,
    subject: await boxOf(scene, motion),
    defaultCamera: 'orbit',
    framing: DEFAULT_FRAMING,
    files: [],
    problems: [...built.problems, ...problems].map(printable),
    ...(motion ? { motion } : {}),
  }
}

/** The box of what the scene shows at first, and of what appears later, where it does; or any box. */
async function boxOf(scene: Scene, motion: Motion | undefined): Promise<Box3> {
  const seen = new Set<Object3D>()
  const all = boxOfShown(scene, seen) ?? new Box3()
  if (motion && (all.isEmpty() || hasHidden(scene)))
    await firstSight(motion, 1, () => {
      all.union(boxOfShown(scene, seen) ?? new Box3())
      return all.isEmpty() || hasHidden(scene) ? undefined : all
    })
  return all.isEmpty() ? new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)) : all
}

/** How often to look at what moves without saying for how long, and for how long, s. */
const LOOKS = 64
const LOOK_SECONDS = 8

class ModuleMotion implements Motion {
  readonly seconds: number | undefined
  readonly #path: string
  readonly #built: BuiltScene
  #cameras: readonly SceneCamera[] | undefined

  constructor(path: string, built: BuiltScene) {
    this.#path = path
    this.#built = built
    this.seconds = built.seconds
  }

  async setTime(seconds: number, frame: number): Promise<void> {
    const { scene, update } = this.#built
    const time = this.seconds === undefined ? seconds : seconds % this.seconds
    const call = `update(${Number(time.toFixed(4))}, ${frame})`
    await fromModule(this.#path, `${call} threw`, () => update!(time, frame))
    scene.updateMatrixWorld(true)
    const cameras = camerasOf(this.#path, this.#built, [])
    const before = this.#cameras ?? cameras
    if (cameras.length !== before.length)
      throw new SceneModuleError(
        this.#path,
        `${call}: expected as many cameras as before, ${before.length}, got ${cameras.length}`,
      )
    this.#cameras = cameras
  }

  times(most: number): readonly number[] {
    const count = Math.min(most, LOOKS)
    return Array.from({ length: count }, (_, i) => ((i + 1) / (count + 1)) * (this.seconds ?? LOOK_SECONDS))
  }

  cameras(): readonly SceneCamera[] {
    return this.#cameras ?? []
  }
}

/**
 * Those that the module names, or else those in its scene. Of the latter, some may be unusable.
 * @throws SceneModuleError for one of the former
 */
function camerasOf(path: string, { scene, cameras }: BuiltScene, problems: string[]): readonly SceneCamera[] {
  if (!cameras) return mapCameras(scene, problems)
  return cameras.map(camera => {
    camera.updateWorldMatrix(true, false)
    const mapped = mapCamera(camera, problems)
    if (typeof mapped === 'string') throw new SceneModuleError(path, `camera: expected ${mapped}`)
    return mapped
  })
}
