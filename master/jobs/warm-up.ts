/**
 * Before a job's first frame every worker traces a thumbnail of it, which is thrown away: an engine's first rays are slow
 * while it is still being compiled, and the first frame would measure that instead of the scene.
 */
import { workerId } from '../../shared/ids.ts'
import { frameRect, type Size } from '../../shared/rect.ts'
import type { View } from '../../shared/view.ts'
import { type TracePorts, traceFrame } from './trace-frame.ts'

/** Enough pixels for an engine to be compiled by, few enough to cost a fraction of a frame. */
const THUMBNAIL_PX = 96 * 54

/** Leases of warm-ups are numbered from here, far above those of a job's frames. */
const FIRST_LEASE = 0x8000_0000

/** Has each worker trace a thumbnail of `view`. Rejects as `traceFrame` does. */
export async function warmUp(
  scene: string,
  view: View,
  workers: readonly { readonly id: string }[],
  ports: TracePorts,
  signal: AbortSignal,
): Promise<void> {
  const thumbnail = { ...view, size: thumbnailSize(view.size) }
  await Promise.all(
    workers.map(({ id }, i) => {
      const worker = workerId(id)
      const plan = [{ rect: frameRect(thumbnail.size), worker }]
      return traceFrame(
        { scene, view: thumbnail, plan, workers: [worker], firstLease: FIRST_LEASE + i * 0x10000 },
        ports,
        signal,
      )
    }),
  )
}

/** As wide for its height as the frame, of about THUMBNAIL_PX pixels, never larger than the frame. */
function thumbnailSize([w, h]: Size): Size {
  const scale = Math.min(1, Math.sqrt(THUMBNAIL_PX / (w * h)))
  return [Math.max(1, Math.round(w * scale)), Math.max(1, Math.round(h * scale))]
}
