/** A file that exists while the worker is in a cluster, for health checks. Rendering does not depend on it. */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { messageOf } from '../../shared/errors.ts'
import type { Log } from '../../shared/log.ts'
import { expectRegular } from '../../shared/node/regular-file.ts'

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
    this.#try(path => {
      if (existsSync(path)) expectRegular(statSync(path))
      writeFileSync(path, '')
    })
  }

  remove(): void {
    this.#try(path => rmSync(path, { force: true }))
  }

  /** Whatever is wrong with the file stays wrong: it is said once. */
  #try(act: (path: string) => void): void {
    if (this.#path === undefined) return
    try {
      act(this.#path)
    } catch (error) {
      if (!this.#warned) this.#log.warn(`health checks will not see this worker: ${messageOf(error)}`)
      this.#warned = true
    }
  }
}
