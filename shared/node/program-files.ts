/**
 * Where the files of the compiled program are. The programs that people run, and the library, are bundled into a few files of one
 * folder, since 400 modules take a third of a second to load; benches and most tests import the modules themselves. The package has the bundle
 * alone. This module is two folders below the root of either.
 */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'

/** Folder of the bundled program, relative to the root of the modules. */
export const BUNDLE = 'bundle/program/'

/** In the bundle: the commit that it was built of, where that is known. */
export const COMMIT_FILE = 'commit.txt'

/** A file of the compiled modules, by its path relative to their root. */
export const moduleUrl = (path: string): URL => new URL(`../../${path}`, import.meta.url)

/** Whether this module is part of the bundle. */
const isBundled = import.meta.url.includes(`/${BUNDLE}`)

/** The program of a thread: bundled if this module is. @param bundledAs its name in the bundle, if not its own */
export const threadProgram = (path: string, bundledAs = basename(path)): URL =>
  isBundled ? new URL(`./${bundledAs}`, import.meta.url) : moduleUrl(path)

/** The program of a process: bundled if there is a bundle. */
export function processProgram(path: string): URL {
  const bundled = moduleUrl(BUNDLE + basename(path))
  return existsSync(bundled) ? bundled : moduleUrl(path)
}

/** A file that the build leaves in the bundle, and that is nowhere else. */
export const bundledFile = (name: string): URL =>
  isBundled ? new URL(`./${name}`, import.meta.url) : moduleUrl(BUNDLE + name)

/** Data that the build leaves in the bundle for what is no longer there as a file of its own; undefined outside the bundle. */
export const bundledData = (name: string): URL | undefined =>
  isBundled ? new URL(`./${name}`, import.meta.url) : undefined
