/**
 * What else this machine did while frames were made: the time that its cores were busy, less the CPU time of this process and of
 * the workers that it started. Somebody else's work makes frames longer, and not those of all strategies alike.
 */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { HostLoad } from '../../shared/host-load.ts'

/** What the system counts, ms. */
export interface HostTimes {
  readonly at: number
  readonly cores: number
  /** Of all cores together, since the machine was started. */
  readonly busyMs: number
  /** CPU time of this process. */
  readonly ownMs: number
  /** CPU time of the workers' processes; undefined where the system does not tell or one has ended. */
  readonly workersMs: number | undefined
}

/**
 * Watches from now on; the answer ends it. It is undefined where the system does not count.
 * @param processIds of workers that this process started; of workers that others started nobody can say what is theirs
 */
export function watchHost(processIds: readonly number[] | undefined): (tracingMs: number) => HostLoad | undefined {
  if (!processIds) return () => undefined
  const before = hostTimes(processIds)
  return tracingMs => loadBetween(before, hostTimes(processIds), tracingMs)
}

/** @param tracingMs CPU time of the frames' tiles: what workers needed at least, where nothing better is known */
export function loadBetween(before: HostTimes, after: HostTimes, tracingMs: number): HostLoad | undefined {
  const { cores } = after
  if (cores < 1 || after.busyMs <= before.busyMs) return undefined
  const counted = before.workersMs !== undefined && after.workersMs !== undefined
  const workersMs = counted ? after.workersMs! - before.workersMs! : tracingMs
  const otherMs = after.busyMs - before.busyMs - (after.ownMs - before.ownMs) - workersMs
  return { wallMs: after.at - before.at, cores, otherMs: Math.max(0, otherMs) }
}

/** Of several runs; undefined where nothing is known of any. */
export function loadOf(loads: readonly (HostLoad | undefined)[]): HostLoad | undefined {
  const known = loads.flatMap(load => load ?? [])
  const [first] = known
  const sum = (of: (load: HostLoad) => number): number => known.reduce((total, load) => total + of(load), 0)
  return first && { wallMs: sum(load => load.wallMs), cores: first.cores, otherMs: sum(load => load.otherMs) }
}

/** Cores that others kept busy, mean over the time; undefined where it was too short for the system's coarse counting. */
export const otherCores = (load: HostLoad | undefined): number | undefined =>
  load === undefined || load.wallMs < MIN_MS ? undefined : Math.min(load.cores, load.otherMs / load.wallMs)

/** Systems count in steps of up to 16 ms, each core for itself. */
const MIN_MS = 300

function hostTimes(processIds: readonly number[]): HostTimes {
  const all = cpus().map(({ times }) => times)
  const { user, system } = process.cpuUsage()
  const workers = processIds.map(cpuTimeOf)
  return {
    at: performance.now(),
    cores: all.length,
    busyMs: all.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0),
    ownMs: (user + system) / 1000,
    workersMs: workers.some(time => time === undefined)
      ? undefined
      : workers.reduce<number>((sum, time) => sum + time!, 0),
  }
}

/** CPU time of a process, ms; undefined where it is gone or the system has no /proc. */
function cpuTimeOf(processId: number): number | undefined {
  try {
    // Fields are counted after the name, which may hold spaces: proc_pid_stat(5), 14 and 15. Linux shows 100 ticks a second.
    const fields = readFileSync(`/proc/${processId}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number.isFinite(ticks) ? ticks * 10 : undefined
  } catch {
    return undefined
  }
}
