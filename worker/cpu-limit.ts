/**
 * How many cores the system lets this process use: the number of cores that Node reports ignores a container's quota.
 * A worker reports it to its master, because it determines the meaning of wall times.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Reads a small file; undefined if there is none. */
export type ReadText = (path: string) => string | undefined

/** The control group's quota in cores; undefined without a quota (or without control groups). */
export function cpuLimit(read: ReadText = readText): number | undefined {
  // cgroup v2: "quota period" in µs, or "max period".
  const [quota, period] = (read('/sys/fs/cgroup/cpu.max') ?? '').split(/\s+/).map(Number)
  if (quota !== undefined && period !== undefined && quota > 0 && period > 0) return quota / period
  // cgroup v1: a quota of -1 means none.
  const quotaV1 = Number(read('/sys/fs/cgroup/cpu/cpu.cfs_quota_us') ?? -1)
  const periodV1 = Number(read('/sys/fs/cgroup/cpu/cpu.cfs_period_us') ?? 0)
  return quotaV1 > 0 && periodV1 > 0 ? quotaV1 / periodV1 : undefined
}

/** Cores of this machine that this process may use: a fraction under a quota. */
export const machineCores = (): number => Math.min(availableParallelism(), cpuLimit() ?? Infinity)

/**
 * Threads for `--threads auto`: the whole cores that this process may use. A batch system may give a task fewer than it holds it to:
 * Slurm says in variables of the step how many a task was given, or else how many the job has on this node.
 * @param cores of this machine that this process may use
 */
export function givenThreads(env: Readonly<Record<string, string | undefined>>, cores: number): number {
  const given = [env.SLURM_CPUS_PER_TASK, env.SLURM_CPUS_ON_NODE].map(Number).find(count => count >= 1)
  return Math.max(1, Math.floor(Math.min(cores, given ?? Infinity)))
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
