/** Which formats there are readers for, by the names of files. */
import { basename } from 'node:path'

/** Formats of scene files, each also with `.gz` appended. */
export const FILE_EXTENSIONS = ['.ply', '.obj', '.stl', '.glb', '.gltf'] as const
export type FileExtension = (typeof FILE_EXTENSIONS)[number]

/** Of an archive that has a scene file in it. */
export const ARCHIVE_EXTENSION = '.zip'

/** Of a module that builds a scene: a program, and therefore never looked for in folders or archives. */
export const MODULE_EXTENSIONS = ['.js', '.mjs'] as const

/** Whether a path means a module that builds a scene. */
export const isModulePath = (path: string): boolean => /\.m?js$/i.test(path)

/** The extension in lower case, ignoring a trailing `.gz`: '.ply' for 'a/Bunny.PLY.gz', '' if there is none. */
export function extensionOf(path: string): string {
  const name = basename(path).toLowerCase().replace(/\.gz$/, '')
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot) : ''
}

/** Undefined for a name that no reader is for. */
export function formatOf(path: string): FileExtension | undefined {
  const extension = extensionOf(path)
  return FILE_EXTENSIONS.find(candidate => candidate === extension)
}
