/** A scene and a job as files, for `render.py`. Numbers are little-endian; vectors are ours, y is up. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { View } from '../../../../shared/frame/view.ts'
import type { Environment } from '../../../../shared/scene/environment.ts'
import type { FileScene } from '../model/file-scene.ts'
import type { PlainScene } from '../model/plain-scene.ts'
import { surroundings } from '../naive/surroundings.ts'
import { weld } from './weld.ts'

/** What a job's file says. Rendering answers with a picture: an OpenEXR file of linear floats. */
export interface CyclesJob {
  /** Folder of the scene. The same as in the job before: it is built already. */
  readonly scene: string
  readonly view: View
  readonly seed: number
  /** Where the picture shall be. */
  readonly picture: string
}

/**
 * Makes a folder with `scene.json` (materials, lights, and the environment but for its texels), `vertices`, `normals` (f32, 3 per
 * vertex; 0 where triangles are flat), `corners` (u32, 3 per triangle), `material-ids` (u16 per triangle), and `texels` (f32).
 */
export async function writeScene(folder: string, scene: PlainScene): Promise<void> {
  await mkdir(folder)
  const { positions, normals, materialIds, materials, lights, environment } = scene
  const { texels, ...outside } = { texels: new Float32Array(), ...forCycles(environment) }
  const welded = weld(positions, normals)
  await writeFile(join(folder, 'scene.json'), JSON.stringify({ materials, lights, environment: outside }))
  const arrays = { ...welded, 'material-ids': materialIds, texels }
  for (const [name, values] of Object.entries(arrays)) await writeFile(join(folder, name), values)
}

/** Makes a folder with `scene.json` (the path of the file, whether all is diffuse, lights, and the environment but for its texels), and `texels` (f32). */
export async function writeFileScene(folder: string, { path, lights, environment, diffuse }: FileScene): Promise<void> {
  await mkdir(folder)
  const { texels, ...outside } = { texels: new Float32Array(), ...forCycles(environment) }
  await writeFile(
    join(folder, 'scene.json'),
    JSON.stringify({ file: resolve(path), diffuse, lights, environment: outside }),
  )
  await writeFile(join(folder, 'texels'), texels)
}

export const writeJob = (path: string, job: CyclesJob): Promise<void> => writeFile(path, JSON.stringify(job))

/** Rows below which a map is enlarged. */
const FEWEST_ROWS = 128

/**
 * Cycles interpolates between texels as we do, but also across the poles, from the first row to the last. Of a map with many rows this
 * does not show; one with few is enlarged. By an odd factor, because then old centres of texels are new ones, and nothing changes.
 */
function forCycles(environment: Environment): Environment {
  if (environment.kind === 'sky' || environment.height >= FEWEST_ROWS) return environment
  const factor = 2 * Math.ceil(FEWEST_ROWS / environment.height / 2) + 1
  const [width, height] = [environment.width * factor, environment.height * factor]
  const texels = new Float32Array(width * height * 3)
  const plain = { ...environment, intensity: 1, rotation: 0 }
  for (let i = 0; i < texels.length; i += 3) {
    const [column, row] = [(i / 3) % width, Math.floor(i / 3 / width)]
    const [azimuth, polar] = [((column + 0.5) / width - 0.5) * 2 * Math.PI, ((row + 0.5) / height) * Math.PI]
    const across = Math.sin(polar)
    texels.set(surroundings(plain, [across * Math.cos(azimuth), Math.cos(polar), across * Math.sin(azimuth)]), i)
  }
  return { ...environment, width, height, texels }
}
