/** What a process of Node.js uses. */
import { type IntervalHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { ProcessUse } from './master-metrics.ts'

/** How often the loop is looked at, ms. Delays that are measured include it. */
const RESOLUTION_MS = 20

export class ProcessMeter {
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

  constructor() {
    this.#delay.enable()
  }

  use(): ProcessUse {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
    // Nothing was measured yet, or nanoseconds.
    const lag = (ns: number) => (this.#delay.count > 0 ? Math.max(0, ns / 1e9 - RESOLUTION_MS / 1000) : 0)
    const loopLag = { most: lag(this.#delay.max), median: lag(this.#delay.percentile(50)) }
    this.#delay.reset()
    return {
      cpu: (user + system) / 1e6,
      ...{ resident: rss, heap: heapUsed, buffers: arrayBuffers, loopLag },
      loopActive: performance.eventLoopUtilization().active / 1000,
      startedAt: performance.timeOrigin / 1000,
    }
  }

  close(): void {
    this.#delay.disable()
  }
}
