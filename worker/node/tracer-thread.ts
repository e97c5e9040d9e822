/** The program of one tracing thread in Node. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { InvariantError } from '../../shared/errors.ts'
import { isWebgpu } from '../engine/engine.ts'
import type { ThreadAnswer, ThreadOrder, ThreadSettings } from '../threads/messages.ts'
import { TracingThread } from '../threads/tracing-thread.ts'
import { engineByName } from './engines.ts'
import { garbageCollector } from './garbage-collector.ts'
import { loadDeviceEngine } from './load-kernel.ts'
import { pixelsElsewhere, type RaysLine, raysElsewhere } from './rays-line.ts'
import { sharedNow } from './shared-clock.ts'
import { threadCpuClock } from './thread-cpu-clock.ts'

if (!parentPort) throw new InvariantError('this program runs only in a worker thread')
const pool = parentPort
const { rays, ...settings } = workerData as ThreadSettings & { readonly rays?: RaysLine }
const engine = rays
  ? loadDeviceEngine(isWebgpu(settings.engine) ? pixelsElsewhere(rays) : raysElsewhere(rays))
  : engineByName(settings.engine)
const thread = new TracingThread(settings, engine, {
  cpuClock: threadCpuClock(),
  now: sharedNow,
  collectGarbage: garbageCollector(),
  next: () => receiveMessageOnPort(pool)?.message,
})
pool.on('message', (order: ThreadOrder) => thread.serve(order, answer => pool.postMessage(answer)))
pool.postMessage({ type: 'done' } satisfies ThreadAnswer)
