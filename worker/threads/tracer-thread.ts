/**
 * The program of one tracing thread. It holds an engine's tracer over the shared scene and takes rows of the tile at
 * hand from a shared counter, so fast threads and cheap rows need no planning.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { assertNever, InvariantError, invariant, messageOf } from '../../shared/errors.ts'
import type { Engine, Tracer } from '../engine/engine.ts'
import { engineByName } from '../engine/index.ts'
import { garbageCollector } from './garbage-collector.ts'
import {
  NEXT_ROW,
  STOP,
  type ThreadAnswer,
  type ThreadOrder,
  type ThreadSettings,
  type TraceOrder,
} from './messages.ts'
import { pauseMs } from './pacer.ts'
import { rowsPerBatch } from './row-batches.ts'
import { sharedNow } from './shared-clock.ts'
import { type ThreadCpuClock, threadCpuClock } from './thread-cpu-clock.ts'

class TracerThread {
  readonly #settings: ThreadSettings
  readonly #engine: Engine
  readonly #cpuClock: ThreadCpuClock = threadCpuClock()
  readonly #collectGarbage = garbageCollector()
  #tracer: Tracer | undefined

  constructor(settings: ThreadSettings) {
    this.#settings = settings
    this.#engine = engineByName(settings.engine)
  }

  obey(order: ThreadOrder): ThreadAnswer {
    switch (order.type) {
      case 'begin': {
        const { threads } = this.#settings
        return { type: 'begun', building: this.#engine.begin(order.scene, threads) }
      }
      case 'help':
        this.#engine.help(order.building)
        return { type: 'done' }
      case 'finish':
        return { type: 'built', built: this.#engine.finish(order.building) }
      case 'open':
        this.#tracer = this.#engine.open(order.built, this.#settings.thread)
        // What it was built in is garbage by now.
        this.#collectGarbage()
        return { type: 'done' }
      case 'forget':
        this.#tracer = undefined
        this.#collectGarbage()
        return { type: 'done' }
      case 'trace':
        return this.#trace(order)
      default:
        return assertNever(order)
    }
  }

  #trace({ view, rect, pixels, progress: progressBytes }: TraceOrder): ThreadAnswer {
    const tracer = this.#tracer
    invariant(tracer, 'asked to trace without a scene')
    const { threads, coreShare } = this.#settings
    const out = { rgb: new Uint8Array(pixels, 0, rect.w * rect.h * 3) }
    const progress = new Int32Array(progressBytes)
    const batch = rowsPerBatch(rect, view.quality, threads, this.#engine.grain)
    const start = sharedNow()
    const startCpu = this.#cpuClock.now()
    let cpuMs = 0
    let rows = 0
    while (Atomics.load(progress, STOP) === 0) {
      const row = Atomics.add(progress, NEXT_ROW, batch)
      if (row >= rect.h) break
      const end = Math.min(row + batch, rect.h)
      tracer.traceRows(view, rect, row, end, out)
      rows += end - row
      if (coreShare >= 1) continue
      cpuMs = this.#cpuClock.now() - startCpu
      const pause = pauseMs(cpuMs, sharedNow() - start, coreShare)
      // Sleeping on STOP: whoever gives the tile up wakes the sleeper.
      if (pause > 0) Atomics.wait(progress, STOP, 0, pause)
    }
    if (rows > 0 && coreShare >= 1) cpuMs = this.#cpuClock.now() - startCpu
    return { type: 'traced', cpuMs, start, end: rows > 0 ? sharedNow() : start, rows }
  }
}

function failed(error: unknown): ThreadAnswer {
  return { type: 'failed', reason: messageOf(error), stack: error instanceof Error ? error.stack : undefined }
}

if (!parentPort) throw new InvariantError('this program runs in a worker thread only')
const pool = parentPort
const thread = new TracerThread(workerData as ThreadSettings)
pool.on('message', (order: ThreadOrder) => {
  let answer: ThreadAnswer
  try {
    answer = thread.obey(order)
  } catch (error) {
    answer = failed(error)
  }
  pool.postMessage(answer)
})
pool.postMessage({ type: 'done' } satisfies ThreadAnswer)
