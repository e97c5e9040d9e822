/**
 * CPU time of the calling thread: what a tile costs, whatever else the machine does meanwhile. Where the platform cannot
 * tell, wall time stands in and `kind` says so.
 *
 * - Node 23.9 and later: `process.threadCpuUsage()`.
 * - Linux before that: the first number of `/proc/thread-self/schedstat`, ns on a CPU.
 *
 * Linux brings either up to date at timer ticks only, milliseconds apart, except when a process asks for its usage as a
 * whole: so `process.cpuUsage()` is called first, which makes both good to microseconds at under 10 µs a reading.
 */
import { closeSync, openSync, readSync } from 'node:fs'

export interface ThreadCpuClock {
  /** What `now` counts: the thread's CPU time, or wall time for want of it. */
  readonly kind: 'cpu' | 'wall'
  /** Milliseconds since an arbitrary start, never going back. Only the thread that made the clock may ask. */
  now(): number
}

/** The best clock the platform has for the calling thread. */
export function threadCpuClock(): ThreadCpuClock {
  return fromThreadUsage() ?? fromSchedstat() ?? { kind: 'wall', now: () => performance.now() }
}

/** What newer Node versions have beside what the oldest supported one declares. */
interface ThreadUsage {
  threadCpuUsage?(): { readonly user: number; readonly system: number }
}

function fromThreadUsage(): ThreadCpuClock | undefined {
  const usage = (process as ThreadUsage).threadCpuUsage
  if (!usage) return undefined
  const now = () => {
    process.cpuUsage()
    const { user, system } = usage.call(process)
    return (user + system) / 1000
  }
  return { kind: 'cpu', now }
}

function fromSchedstat(): ThreadCpuClock | undefined {
  // Open for the thread's life: the link leads to the thread that opens it.
  let file: number
  try {
    file = openSync('/proc/thread-self/schedstat', 'r')
  } catch {
    return undefined
  }
  const text = Buffer.alloc(96)
  const now = () => {
    process.cpuUsage()
    const length = readSync(file, text, 0, text.length, 0)
    return Number.parseInt(text.toString('latin1', 0, length), 10) / 1e6
  }
  // A kernel without scheduler statistics has the file but counts nothing in it.
  if (now() > 0) return { kind: 'cpu', now }
  closeSync(file)
  return undefined
}
