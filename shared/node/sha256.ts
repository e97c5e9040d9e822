import { createHash } from 'node:crypto'

/** SHA-256 in hex: identifies a packed scene or a frame's pixels. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
