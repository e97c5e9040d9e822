/** The simulated cluster that stands for the one of a live run: its workers, their pace, and how long answers were on their way. Pure. */
import type { FrameReport, WorkerInfo } from '../../shared/frame/frame-report.ts'
import { type RayCounts, raysPerPixel } from '../../shared/frame/rays-per-pixel.ts'
import { mean } from '../../shared/metrics/statistics.ts'
import type { VirtualWorker } from './cluster-spec.ts'

/** Size of a worker's batch: pixels × samples × (2 + ambient rays). */
const BATCH_RAYS = 32768

export const batchPixels = (quality: RayCounts): number => BATCH_RAYS / raysPerPixel(quality)

export const recordedWorkers = (workers: readonly WorkerInfo[]): VirtualWorker[] =>
  workers.map(({ id, name, speed, workerId }) => ({ id, name, speed, ...(workerId === undefined ? {} : { workerId }) }))

/** Wall time per ms of CPU time for a worker of speed 1: workers limited to a share of a core take longer. */
export function recordedPace(workers: readonly WorkerInfo[]): number {
  const held = workers.filter(worker => worker.cores !== undefined && worker.speed > 0)
  return held.length === 0 ? 1 : Math.max(...held.map(({ cores, threads, speed }) => speed / Math.min(cores!, threads)))
}

/** Mean transfer time after tiles were traced, ms. */
export function oneWayMs({ spans }: Pick<FrameReport, 'spans'>): number {
  const placeOf = (worker: string | undefined, time: number) => `${worker} ${time}`
  const traced = new Set(spans.filter(({ kind }) => kind === 'render').map(({ worker, end }) => placeOf(worker, end)))
  const after = spans.filter(
    ({ kind, worker, start, end }) => kind === 'transmit' && end > start && traced.has(placeOf(worker, start)),
  )
  return mean(after.map(({ start, end }) => end - start))
}
