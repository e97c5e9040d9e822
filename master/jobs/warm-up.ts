/**
 * Before a job's first frame every worker traces a thumbnail of it, which is thrown away: an engine's first rays are slow
 * while it is still being compiled, and the first frame would measure that instead of the scene.
 */
import { frameRect, type Size } from '../../shared/rect.ts'
import type { View } from '../../shared/view.ts'
import { FrameBuffer } from '../assembly/frame-buffer.ts'
import type { AreaShare, PlannedTile } from '../strategies/strategy.ts'
import { latticeOf, probePlan } from './probe.ts'
import { type LeaseRecord, type TracePorts, tracePlan } from './trace-frame.ts'

/** Enough pixels for an engine to be compiled by, few enough to cost a fraction of a frame. */
const THUMBNAIL_PX = 192 * 108

/** Leases of warm-ups are numbered from here, far above those of a job's frames. */
const FIRST_LEASE = 0x8000_0000
/** More than one of their plans can need. */
const LEASES_PER_PLAN = 0x10000

export interface WarmUp {
  readonly scene: string
  /** Of the job's first frame. */
  readonly view: View
  readonly workers: readonly AreaShare[]
  /** Side of the cells that the job has costs measured for, px; 0: none. */
  readonly cell: number
  /** Whether the first frame begins with a probe: it takes paths through an engine that no thumbnail does. */
  readonly probe: boolean
}

/** Has each worker trace a thumbnail, and answers with what came. Rejects as `tracePlan` does. */
export async function warmUp(
  { scene, view, workers, cell, probe }: WarmUp,
  ports: TracePorts,
  signal: AbortSignal,
): Promise<readonly LeaseRecord[]> {
  const size = thumbnailSize(view.size)
  const records: LeaseRecord[] = []
  let firstLease = FIRST_LEASE
  const trace = async (of: View, tiles: readonly PlannedTile[], by: readonly AreaShare[]): Promise<void> => {
    const order = { scene, view: of, plan: { tiles }, workers: by, firstLease, cell, frame: new FrameBuffer(of.size) }
    firstLease += LEASES_PER_PLAN
    const traced = await tracePlan(order, ports, signal)
    records.push(...traced.records)
  }
  // After a probe all but its pixels are traced, which is another way than tracing all of them.
  for (const pattern of probe ? [undefined, { kind: 'gaps', ...latticeOf(cell) } as const] : [undefined]) {
    const tile = { rect: frameRect(size), ...(pattern ? { pattern } : {}) }
    await Promise.all(workers.map(worker => trace({ ...view, size }, [{ ...tile, worker: worker.id }], [worker])))
  }
  if (probe) await trace(view, probePlan(frameRect(view.size), workers, cell).tiles, workers)
  return records
}

/** As wide for its height as the frame, of about THUMBNAIL_PX pixels, never larger than the frame. */
function thumbnailSize([w, h]: Size): Size {
  const scale = Math.min(1, Math.sqrt(THUMBNAIL_PX / (w * h)))
  return [Math.max(1, Math.round(w * scale)), Math.max(1, Math.round(h * scale))]
}
