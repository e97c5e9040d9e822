/** Unpacks tiles: small ones at once, large ones in threads. */
import { bytesPerPixelOf, CHANNELS } from '../../shared/frame/channels.ts'
import { decodeTile } from '../../shared/protocol/node/pixel-encoding.ts'
import type { UnpackTile } from '../cluster/worker-link.ts'
import type { PlanePool } from './plane-pool.ts'

/** What takes longer than a millisecond or two, bytes of pixels. */
const ASIDE_BYTES = 2 * 2 ** 20

export const unpackWith =
  (pool: Pick<PlanePool, 'unpack'>): UnpackTile =>
  (encoding, channels, pixels, { body, channelBytes }) => {
    const tile = { body, ...(channelBytes ? { channelBytes } : {}) }
    // Other raw bytes are taken as they are.
    const isPacked = encoding !== 'raw' || channels.some(name => CHANNELS[name].type === 'f64')
    return isPacked && pixels * bytesPerPixelOf(channels) >= ASIDE_BYTES
      ? pool.unpack({ kind: 'unpack', encoding, channels, pixels, ...tile })
      : decodeTile(encoding, channels, pixels, tile)
  }
