/** The glTF files that a command line names: themselves, or all in a folder and its subfolders. */
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { OptionError } from '../../../../shared/errors.ts'

export interface GltfPath {
  readonly path: string
  /** For people: without the folder that it was found in. */
  readonly name: string
}

/**
 * Each once; those of a folder in alphabetical order.
 * @param option for messages
 * @throws OptionError for a path that does not exist or is of another kind, and a folder without such files
 */
export async function gltfPaths(asked: readonly string[], option: string): Promise<GltfPath[]> {
  const found = await Promise.all(asked.map(path => pathsOf(path, option)))
  return [...new Map(found.flat().map(each => [each.path, each])).values()]
}

const isGltf = (path: string): boolean => /\.(glb|gltf)$/i.test(path)

async function pathsOf(path: string, option: string): Promise<GltfPath[]> {
  const there = await stat(path).catch(() => undefined)
  if (!there) throw new OptionError(option, 'glTF files or folders of them', `'${path}', which does not exist`)
  if (!there.isDirectory()) {
    if (!isGltf(path)) throw new OptionError(option, 'files that end in .glb or .gltf', `'${path}'`)
    return [{ path, name: basename(path) }]
  }
  const names = (await readdir(path, { recursive: true })).filter(isGltf).sort()
  if (names.length === 0)
    throw new OptionError(option, 'a folder with .glb or .gltf files in it', `'${path}', which has none`)
  return names.map(name => ({ path: join(path, name), name }))
}
