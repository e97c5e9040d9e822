import { createHash } from 'node:crypto'
import { openRegular } from './regular-file.ts'

/** The length of a regular file's content, and its SHA-256 in hex. Rejects if it cannot be read. */
export async function hashOfFile(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const file = await openRegular(path)
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of file.createReadStream({ highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { bytes, sha256: hash.digest('hex') }
}
