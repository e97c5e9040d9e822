import { createHash } from 'node:crypto'

/** SHA-256 in hex: identifies a packed scene or a frame's pixels. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The same of bytes that come one after the other. */
export function startSha256(): { update(bytes: Uint8Array): void; digest(): string } {
  const hash = createHash('sha256')
  return { update: bytes => void hash.update(bytes), digest: () => hash.digest('hex') }
}
