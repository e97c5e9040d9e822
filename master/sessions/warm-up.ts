/**
 * Before a session's first frame every area that has not traced its scene yet traces a thumbnail, which is thrown away: an engine's
 * first rays are slow while it is still being compiled, and the first frame would measure that instead of the scene.
 */
import { frameRect, type Size } from '../../shared/rect.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/strategy-options.ts'
import type { View } from '../../shared/view.ts'
import { FrameBuffer } from '../assembly/frame-buffer.ts'
import { CostMap } from '../costs/cost-map.ts'
import { CoverageMask } from '../coverage/coverage-mask.ts'
import { Frame, type Planning } from '../frames/frame.ts'
import type { LeaseRecord } from '../frames/lease-record.ts'
import { latticeOf, probeTiles } from '../frames/passes.ts'
import type { LeaseNumbers } from '../scheduling/lease-numbers.ts'
import type { SchedulerLimits } from '../scheduling/limits.ts'
import type { AreaShare, PlannedTile } from '../strategies/strategy.ts'
import { NoWorkersError } from './errors.ts'
import { type TracePorts, traceFrame } from './trace-frame.ts'

/** Enough pixels for an engine to be compiled by, few enough to cost a fraction of a frame. */
const THUMBNAIL_PX = 192 * 108

export interface WarmUp {
  readonly scene: string
  /** Of the session's first frame. */
  readonly view: View
  /** Those that are cold. */
  readonly areas: readonly AreaShare[]
  /** Side of the cells that the session has costs measured for, px; 0: none. */
  readonly cell: number
  /** Whether the first frame begins with a probe: it takes paths through an engine that no thumbnail does. */
  readonly probe: boolean
  readonly limits: SchedulerLimits
  readonly numbers: LeaseNumbers
}

/**
 * Has each area trace a thumbnail, and answers with what came. An area that is lost meanwhile is warmed up no more; who comes late
 * stays cold.
 * Rejects with CancelledError or FrameFailedError.
 */
export async function warmUp(order: WarmUp, ports: TracePorts, signal: AbortSignal): Promise<readonly LeaseRecord[]> {
  const { view, areas, cell, probe } = order
  const small = { ...view, size: thumbnailSize(view.size) }
  const whole: PlannedTile = { rect: frameRect(small.size) }
  const rounds: ((area: AreaShare) => { readonly seen: View; readonly tiles: readonly PlannedTile[] })[] = [
    () => ({ seen: small, tiles: [whole] }),
  ]
  if (probe) {
    // After a probe all but its pixels are traced, which is another way than tracing all of them.
    const gaps: PlannedTile = { ...whole, pattern: { kind: 'gaps', ...latticeOf(cell) } }
    const dealt = probeTiles(frameRect(view.size), areas, cell)
    rounds.push(() => ({ seen: small, tiles: [gaps] }))
    rounds.push(({ id }) => ({ seen: view, tiles: dealt.filter(({ worker }) => worker === id) }))
  }
  const records: LeaseRecord[] = []
  for (const round of rounds) {
    // Who was lost in a round is not waited for in the next.
    const there = new Set(ports.tracers.readyIds())
    const traced = areas.map(async area => {
      if (!there.has(area.id)) return
      const { seen, tiles } = round(area)
      if (tiles.length > 0) records.push(...(await traceBy(area, seen, tiles, order, ports, signal)))
    })
    await Promise.all(traced)
  }
  return records
}

/** Has tiles traced by one area; nothing when it is lost. */
async function traceBy(
  area: AreaShare,
  view: View,
  tiles: readonly PlannedTile[],
  { scene, cell, limits, numbers }: WarmUp,
  ports: TracePorts,
  signal: AbortSignal,
): Promise<readonly LeaseRecord[]> {
  const { frame: number, camera, size } = view
  const facts = { frame: number, camera, size, areas: [area], samples: view.quality.samples, passes: 1 }
  const beganAt = ports.clock.now()
  const frame = new Frame({ ...facts, limits, numbers, beganAt }, plannedBy(tiles, cell, size))
  const nowhere = { scene, view, buffer: new FrameBuffer(size), coverage: () => new CoverageMask(size) }
  try {
    await traceFrame(frame, { ...nowhere, cell, adopts: false }, ports, signal)
  } catch (error) {
    if (error instanceof NoWorkersError) return []
    throw error
  }
  return frame.facts.records
}

/** A plan that is made already; nothing is remembered. */
const plannedBy = (tiles: readonly PlannedTile[], cell: number, size: Size): Planning => ({
  cell,
  known: (camera, workers) => ({ size, camera, workers, options: DEFAULT_STRATEGY_OPTIONS, history: [], clock: 'cpu' }),
  wantsCoverage: () => false,
  wantsProbe: () => false,
  probed: () => new CostMap(size, cell),
  plan: () => ({ tiles }),
  done: () => () => ({}),
})

/** As wide for its height as the frame, of about THUMBNAIL_PX pixels, never larger than the frame. */
function thumbnailSize([w, h]: Size): Size {
  const scale = Math.min(1, Math.sqrt(THUMBNAIL_PX / (w * h)))
  return [Math.max(1, Math.round(w * scale)), Math.max(1, Math.round(h * scale))]
}
