/**
 * Which process this is, for others that find its name in a folder, and whether one that was found is still running. Process ids are
 * used again, and mean nothing on another machine or in another container.
 */
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export interface ProcessName {
  /** Where its id is valid: a machine since it was started, or a container. */
  readonly place: string
  readonly pid: number
  /** When it was started, in the system's own count; 0 where the system does not say. */
  readonly startedAt: number
}

export function thisProcess(): ProcessName {
  const words = [
    hostname(),
    attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    attempt(() => readlinkSync('/proc/self/ns/pid')),
  ]
  const place = createHash('sha256').update(words.join('\n')).digest('hex').slice(0, 12)
  return { place, pid: process.pid, startedAt: statusOf(process.pid)?.startedAt ?? 0 }
}

/** As a part of a file's name; `PROCESS_WORDS` matches it, with place, id and start as groups. */
export const wordsOf = ({ place, pid, startedAt }: ProcessName): string => `${place}-${pid}-${startedAt}`
export const PROCESS_WORDS = '([0-9a-f]{12})-(\\d+)-(\\d+)'

/** `unknown`: it is elsewhere, or the system does not tell one process from a later one with the same id. */
export function lifeOf({ place, pid, startedAt }: ProcessName, own: ProcessName): 'running' | 'ended' | 'unknown' {
  if (place !== own.place) return 'unknown'
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'ended'
  }
  const status = statusOf(pid)
  if (!status || startedAt === 0) return 'unknown'
  return status.isRunning && status.startedAt === startedAt ? 'running' : 'ended'
}

/** What the system says of a process; undefined if it has no /proc, or hides the process. */
function statusOf(pid: number): { readonly isRunning: boolean; readonly startedAt: number } | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (text === '') return undefined
  // Count fields after the name, which may contain spaces: proc_pid_stat(5), 3 and 22. A zombie has ended.
  const fields = text.replace(/^.*\) /s, '').split(' ')
  return { isRunning: !/^[ZXx]$/.test(fields[0]!), startedAt: Number(fields[19]) }
}

function attempt(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
