/**
 * How many cores the system lets this process use: a container's quota is not in the number of cores that Node reports.
 * A worker tells its master, because it decides what wall times mean.
 */
import { readFileSync } from 'node:fs'

/** Reads a small file, or undefined where there is none. */
export type ReadText = (path: string) => string | undefined

/** The control group's quota in cores, or undefined where there is no quota (or no control groups). */
export function cpuLimit(read: ReadText = readText): number | undefined {
  // cgroup v2: "quota period" in µs, or "max period".
  const [quota, period] = (read('/sys/fs/cgroup/cpu.max') ?? '').split(/\s+/).map(Number)
  if (quota !== undefined && period !== undefined && quota > 0 && period > 0) return quota / period
  // cgroup v1: a quota of -1 is none.
  const quotaV1 = Number(read('/sys/fs/cgroup/cpu/cpu.cfs_quota_us') ?? -1)
  const periodV1 = Number(read('/sys/fs/cgroup/cpu/cpu.cfs_period_us') ?? 0)
  return quotaV1 > 0 && periodV1 > 0 ? quotaV1 / periodV1 : undefined
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
