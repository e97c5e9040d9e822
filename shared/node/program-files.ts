/**
 * Where the files of the compiled program are. The programs that people run are bundled into a few files of one folder, since 400
 * modules take a third of a second to load; other programs and most tests import the modules themselves. This module is two
 * folders below the root of either.
 */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'

/** Folder of the bundled program, relative to the root of the modules. */
export const BUNDLE = 'bundle/program/'

/** A file of the compiled modules, by its path relative to their root. */
export const moduleUrl = (path: string): URL => new URL(`../../${path}`, import.meta.url)

/** The program of a thread: bundled if this module is. */
export const threadProgram = (path: string): URL =>
  import.meta.url.includes(`/${BUNDLE}`) ? new URL(`./${basename(path)}`, import.meta.url) : moduleUrl(path)

/** The program of a process: bundled if there is a bundle. */
export function processProgram(path: string): URL {
  const bundled = moduleUrl(BUNDLE + basename(path))
  return existsSync(bundled) ? bundled : moduleUrl(path)
}
