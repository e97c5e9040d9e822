/**
 * Unfinished frames in a folder, under the names of the finished ones. They are only shown: whatever has such a name before, such as a frame
 * of an earlier film, is kept under another one, and comes back unless the frame is finished.
 *
 *     0000.png            a preview, which says so (`unfinished.ts`)
 *     .0000.png.kept      what was there before
 */
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { OutputFolder } from '../files/output-folder.ts'
import { isUnfinished, unfinished } from './unfinished.ts'

export class Previews {
  readonly #folder: OutputFolder
  readonly #shown = new Set<string>()

  constructor(folder: OutputFolder) {
    this.#folder = folder
  }

  /** Shows a picture, a PNG file, under the name of a frame's file. @throws OutputError */
  async show(name: string, png: Uint8Array): Promise<void> {
    if (!this.#shown.has(name)) {
      // Noted first: what has been moved comes back, even if there is no room for a preview.
      this.#shown.add(name)
      await this.#folder.move(name, keptAs(name))
    }
    await this.#folder.write(name, unfinished(png), { passing: true })
  }

  /** Forgets what was there before: the frame is finished, and has taken its place. */
  async finish(name: string): Promise<void> {
    if (this.#shown.delete(name)) await this.#folder.remove(keptAs(name))
  }

  /** Takes away the previews of frames that were not finished. Never fails, because it cleans up after failures. */
  async end(): Promise<void> {
    for (const name of this.#shown) {
      const isBack = await this.#folder.move(keptAs(name), name).catch(() => true)
      if (!isBack) await this.#folder.remove(name)
    }
    this.#shown.clear()
  }
}

/** Puts back what a run kept that was killed. @throws OutputError */
export async function putBackKept(folder: OutputFolder): Promise<void> {
  for (const kept of await readdir(folder.path)) {
    const [, name] = KEPT.exec(kept) ?? []
    if (name === undefined) continue
    const path = join(folder.path, name)
    const isGone = await lstat(path).then(
      () => false,
      () => true,
    )
    // It may have been killed when the frame was finished, just before it let go of the earlier one.
    if (isGone || (await isUnfinished(path))) await folder.move(kept, name)
    else await folder.remove(kept)
  }
}

const KEPT = /^\.(\d{4,}\.png)\.kept$/
const keptAs = (name: string): string => `.${name}.kept`
