/**
 * How much of this machine each local worker gets. When workers outnumber cores, the operating system time-slices the cores
 * between them and lends an idle worker's share to the busy ones, which hides every imbalance; limiting each worker to a
 * fixed share makes wall times those of as many slower machines.
 */
import { OptionError } from '../../../shared/errors.ts'

export interface LocalWorkers {
  /** Number of worker processes, at least 1. */
  readonly count: number
  /** Tracing threads per worker. */
  readonly threads: number
  /** Cores of this machine. */
  readonly cores: number
  /** `auto`, `off`, one share for all, or one share per worker, in cores above 0. */
  readonly shares: 'auto' | 'off' | readonly number[]
}

export interface Pacing {
  /** Cores per worker, or null: unpaced. */
  readonly shares: readonly number[] | null
  /** Relative throughput per worker, the fastest 1. */
  readonly speeds: readonly number[]
}

/** Threads per worker that together use all cores, at least one. */
export const evenThreads = (workers: number, cores: number): number => Math.max(1, Math.floor(cores / workers))

/** Share of the cores for workers; the rest is left to the master, frame writing and the system. */
const CORES_FOR_WORKERS = 0.8

/** @throws OptionError when the shares do not match the workers */
export function resolvePacing({ count, threads, cores, shares }: LocalWorkers): Pacing {
  const even = Array.from({ length: count }, () => 1)
  if (shares === 'off') return { shares: null, speeds: even }
  if (shares === 'auto') {
    if (count * threads <= cores) return { shares: null, speeds: even }
    const share = Math.max(0.01, Math.floor(((CORES_FOR_WORKERS * cores) / count) * 100) / 100)
    return { shares: even.map(() => share), speeds: even }
  }
  const [first] = shares
  const each = shares.length === 1 && first !== undefined ? even.map(() => first) : shares
  if (each.length !== count)
    throw new OptionError(
      '--worker-cores',
      `one share, or one for each of the ${count} workers`,
      `${shares.length} shares`,
    )
  const fastest = Math.max(...each)
  return { shares: each, speeds: each.map(share => share / fastest) }
}

/** Describes the pacing for users. */
export function describePacing({ shares }: Pacing, count: number, threads: number, cores: number): string {
  const team = `${count} ${count === 1 ? 'worker' : 'workers'}${threads > 1 ? ` of ${threads} threads` : ''}`
  const host = `${team} on ${cores} ${cores === 1 ? 'core' : 'cores'}`
  if (!shares) return count > 1 ? `${host}, unpaced` : host
  const same = shares.every(share => share === shares[0])
  const held = same ? `each limited to ${shares[0]} of a core` : `limited to ${shares.join(', ')} cores`
  return `${host}, ${held}, so frame times are those of ${count} slower machines (--worker-cores)`
}
