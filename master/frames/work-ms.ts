/** What a worker of speed 1 would take for a pass of a frame, ms of wall time: learned from what its areas took. */
import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { FrameFacts } from './frame-facts.ts'

/** @param areas those that traced it; others count as of speed 1 */
export function workMs({ records, passes }: FrameFacts, areas: readonly Pick<WorkerInfo, 'id' | 'speed'>[]): number {
  const speeds = new Map<string, number>(areas.map(({ id, speed }) => [id, speed]))
  const all = records.reduce((sum, { worker, times }) => sum + times.wallMs * (speeds.get(worker) ?? 1), 0)
  return all / Math.max(1, passes.length)
}
