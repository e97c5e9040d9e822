/** What a thread with a copy of its own does with orders (`copied-pool.ts`). */
import { messageOf } from '../../shared/errors.ts'
import type { Engine } from '../engine/engine.ts'
import { ThreadPool } from '../threads/thread-pool.ts'
import type { TracingThreadPorts } from '../threads/tracing-thread.ts'
import { TileProgress } from '../tile-progress.ts'
import type { CopyAnswer, CopyOrder } from './copied-pool.ts'
import { inlineThread } from './inline-thread.ts'

export class CopyThread {
  readonly #pool: ThreadPool

  constructor(engine: Engine, ports: TracingThreadPorts) {
    this.#pool = ThreadPool.launch(
      { threads: 1, engine: engine.name },
      {
        startThread: inlineThread(engine, ports),
        now: ports.now,
        collectSoon: () => {},
        reserve: bytes => engine.storage!.reserve(bytes),
      },
    )
  }

  /** Never rejects. */
  async answer(order: CopyOrder): Promise<CopyAnswer> {
    try {
      return await this.#obey(order)
    } catch (error) {
      return { type: 'failed', reason: messageOf(error) }
    }
  }

  async #obey(order: CopyOrder): Promise<CopyAnswer> {
    switch (order.type) {
      case 'load': {
        const shared = new Uint8Array(new SharedArrayBuffer(order.scene.length))
        shared.set(order.scene)
        await this.#pool.loadScene(order.name, shared, 0, order.family)
        return { type: 'done' }
      }
      case 'unload':
        await this.#pool.unloadScene(order.name)
        return { type: 'done' }
      case 'trace': {
        const tile = await this.#pool.trace(order.order, TileProgress.of(order.order.tile.rect.h))
        // Nobody cancels it.
        return { type: 'traced', tile: tile! }
      }
    }
  }
}
