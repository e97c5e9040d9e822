/** Files that are whole or absent: written beside their place, then renamed into it. */
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { batches } from './batches.ts'

/**
 * Writes `data` to `path`, in a folder that is there; a reader sees the old file or the new one, never a part.
 * @param modified what the file says of its age, where that is not now
 */
export async function writeWhole(path: string, data: WrittenData, modified?: Date): Promise<void> {
  const file = await openWhole(path)
  try {
    for (const piece of piecesOf(data)) await file.write(piece)
    await file.finish(modified)
  } finally {
    await file.discard()
  }
}

/** All at once, or piece by piece where it is too long for that. */
export type WrittenData = string | Uint8Array | Iterable<string>

const piecesOf = (data: WrittenData): Iterable<string | Uint8Array> =>
  typeof data === 'string' || data instanceof Uint8Array ? [data] : batches(data)

/** A file that is written piece by piece. */
export interface WholeFile {
  write(data: string | Uint8Array): Promise<void>
  /** Puts it in place. `modified` is what it says of its age, where that is not now. */
  finish(modified?: Date): Promise<void>
  /** Leaves nothing behind, unless it is finished. Never fails: it is what is done after a failure. */
  discard(): Promise<void>
}

/** Where a file is written before it is whole. */
export const partOf = (path: string): string => join(dirname(path), `.${basename(path)}.part`)

/** Begins a file in a folder that is there. */
export async function openWhole(path: string): Promise<WholeFile> {
  const part = partOf(path)
  const file = await open(part, 'w')
  let finished = false
  return {
    write: data => file.writeFile(data),
    async finish(modified) {
      if (modified) await file.utimes(modified, modified)
      await file.close()
      await rename(part, path)
      finished = true
    },
    async discard() {
      if (finished) return
      // Closed already where it could not be put in place.
      await file.close().catch(() => {})
      // Where even this is refused, as on a disk that has become read-only, nothing can be done about it.
      await rm(part, { force: true }).catch(() => {})
    },
  }
}
