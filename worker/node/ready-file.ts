/**
 * A file that exists while the worker is in a cluster, for health checks. Rendering does not depend on it. It is empty, and what is not
 * empty is not this file: the path may be a mistake, so nothing else is overwritten or removed.
 */
import { lstatSync, rmSync, type Stats, writeFileSync } from 'node:fs'
import { messageOf, OptionError } from '../../shared/errors.ts'
import type { Log } from '../../shared/text/log.ts'

/** @throws OptionError if something is there that is not such a file */
export function expectReadyFile(path: string | undefined): void {
  const found = path === undefined ? undefined : strangerAt(path)
  if (found !== undefined)
    throw new OptionError(
      '--ready-file',
      'a path at which there is nothing, or an empty file',
      `'${path}', ${found}; choose another path`,
    )
}

export class ReadyFile {
  readonly #path: string | undefined
  readonly #log: Log
  #warned = false

  /** @param path without one, nothing is written */
  constructor(path: string | undefined, log: Log) {
    this.#path = path
    this.#log = log
  }

  create(): void {
    this.#try(path => writeFileSync(path, ''))
  }

  remove(): void {
    this.#try(path => rmSync(path, { force: true }))
  }

  /** Whatever is wrong with the file stays wrong: it is said once. */
  #try(act: (path: string) => void): void {
    if (this.#path === undefined) return
    try {
      const found = strangerAt(this.#path)
      if (found !== undefined) throw new Error(`${this.#path}: expected an empty file, got ${found}`)
      act(this.#path)
    } catch (error) {
      if (!this.#warned) this.#log.warn(`health checks will not see this worker: ${messageOf(error)}`)
      this.#warned = true
    }
  }
}

/** What is there, if it is anything else than an empty file. */
function strangerAt(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || (found.isFile() && found.size === 0)) return undefined
  return found.isFile() ? `a file of ${found.size} bytes` : kindOf(found)
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder'
  if (found.isSymbolicLink()) return 'a link'
  return found.isFIFO() ? 'a pipe' : found.isSocket() ? 'a socket' : 'a device'
}
