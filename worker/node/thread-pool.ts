/** Pools of tracing threads in Node. */
import { invariant } from '../../shared/errors.ts'
import { threadProgram } from '../../shared/node/program-files.ts'
import { type EngineName, isWebgpu } from '../engine/engine.ts'
import { ThreadPool, type ThreadPoolOptions, type ThreadPoolPorts } from '../threads/thread-pool.ts'
import { engineByName } from './engines.ts'
import { garbageCollector } from './garbage-collector.ts'
import { loadDeviceEngine } from './load-kernel.ts'
import type { RaysHub } from './rays-hub.ts'
import { sharedNow } from './shared-clock.ts'
import { threadsOf } from './start-thread.ts'

const PROGRAM = threadProgram('worker/node/tracer-thread.js')

/**
 * Starts the threads. Rejects with ThreadError if one cannot start, and leaves none running.
 * @param program of a thread; tracer-thread.js beside this file unless a test passes another
 */
export const startThreadPool = (options: ThreadPoolOptions, program = PROGRAM): Promise<ThreadPool> =>
  ThreadPool.start(options, portsOf(options.engine, program))

/** The same for threads whose rays, or pixels, a device of this process traces. */
export const startDevicePool = (
  options: ThreadPoolOptions,
  hub: Pick<RaysHub, 'line' | 'place' | 'displace'>,
): Promise<ThreadPool> =>
  ThreadPool.start(options, {
    ...portsOf(options.engine, PROGRAM),
    startThread: threadsOf(PROGRAM, () => hub.line()),
    place: (name, built) => hub.place(name, built),
    displace: name => hub.displace(name),
  })

/** Starts the threads without waiting for them. */
export const launchThreadPool = (options: ThreadPoolOptions, program = PROGRAM): ThreadPool =>
  ThreadPool.launch(options, portsOf(options.engine, program))

function portsOf(engine: EngineName, program: URL): ThreadPoolPorts {
  const collect = garbageCollector()
  const reserve: ThreadPoolPorts['reserve'] = bytes => {
    const { storage, name } = isWebgpu(engine) ? loadDeviceEngine() : engineByName(engine)
    invariant(storage, `engine ${name} stores no scenes`)
    return storage.reserve(bytes)
  }
  return { startThread: threadsOf(program), now: sharedNow, collectSoon: () => void setImmediate(collect), reserve }
}
