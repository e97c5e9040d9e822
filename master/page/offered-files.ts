/** Files that pages have asked for, until they are fetched: each once, under an address that nobody can guess, and not for long. */
import { randomBytes } from 'node:crypto'
import type { Alarm } from '../live-frames/tracers.ts'

export interface OfferedFile {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

const OFFERED_MS = 60_000
/** In all: they are in memory. */
const MOST_FILES = 8

export class OfferedFiles {
  readonly #alarm: Alarm
  readonly #files = new Map<string, { readonly file: OfferedFile; readonly disarm: () => void }>()

  constructor(alarm: Alarm) {
    this.#alarm = alarm
  }

  /** @returns the last part of its address */
  offer(file: OfferedFile): string {
    const address = `file-${randomBytes(32).toString('base64url')}`
    const disarm = this.#alarm(() => this.take(address), OFFERED_MS)
    this.#files.set(address, { file, disarm })
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= MOST_FILES) break
      this.take(oldest)
    }
    return address
  }

  take(address: string): OfferedFile | undefined {
    const found = this.#files.get(address)
    found?.disarm()
    this.#files.delete(address)
    return found?.file
  }

  close(): void {
    for (const address of [...this.#files.keys()]) this.take(address)
  }
}
