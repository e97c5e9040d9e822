/** Files that are whole or absent: written beside their place, then renamed into it. */
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Writes `data` to `path`, making its folder; a reader sees the old file or the new one, never a part. */
export async function writeWhole(path: string, data: string | Uint8Array): Promise<void> {
  const file = await openWhole(path)
  try {
    await file.write(data)
    await file.finish()
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** A file that comes piece by piece and is there when it is finished. */
export interface WholeFile {
  write(data: string | Uint8Array): Promise<void>
  finish(): Promise<void>
  /** Leaves nothing behind. */
  discard(): Promise<void>
}

export async function openWhole(path: string): Promise<WholeFile> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  const part = join(folder, `.${basename(path)}.part`)
  const file: FileHandle = await open(part, 'w')
  return {
    write: data => file.writeFile(data),
    async finish() {
      await file.close()
      await rename(part, path)
    },
    async discard() {
      await file.close().catch(() => {})
      await rm(part, { force: true })
    },
  }
}
