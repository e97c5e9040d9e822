/** The resident size of a process over time, as Linux reports it, and whether it grows. */
import { readFileSync } from 'node:fs'
import { median } from '../measure.ts'

export interface Sample {
  /** Since the beginning. */
  readonly seconds: number
  readonly mib: number
}

/** MiB; undefined where the system does not say, or the process is gone. */
export function residentMiB(pid: number): number | undefined {
  try {
    const kib = /VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kib === undefined ? undefined : Number(kib) / 1024
  } catch {
    return undefined
  }
}

/** The first part of the time is warm-up; then medians of the parts after it and at the end are compared. */
const WARM_UP = 0.3
const PART = 0.2

/** Growth after warm-up as a share: 0.05 is 5 %; null of too few samples. */
export function growth(samples: readonly Sample[]): number | null {
  const end = samples.at(-1)?.seconds ?? 0
  const between = (from: number, to: number) =>
    samples.filter(({ seconds }) => seconds >= from * end && seconds <= to * end).map(({ mib }) => mib)
  const [early, late] = [between(WARM_UP, WARM_UP + PART), between(1 - PART, 1)]
  if (early.length < 2 || late.length < 2) return null
  return Number((median(late) / median(early) - 1).toFixed(4))
}
