/**
 * A pool behind a link: each order begins late, and its pixels take time to come back. One order after the other, as a device that is
 * driven by synchronous calls.
 */
import { type DeviceLink, linkMs } from '../../shared/device-link.ts'
import { pixelCount } from '../../shared/frame/pixel-set.ts'
import type { TilePool } from '../tile-pool.ts'

/** @param cores of the pool: a device that waits costs what it would have computed */
export function linkedPool(
  pool: TilePool,
  link: DeviceLink,
  cores: number,
  sleep: (ms: number) => Promise<void>,
): TilePool {
  let before: Promise<unknown> = Promise.resolve()
  return {
    loadScene: (...args) => pool.loadScene(...args),
    restoreScene: (...args) => pool.restoreScene(...args),
    unloadScene: scene => pool.unloadScene(scene),
    trace: (order, progress) => {
      const traced = before.then(async () => {
        if (progress.stopped) return undefined
        await sleep(link.startUpMs)
        const tile = await pool.trace(order, progress)
        if (!tile) return undefined
        const pixels = pixelCount({ ...order.tile, rect: { ...order.tile.rect, h: tile.rows } })
        const heldMs = linkMs(link, pixels)
        await sleep(heldMs - link.startUpMs)
        return { ...tile, cpuMs: tile.cpuMs + heldMs * cores, wallMs: tile.wallMs + heldMs }
      })
      before = traced.catch(() => {})
      return traced
    },
  }
}
