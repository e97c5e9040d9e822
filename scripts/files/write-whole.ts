/**
 * Files that are whole or absent: written next to their final path, then renamed. Their bytes reach the disk before their name does,
 * or a machine that loses power could keep the name alone; some disks say only then that they are full.
 */
import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { batches } from './batches.ts'

/**
 * Writes `data` to `path`, in an existing folder; readers see the old file or the new one, never part of one.
 * @param modified modification time of the file, if not now
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

/** In one piece, or in several if it is too long for one. */
export type WrittenData = string | Uint8Array | Iterable<string>

const piecesOf = (data: WrittenData): Iterable<string | Uint8Array> =>
  typeof data === 'string' || data instanceof Uint8Array ? [data] : batches(data)

/** A file that is written in pieces. */
export interface WholeFile {
  write(data: string | Uint8Array): Promise<void>
  /** Moves it into place. `modified` is its modification time, if not now: such a file may be lost with the machine's power. */
  finish(modified?: Date): Promise<void>
  /** Removes the file, unless it is finished. Never fails, because it cleans up after failures. */
  discard(): Promise<void>
}

/** Path of the file while it is being written. */
export const partOf = (path: string): string => join(dirname(path), `.${basename(path)}.part`)

/**
 * Opens what is no file, such as a device or a pipe: that is never replaced, and has no name of its own to be whole under. Rejects for
 * a pipe that nobody reads: opening it would wait, and could not be interrupted.
 */
export async function openDevice(path: string): Promise<WholeFile> {
  const first = await open(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0))
  // Whoever writes waits for the reader.
  const device = await open(path, 'w')
  await first.close()
  const close = () => device.close().catch(() => {})
  return { write: data => device.writeFile(data), finish: close, discard: close }
}

/** Creates a file in an existing folder. */
export async function openWhole(path: string): Promise<WholeFile> {
  const part = partOf(path)
  // Of a process that was killed; anything else in its place, such as a pipe or a link, is not to be written to.
  await rm(part, { force: true })
  const file = await open(part, 'wx')
  let finished = false
  return {
    write: data => file.writeFile(data),
    async finish(modified) {
      if (modified) await file.utimes(modified, modified)
      else await file.datasync()
      await file.close()
      await rename(part, path)
      finished = true
    },
    async discard() {
      if (finished) return
      // Already closed if only the rename failed.
      await file.close().catch(() => {})
      // If even this fails, for example because the disk became read-only, nothing more can be done.
      await rm(part, { force: true }).catch(() => {})
    },
  }
}
