/**
 * What a scene's module loads files with. three's own loaders fetch and decode with a browser's help; these read files of this
 * machine with the readers of scene files, which check what they read.
 */
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DataTexture, Group, type Object3D, Texture } from 'three'
import { messageOf } from '../../shared/errors.ts'
import { readRegular } from '../../shared/node/regular-file.ts'
import { printable } from '../../shared/text/printable.ts'
import { SceneModuleError } from '../errors.ts'
import { readEnvironment } from '../files/pictures/environment-file.ts'
import { PictureDecoder } from '../files/pictures/picture-decoder.ts'
import { openSceneFile } from '../files/scene-file.ts'
import { readContent } from '../load-file.ts'

/** Paths are relative to the module's folder; URLs are those of files, such as `new URL('./tree.glb', import.meta.url)`. */
export interface ModuleFiles {
  /** A .glb, .gltf, .obj, .ply or .stl file, as it stands: its objects, materials and lights. */
  loadModel(path: string | URL): Promise<{ readonly scene: Object3D }>
  /** A PNG, JPEG, WebP, AVIF, KTX2 or other picture, like three's TextureLoader: a colour needs `colorSpace = SRGBColorSpace`. */
  loadTexture(path: string | URL): Promise<Texture>
  /** An HDR or EXR picture of surroundings, for a scene's `background`. */
  loadEnvironment(path: string | URL): Promise<DataTexture>
}

/** Names in it may be of any length. */
const LONGEST_PROBLEM = 400

/** @param problems what the files ask for and do not get, one sentence each */
export function moduleFiles(modulePath: string, problems: string[]): ModuleFiles {
  const decoder = new PictureDecoder()
  const placeOf = (path: unknown, what: string): string => {
    if (path instanceof URL && path.protocol === 'file:') return fileURLToPath(path)
    if (typeof path !== 'string')
      throw new SceneModuleError(modulePath, `${what}: expected a path or a file's URL, got ${String(path)}`)
    if (path.startsWith('file:')) return fileURLToPath(path)
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path))
      throw new SceneModuleError(
        modulePath,
        `${what}: expected a file of this machine, got ${path}: nothing is fetched`,
      )
    return resolve(dirname(modulePath), path)
  }
  return {
    loadModel: async path => {
      const file = await openSceneFile(placeOf(path, 'loadModel'))
      const { content, problems: found } = await readContent(file).finally(() => file.close())
      for (const problem of found) problems.push(printable(`${String(path)}: ${problem}`.slice(0, LONGEST_PROBLEM)))
      return { scene: content instanceof Group ? content : new Group().add(content) }
    },
    loadTexture: async path => {
      const place = placeOf(path, 'loadTexture')
      try {
        const texture = new Texture(await decoder.decode(await readRegular(place)))
        texture.name = String(path)
        return texture
      } catch (error) {
        throw new SceneModuleError(modulePath, `loadTexture: ${place}: ${messageOf(error)}`, { cause: error })
      }
    },
    loadEnvironment: path => readEnvironment(placeOf(path, 'loadEnvironment')),
  }
}
