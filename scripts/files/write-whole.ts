/** Files that are whole or absent: written beside their place, then renamed into it. */
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Writes `data` to `path`, making its folder; a reader sees the old file or the new one, never a part. */
export async function writeWhole(path: string, data: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const file = await openWhole(path)
  try {
    await file.write(data)
    await file.finish()
  } finally {
    await file.discard()
  }
}

/** A file that is written piece by piece. */
export interface WholeFile {
  write(data: string | Uint8Array): Promise<void>
  /** Puts it in place. */
  finish(): Promise<void>
  /** Leaves nothing behind, unless it is finished. */
  discard(): Promise<void>
}

/** Begins a file in a folder that is there. */
export async function openWhole(path: string): Promise<WholeFile> {
  const part = join(dirname(path), `.${basename(path)}.part`)
  const file = await open(part, 'w')
  return {
    write: data => file.writeFile(data),
    async finish() {
      await file.close()
      await rename(part, path)
    },
    async discard() {
      // After `finish` there is nothing to close or to remove any more.
      await file.close().catch(() => {})
      await rm(part, { force: true })
    },
  }
}
