/** CPU time of other processes, as Linux says it, in ticks of the clock; undefined elsewhere. */
import { readFileSync } from 'node:fs'

/** USER_HZ is 100 on every Linux of today (`getconf CLK_TCK`). */
const MS_PER_TICK = 10

/** CPU time of a process, ms. */
export const processCpuMs = (pid: number): number | undefined => sum(`${pid}`, UTIME)

/** CPU time of all processes that this one has started and that have ended, ms. */
export const endedChildrenCpuMs = (): number | undefined => sum('self', CUTIME)

/** In proc(5), field 14 is utime, 15 stime, 16 cutime, 17 cstime; here they are counted from the third on, behind the name. */
const UTIME = 14 - 3
const CUTIME = 16 - 3

function sum(process: string, at: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${process}/stat`, 'utf8')
    // A name may have spaces and brackets in it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return MS_PER_TICK * (Number(fields[at]) + Number(fields[at + 1]))
  } catch {
    return undefined
  }
}
