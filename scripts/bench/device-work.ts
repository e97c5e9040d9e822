/**
 * Whether a device did what it was there for, judged by its tiles. A bench in which the CPU makes all frames has numbers, too, and nothing
 * was measured.
 */
import type { FrameReport, WorkerInfo } from '../../shared/frame/frame-report.ts'
import { BenchError } from './bench-error.ts'

/** A device alone may use so much more or less than the cores that it is limited to. */
const TOLERANCE = 0.25

/** An accelerator in some frames. */
export interface DeviceWork {
  /** Of all work counted in these frames, 0 to 1. */
  readonly share: number
  /** That it is limited to; absent if it is not known to be. */
  readonly cores?: number
  /** That it used on average, whatever else the frames waited for. */
  readonly usedCores: number
  /** Why its worker had withdrawn it, if it had. */
  readonly reason?: string
}

export const isAccelerator = ({ device }: Pick<WorkerInfo, 'device'>): boolean => device !== undefined

/** @param isMeant selects the areas */
export function workOf(reports: readonly FrameReport[], isMeant: (area: WorkerInfo) => boolean): DeviceWork {
  const sum = { own: 0, all: 0, cpuMs: 0, frameMs: 0 }
  let cores: number | undefined
  for (const { workers, tiles, frameMs } of reports) {
    const meant = workers.filter(isMeant)
    const ids = new Set(meant.map(({ id }) => id))
    cores ??= meant[0]?.cores
    sum.frameMs += frameMs
    for (const { worker, work = 0, cpuMs } of tiles) {
      sum.all += work
      if (!ids.has(worker)) continue
      sum.own += work
      sum.cpuMs += cpuMs
    }
  }
  const reason = reports.flatMap(({ withdrawn = [] }) => withdrawn).at(-1)?.reason
  return {
    share: sum.all > 0 ? sum.own / sum.all : 0,
    ...(cores === undefined ? {} : { cores }),
    usedCores: sum.frameMs > 0 ? sum.cpuMs / sum.frameMs : 0,
    ...(reason === undefined ? {} : { reason }),
  }
}

/** @throws BenchError if a device was given no work in one of these kinds of runs */
export function checkShares(device: string, runs: Readonly<Record<string, DeviceWork>>): void {
  for (const [kind, { share, reason }] of Object.entries(runs))
    if (share === 0)
      throw new BenchError(
        `${device} ${kind}: expected it to trace, got no tile of it${reason === undefined ? '' : ` (${reason})`}; nothing was measured`,
      )
}

/** @throws BenchError if a device that had the frames to itself did not use about the cores that it is limited to */
export function checkCores(device: string, { cores, usedCores }: DeviceWork): void {
  if (cores === undefined || Math.abs(usedCores / cores - 1) <= TOLERANCE) return
  throw new BenchError(
    `${device} alone: expected it to use the ${cores.toFixed(2)} cores that it is limited to within ${TOLERANCE * 100} %, ` +
      `got ${usedCores.toFixed(2)}; run it again when nothing else runs on the host`,
  )
}
