/** Starts accelerators in Node: one function for each kind. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Capacity } from '../accelerators/capacity.ts'
import { type Device, GuardedPool } from '../accelerators/guarded-pool.ts'
import { linkedPool } from '../accelerators/linked-pool.ts'
import type { AcceleratorSpec } from '../accelerators/spec.ts'
import type { EngineName } from '../engine/engine.ts'
import type { TilePool } from '../tile-pool.ts'
import { startThreadPool } from './thread-pool.ts'

export interface AcceleratorOrder {
  readonly spec: AcceleratorSpec
  readonly capacity: Capacity
  /** The worker's own. */
  readonly engine: EngineName
  /** Of its threads. */
  readonly program: URL | undefined
  /** Traces what the accelerator fails. */
  readonly cpu: TilePool
  /** Hears why it was set aside, and with nothing that it is back. */
  readonly changed: (reason?: string) => void
}

/** Rejects with a sentence for people where it cannot be started. */
export function startAccelerator(order: AcceleratorOrder): Promise<GuardedPool> {
  const { cpu, changed } = order
  return GuardedPool.start({
    start: () => startDevice(order),
    cpu,
    changed,
    // It runs the code of the CPU area, in this process.
    checkedPixels: 0,
    every: (ms, tick) => {
      const timer = setInterval(tick, ms)
      return () => clearInterval(timer)
    },
    after: (ms, then) => {
      const timer = setTimeout(then, ms).unref()
      return () => clearTimeout(timer)
    },
  })
}

async function startDevice({ spec, capacity, engine, program }: AcceleratorOrder): Promise<Device> {
  const { threads, cores } = capacity
  const pool = await startThreadPool({ threads, engine, coreShare: cores }, program)
  const { link } = spec
  return {
    pool: link ? linkedPool(pool, link, cores, ms => delay(ms)) : pool,
    broken: pool.broken,
    close: () => pool.close(),
  }
}
