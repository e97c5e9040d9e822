/** Loads a glTF file for a comparison: what shines on it, and the camera that looks at it. */
import { basename } from 'node:path'
import type { Size } from '../../../../shared/frame/rect.ts'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Sky } from '../../../../shared/scene/environment.ts'
import type { Light } from '../../../../shared/scene/light.ts'
import { DEFAULT_MATERIAL, type Material } from '../../../../shared/scene/material.ts'
import { packScene, readPackedScene } from '../../../../shared/scene/packed-scene.ts'
import { camerasOf } from '../../../library/cameras.ts'
import { loadScene, type ReadyScene } from '../../../library/ready-scene.ts'
import type { FileScene } from '../model/file-scene.ts'
import { add } from '../model/vector.ts'
import type { ComparedScene } from '../scenes/compared-scenes.ts'

export interface FileToCompare extends ComparedScene<FileScene> {
  /** What we leave out of the file, one sentence each. */
  readonly notes: readonly string[]
}

export interface FileLook {
  readonly size: Size
  /** Of files without lights: the path of a panorama, or `none` for darkness. @default our sun and sky */
  readonly environment?: string
  readonly bounces: number
  /** See `FileScene`. */
  readonly diffuse: boolean
}

/** Darkness, where a panorama is named. */
const NONE = 'none'
const DARK: Sky = { kind: 'sky', zenith: [0, 0, 0], horizon: [0, 0, 0], ground: [0, 0, 0] }

/** Through the file's first camera, or else as a file is framed. Rejects with what `loadScene` does. */
export async function fileToCompare(
  path: string,
  { size, environment, bounces, diffuse }: FileLook,
  signal: AbortSignal,
): Promise<FileToCompare> {
  const load = (look: { environment?: string }) => loadScene(path, { floor: false, cache: false, signal, ...look })
  const plain = await load({})
  const unlit = plain.contents.added.lights > 0 || plain.contents.added.sky
  const dark = unlit && environment === NONE
  const loaded = unlit && environment !== undefined && !dark ? await load({ environment }) : plain
  const camera = camerasOf(loaded, loaded.cameras.length > 0 ? undefined : 'still', size)(0)
  const light = !unlit
    ? 'its own lights'
    : dark
      ? 'what glows in it'
      : environment
        ? basename(environment)
        : 'sun and sky'
  return {
    name: basename(path),
    about: `Lit by ${light}.`,
    notes: loaded.problems,
    scene: await fileScene(path, loaded, dark, diffuse),
    camera,
    bounces,
  }
}

/** Glass without thickness is solid, as Blender takes it. */
async function fileScene(path: string, { held }: ReadyScene, dark: boolean, diffuse: boolean): Promise<FileScene> {
  const { bytes: _, ...read } = readPackedScene((await held.content()).bytes)
  const materials = read.materials.map(material => (diffuse ? asDiffuse(material) : { ...material, thin: false }))
  const { lights, environment } = dark ? { lights: [], environment: DARK } : read
  const { bytes } = packScene({ ...read, materials, lights, environment })
  return { path, packed: bytes, lights: lights.map(light => moved(light, read.centre)), environment, diffuse }
}

const moved = (light: Light, by: Vec3): Light =>
  'position' in light ? { ...light, position: add(light.position, by) } : light

function asDiffuse(material: Material): Material {
  const { color, unlit, alpha, opacity, alphaCutoff, culled, normalScale, emission, maps } = material
  const kept = DIFFUSE_MAPS.flatMap(name => (maps[name] ? [[name, maps[name]]] : []))
  return {
    ...DEFAULT_MATERIAL,
    color,
    unlit,
    alpha,
    opacity,
    alphaCutoff,
    culled,
    normalScale,
    emission,
    maps: Object.fromEntries(kept),
  }
}

const DIFFUSE_MAPS = ['color', 'opacity', 'normal', 'emission'] as const
