/** CPU time of work in this thread. */
import { threadCpuClock } from '../../worker/node/thread-cpu-clock.ts'

const clock = threadCpuClock()

/** CPU time that `work` uses on this thread, ms. */
export function cpuMsOf(work: () => void): number {
  const start = clock.now()
  work()
  return clock.now() - start
}
