/**
 * Where the files of the compiled program are. What people run is bundled into a few files of one folder, since a program of 400
 * modules takes a third of a second to load; what other programs import, and most tests, are the modules themselves. This
 * module is two folders below the root of either.
 */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'

/** Folder of the bundled program, from the root of the modules. */
export const BUNDLE = 'bundle/program/'

/** A file of the compiled modules, by its path from their root. */
export const moduleUrl = (path: string): URL => new URL(`../../${path}`, import.meta.url)

/** The program of a thread: bundled where this is, too. */
export const threadProgram = (path: string): URL =>
  import.meta.url.includes(`/${BUNDLE}`) ? new URL(`./${basename(path)}`, import.meta.url) : moduleUrl(path)

/** The program of a process: bundled where there is a bundle. */
export function processProgram(path: string): URL {
  const bundled = moduleUrl(BUNDLE + basename(path))
  return existsSync(bundled) ? bundled : moduleUrl(path)
}
