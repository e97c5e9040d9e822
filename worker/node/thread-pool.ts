/** A pool of tracing threads in Node. */
import { threadProgram } from '../../shared/node/program-files.ts'
import { ThreadPool, type ThreadPoolOptions } from '../threads/thread-pool.ts'
import { garbageCollector } from './garbage-collector.ts'
import { sharedNow } from './shared-clock.ts'
import { threadsOf } from './start-thread.ts'

/**
 * Starts the threads. Rejects with ThreadError if one cannot start, and leaves none running.
 * @param program of a thread; tracer-thread.js beside this file unless a test passes another
 */
export function startThreadPool(
  options: ThreadPoolOptions,
  program = threadProgram('worker/node/tracer-thread.js'),
): Promise<ThreadPool> {
  const collect = garbageCollector()
  const collectSoon = () => void setImmediate(collect)
  return ThreadPool.start(options, { startThread: threadsOf(program), now: sharedNow, collectSoon })
}
