/** CPU time of work in this thread. */
import { threadCpuClock } from '../../worker/node/thread-cpu-clock.ts'

const clock = threadCpuClock()

/** ms that `work` took of this thread. */
export function cpuMsOf(work: () => void): number {
  const start = clock.now()
  work()
  return clock.now() - start
}
