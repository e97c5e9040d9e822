/**
 * The program of a device in a process of its own: an engine that the worker's threads could not hold, or that may take its process
 * down with it. It hears requests over the channel of its parent, and ends with it.
 */
import { messageOf } from '../../shared/errors.ts'
import type { ThreadPool } from '../threads/thread-pool.ts'
import { TileProgress } from '../tile-progress.ts'
import type { DeviceReply, DeviceRequest } from './device-messages.ts'
import { startThreadPool } from './thread-pool.ts'

/** How often it says how far the tiles at hand are, ms. */
const SIGN_MS = 500

let pool: ThreadPool | undefined
const tiles = new Map<number, TileProgress>()

const say = (reply: DeviceReply): void => void process.send?.(reply)

async function obey(request: DeviceRequest): Promise<Partial<Extract<DeviceReply, { type: 'done' }>>> {
  switch (request.type) {
    case 'start': {
      const { engine, threads, cores } = request.settings
      pool = await startThreadPool({ threads, engine, coreShare: cores })
      // Without its threads it is of no use; its parent hears that it has ended.
      pool.broken.catch(() => process.exit(1))
      return {}
    }
    case 'load': {
      const shared = new Uint8Array(new SharedArrayBuffer(request.scene.length))
      shared.set(request.scene)
      const { buildMs } = await pool!.loadScene(request.name, shared)
      return { buildMs }
    }
    case 'unload':
      await pool!.unloadScene(request.name)
      return {}
    case 'trace': {
      const progress = TileProgress.of(request.order.tile.rect.h)
      tiles.set(request.number, progress)
      try {
        return { traced: await pool!.trace(request.order, progress) }
      } finally {
        tiles.delete(request.number)
      }
    }
    case 'trim':
      if (request.rows === 0) tiles.get(request.number)?.stop()
      else tiles.get(request.number)?.trim(request.rows)
      return {}
  }
}

process.on('message', (request: DeviceRequest) => {
  obey(request).then(
    answer => request.type !== 'trim' && say({ type: 'done', number: request.number, ...answer }),
    error => say({ type: 'failed', number: request.number, reason: messageOf(error) }),
  )
})
setInterval(() => {
  for (const [number, { begun }] of tiles) say({ type: 'sign', number, begun })
}, SIGN_MS).unref()
process.on('disconnect', () => process.exit(0))
