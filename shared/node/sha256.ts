import { createHash } from 'node:crypto'
import { piecesOf, type Steps } from '../time/steps.ts'

/** SHA-256 in hex: identifies a packed scene or a frame's pixels. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The same of bytes that come one after the other. */
export function startSha256(): { update(bytes: Uint8Array): void; digest(): string } {
  const hash = createHash('sha256')
  return { update: bytes => void hash.update(bytes), digest: () => hash.digest('hex') }
}

/** Bytes that are hashed in a step: some milliseconds. */
const STEP_BYTES = 4 << 20

/** The same in steps. */
export function* sha256Steps(bytes: Uint8Array): Steps<string> {
  const hash = startSha256()
  for (const [from, to] of piecesOf(bytes.length, STEP_BYTES)) {
    hash.update(bytes.subarray(from, to))
    yield
  }
  return hash.digest()
}
