/** CPU time of work in this thread. */
import { threadCpuClock } from '../../../worker/node/thread-cpu-clock.ts'
import { median } from '../measure.ts'
import { BUILDS } from './ray-engine.ts'

const clock = threadCpuClock()

export function cpuMsOf(work: () => void): number {
  const start = clock.now()
  work()
  return clock.now() - start
}

/** Builds again and again: the last result, and the median time. */
export function timedBuild<T>(build: () => T): { readonly built: T; readonly buildMs: number } {
  const times: number[] = []
  for (;;) {
    const start = clock.now()
    const built = build()
    times.push(clock.now() - start)
    if (times.length === BUILDS) return { built, buildMs: median(times) }
  }
}
