/** A session's runtime in Node.js: its own SHA-256 and zlib, and LZ4 where its addon loads. */
import { startSha256 } from '../../shared/node/sha256.ts'
import { packCells } from '../../shared/protocol/node/cell-packing.ts'
import { AVAILABLE_ENCODINGS, encodeTile } from '../../shared/protocol/node/pixel-encoding.ts'
import type { Platform } from '../platform.ts'

export const nodePlatform: Platform = { startHash: startSha256, encodings: AVAILABLE_ENCODINGS, encodeTile, packCells }
