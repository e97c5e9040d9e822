/**
 * Before a job's first frame every worker traces a thumbnail of it, which is thrown away: an engine's first rays are slow
 * while it is still being compiled, and the first frame would measure that instead of the scene.
 */
import { frameRect, type Size } from '../../shared/rect.ts'
import type { View } from '../../shared/view.ts'
import { FrameBuffer } from '../assembly/frame-buffer.ts'
import type { WorkerShare } from '../strategies/strategy.ts'
import { type LeaseRecord, type TracePorts, tracePlan } from './trace-frame.ts'

/** Enough pixels for an engine to be compiled by, few enough to cost a fraction of a frame. */
const THUMBNAIL_PX = 96 * 54

/** Leases of warm-ups are numbered from here, far above those of a job's frames. */
const FIRST_LEASE = 0x8000_0000

/** Has each worker trace a thumbnail of `view`, and answers with what came. Rejects as `tracePlan` does. */
export async function warmUp(
  scene: string,
  view: View,
  workers: readonly WorkerShare[],
  ports: TracePorts,
  signal: AbortSignal,
): Promise<readonly LeaseRecord[]> {
  const thumbnail = { ...view, size: thumbnailSize(view.size) }
  const traced = await Promise.all(
    workers.map((worker, i) => {
      const plan = { tiles: [{ rect: frameRect(thumbnail.size), worker: worker.id }] }
      const frame = new FrameBuffer(thumbnail.size)
      const firstLease = FIRST_LEASE + i * 0x10000
      return tracePlan({ scene, view: thumbnail, plan, workers: [worker], firstLease, cell: 0, frame }, ports, signal)
    }),
  )
  return traced.flatMap(({ records }) => records)
}

/** As wide for its height as the frame, of about THUMBNAIL_PX pixels, never larger than the frame. */
function thumbnailSize([w, h]: Size): Size {
  const scale = Math.min(1, Math.sqrt(THUMBNAIL_PX / (w * h)))
  return [Math.max(1, Math.round(w * scale)), Math.max(1, Math.round(h * scale))]
}
