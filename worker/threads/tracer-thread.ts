/**
 * The program of one tracing thread. It holds an engine's tracer over the shared scene and takes rows of the tile at
 * hand from a shared counter, so fast threads and cheap rows need no planning.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { assertNever, InvariantError, invariant, messageOf } from '../../shared/errors.ts'
import { readPackedScene } from '../../shared/scene/packed-scene.ts'
import type { Engine, Tracer } from '../engine/engine.ts'
import { engineByName } from '../engine/index.ts'
import {
  NEXT_ROW,
  STOP,
  type ThreadAnswer,
  type ThreadOrder,
  type ThreadSettings,
  type TraceOrder,
} from './messages.ts'
import { pauseMs } from './pacer.ts'
import { sharedNow } from './shared-clock.ts'
import { type ThreadCpuClock, threadCpuClock } from './thread-cpu-clock.ts'

/** Camera rays that are worth taking rows from the counter once: a few milliseconds of work, some µs of overhead. */
const BATCH_SAMPLES = 1024
/** Rows are taken in at least so many batches per thread, so that none has to wait long for the last. */
const LEAST_BATCHES = 4

class TracerThread {
  readonly #settings: ThreadSettings
  readonly #engine: Engine
  readonly #cpuClock: ThreadCpuClock = threadCpuClock()
  #tracer: Tracer | undefined

  constructor(settings: ThreadSettings) {
    this.#settings = settings
    this.#engine = engineByName(settings.engine)
  }

  obey(order: ThreadOrder): ThreadAnswer {
    switch (order.type) {
      case 'build': {
        const start = sharedNow()
        const structure = this.#engine.build(readPackedScene(new Uint8Array(order.scene)))
        return { type: 'built', structure, buildMs: sharedNow() - start }
      }
      case 'open':
        this.#tracer = this.#engine.open(readPackedScene(new Uint8Array(order.scene)), order.structure)
        return { type: 'done' }
      case 'forget':
        this.#tracer = undefined
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
    const out = new Uint8Array(pixels, 0, rect.w * rect.h * 3)
    const progress = new Int32Array(progressBytes)
    const batch = rowsPerBatch(rect.w * view.quality.samples, rect.h, threads)
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

/** Rows to take at a time, given the camera rays of a row, the rows of the tile and the threads that share it. */
function rowsPerBatch(raysPerRow: number, rows: number, threads: number): number {
  const worthwhile = Math.round(BATCH_SAMPLES / raysPerRow)
  const fair = Math.floor(rows / (threads * LEAST_BATCHES))
  return Math.max(1, Math.min(worthwhile, fair))
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
