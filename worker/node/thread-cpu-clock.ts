/**
 * CPU time of the calling thread: the cost of a tile, regardless of other load on the machine. Where the platform does not
 * provide it, wall time is used instead, and `kind` says so.
 *
 * - Node 23.9 and later: `process.threadCpuUsage()`.
 * - Linux before that: the first number of `/proc/thread-self/schedstat`, ns on a CPU.
 *
 * Linux updates either only at timer ticks, milliseconds apart, except when a process queries its total usage: so
 * `process.cpuUsage()` is called first, which makes both accurate to microseconds at under 10 µs a reading.
 */
import { closeSync, openSync, readSync } from 'node:fs'

export interface ThreadCpuClock {
  /** What `now` counts: the thread's CPU time, or wall time if that is unavailable. */
  readonly kind: 'cpu' | 'wall'
  /** Milliseconds since an arbitrary start, never going back. Only the thread that created the clock may call it. */
  now(): number
}

/** The best clock that the platform has for the calling thread. */
export function threadCpuClock(): ThreadCpuClock {
  return fromThreadUsage() ?? fromSchedstat() ?? { kind: 'wall', now: () => performance.now() }
}

/** What newer Node versions have in addition to the declarations of the oldest supported one. */
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
  // Kept open for the thread's lifetime: the link resolves to the thread that opens it.
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
  // A kernel without scheduler statistics has the file, but its counters stay zero.
  if (now() > 0) return { kind: 'cpu', now }
  closeSync(file)
  return undefined
}
