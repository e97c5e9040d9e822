/**
 * How the cores of a machine are divided among a worker's CPU area and its simulated accelerators. Where there are not enough of them
 * for all at full speed, everything is slower by the same factor, and says so: speeds are what counts beside other workers.
 */
export interface CapacityOrder {
  /** Tracing threads of the CPU area. */
  readonly threads: number
  /** Cores that it is limited to; absent: none but its threads. */
  readonly cores?: number
  /** Throughput of each accelerator, beside the CPU area's. */
  readonly factors: readonly number[]
  /** Cores that this process may use in all. */
  readonly machineCores: number
}

/** Of one area. */
export interface Capacity {
  readonly threads: number
  /** That they use together. */
  readonly cores: number
  /** Throughput, beside an unlimited thread. */
  readonly speed: number
}

export interface Capacities {
  readonly cpu: Capacity
  readonly accelerators: readonly Capacity[]
}

export function divideCores({ threads, cores = threads, factors, machineCores }: CapacityOrder): Capacities {
  const limited = Math.min(cores, threads)
  const wanted = limited * (1 + factors.reduce((sum, factor) => sum + factor, 0))
  // Without accelerators the CPU area has what it always had, more threads than cores included.
  const scale = factors.length === 0 ? 1 : Math.min(1, machineCores / wanted)
  const slowdown = limited * scale
  return {
    cpu: { threads, cores: short(slowdown), speed: short(threads * scale) },
    accelerators: factors.map(factor => {
      const own = factor * slowdown
      return { threads: Math.max(1, Math.ceil(own - 1e-9)), cores: short(own), speed: short(factor * threads * scale) }
    }),
  }
}

/** Four digits: people read these numbers. */
const short = (value: number): number => Number(value.toPrecision(4))
