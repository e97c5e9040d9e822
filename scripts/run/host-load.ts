/**
 * Other load on this machine while frames are rendered: the time that its cores were busy, minus the CPU time of this process
 * and of the workers it started. Other programs make frames longer, and not equally for all strategies.
 */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { HostLoad } from '../../shared/time/host-load.ts'

/** The system's counters, ms. */
export interface HostTimes {
  readonly at: number
  readonly cores: number
  /** Sum over all cores, since the machine was started. */
  readonly busyMs: number
  /** CPU time of this process. */
  readonly ownMs: number
  /** CPU time of the worker processes; undefined if the system does not report it or one has exited. */
  readonly workersMs: number | undefined
}

/**
 * Starts watching; call the result to stop. It returns undefined if the system has no such counters.
 * @param processIds of workers that this process started; for other workers, their own load is unknown
 */
export function watchHost(processIds: readonly number[] | undefined): (tracingMs: number) => HostLoad | undefined {
  if (!processIds) return () => undefined
  const before = hostTimes(processIds)
  return tracingMs => loadBetween(before, hostTimes(processIds), tracingMs)
}

/** @param tracingMs CPU time of the frames' tiles: a lower bound for the workers' time, used if that is unknown */
export function loadBetween(before: HostTimes, after: HostTimes, tracingMs: number): HostLoad | undefined {
  const { cores } = after
  if (cores < 1 || after.busyMs <= before.busyMs) return undefined
  const counted = before.workersMs !== undefined && after.workersMs !== undefined
  const workersMs = counted ? after.workersMs! - before.workersMs! : tracingMs
  const otherMs = after.busyMs - before.busyMs - (after.ownMs - before.ownMs) - workersMs
  return { wallMs: after.at - before.at, cores, otherMs: Math.max(0, otherMs) }
}

/** Sum over several runs; undefined if it is unknown for all. */
export function loadOf(loads: readonly (HostLoad | undefined)[]): HostLoad | undefined {
  const known = loads.flatMap(load => load ?? [])
  const [first] = known
  const sum = (of: (load: HostLoad) => number): number => known.reduce((total, load) => total + of(load), 0)
  return first && { wallMs: sum(load => load.wallMs), cores: first.cores, otherMs: sum(load => load.otherMs) }
}

/** Mean number of cores that others kept busy; undefined if the time was too short for the system's coarse counters. */
export const otherCores = (load: HostLoad | undefined): number | undefined =>
  load === undefined || load.wallMs < MIN_MS ? undefined : Math.min(load.cores, load.otherMs / load.wallMs)

/** System counters advance in steps of up to 16 ms, separately for each core. */
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

/** CPU time of a process, ms; undefined if it has exited or the system has no /proc. */
function cpuTimeOf(processId: number): number | undefined {
  try {
    // Count fields after the name, which may contain spaces: proc_pid_stat(5), 14 and 15. Linux reports 100 ticks per second.
    const fields = readFileSync(`/proc/${processId}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number.isFinite(ticks) ? ticks * 10 : undefined
  } catch {
    return undefined
  }
}
