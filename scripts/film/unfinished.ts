/** Pictures of unfinished frames say so: whoever reads the beginning of a file can tell a preview from a frame. */
import { openRegular } from '../../shared/node/regular-file.ts'
import { comment, HEADER_BYTES, withComment } from './png-text.ts'

const CHUNK = comment('unfinished frame')

/** @param png a whole file */
export const unfinished = (png: Uint8Array): Uint8Array => withComment(png, CHUNK)

/** Whether a file is a picture of an unfinished frame; false if it cannot be read. */
export async function isUnfinished(path: string): Promise<boolean> {
  const file = await openRegular(path).catch(() => undefined)
  if (!file) return false
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK.length), 0, CHUNK.length, HEADER_BYTES)
    return bytesRead === CHUNK.length && buffer.equals(CHUNK)
  } catch {
    return false
  } finally {
    await file.close()
  }
}
