/** Pools that return wrong pixels. */
import type { TileOrder, TracedTile } from '../../worker/tile-order.ts'
import { type PaintPool, paintPool } from './memory-cluster.ts'

/** Changes a painted tile. */
type Lie = (pixels: Uint8Array, order: TileOrder) => void

/** Paints, and then lies about it. */
export function lyingPool(lie: Lie): PaintPool {
  const pool = paintPool()
  const { trace } = pool
  pool.trace = async (order, progress): Promise<TracedTile | undefined> => {
    const traced = await trace.call(pool, order, progress)
    if (!traced) return undefined
    const pixels = Uint8Array.from(traced.pixels)
    lie(pixels, order)
    return { ...traced, pixels }
  }
  return pool
}

/** Every byte is inverted. */
export const inverted: Lie = pixels => {
  for (const [i, byte] of pixels.entries()) pixels[i] = byte ^ 1
}

/** One byte of one row is wrong. */
export const oneByte: Lie = pixels => {
  const at = Math.floor(pixels.length / 2)
  pixels[at] = pixels[at]! ^ 1
}

/** Honest before this frame. */
export const from =
  (frame: number, lie: Lie): Lie =>
  (pixels, order) => {
    if (order.view.frame >= frame) lie(pixels, order)
  }
