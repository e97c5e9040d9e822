/** The single entry point for scenes: a word from the command line becomes a loaded scene. */
import { existsSync } from 'node:fs'
import { UnknownNameError } from '../shared/errors.ts'
import { extensionOf, isModulePath } from './files/extensions.ts'
import { readEnvironment } from './files/pictures/environment-file.ts'
import { BUILT_IN_SCENES } from './index.ts'
import { loadFile } from './load-file.ts'
import { fadeGround } from './look/haze.ts'
import { relight } from './look/relight.ts'
import type { CheckedLook } from './look/scene-look.ts'
import type { LoadedScene } from './scene-source.ts'

/**
 * A built-in scene by name, or else a module that builds one (.js, .mjs), or a scene file or a folder with one by path: anything that exists,
 * or has a folder or an extension in it.
 * @throws UnknownNameError, or one of the errors in `errors.ts`
 */
export async function openScene(nameOrPath: string, look: CheckedLook = {}): Promise<LoadedScene> {
  const loaded = await load(nameOrPath, look)
  const { environment } = look
  relight(loaded.scene, look, environment === undefined ? undefined : await readEnvironment(environment))
  fadeGround(loaded.scene)
  return environment === undefined ? loaded : { ...loaded, files: [...loaded.files, environment] }
}

async function load(nameOrPath: string, look: CheckedLook): Promise<LoadedScene> {
  const builtIn = BUILT_IN_SCENES.find(scene => scene.name === nameOrPath)
  if (builtIn) {
    const loaded = await builtIn.load()
    if (look.floor === false) loaded.scene.getObjectByName('floor')?.removeFromParent()
    return loaded
  }
  if (isModulePath(nameOrPath)) {
    // Of no use to other scenes.
    const { loadModule } = await import('./module/load-module.ts')
    return loadModule(nameOrPath)
  }
  const isPath = /[/\\]/.test(nameOrPath) || extensionOf(nameOrPath) !== ''
  if (isPath || (nameOrPath !== '' && existsSync(nameOrPath))) return loadFile(nameOrPath, look)
  throw new UnknownNameError(
    'scene',
    nameOrPath,
    BUILT_IN_SCENES.map(scene => scene.name),
    'a file or folder that exists',
  )
}
