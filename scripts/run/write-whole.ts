/** Files that are whole or absent: written beside their place, then renamed into it. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Writes `data` to `path`, making its folder; a reader sees the old file or the new one, never a part. */
export async function writeWhole(path: string, data: string | Uint8Array): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  const part = join(folder, `.${basename(path)}.part`)
  try {
    await writeFile(part, data)
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
