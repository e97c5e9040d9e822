import { createHash } from 'node:crypto'

/** SHA-256 in hex: the name of a packed scene, the identity of a frame's pixels. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
