/**
 * Before a session's first frame every area that has not traced its scene yet traces a thumbnail, which is thrown away: an engine's
 * first rays are slow while it is still being compiled, and the first frame would measure that instead of the scene. What the
 * thumbnail cost says where the work of the first frame lies, so that it need not begin with a probe.
 */
import { frameRect, type Size, scaledDown } from '../../shared/rect.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/strategy-options.ts'
import type { View } from '../../shared/view.ts'
import { FrameBuffer } from '../assembly/frame-buffer.ts'
import { assembleCosts } from '../costs/assemble-costs.ts'
import { CostMap } from '../costs/cost-map.ts'
import { CoverageMask } from '../coverage/coverage-mask.ts'
import { Frame, type Planning } from '../frames/frame.ts'
import { type LeaseRecord, tracedTile } from '../frames/lease-record.ts'
import type { LeaseNumbers } from '../scheduling/lease-numbers.ts'
import type { SchedulerLimits } from '../scheduling/limits.ts'
import type { AreaShare, PlannedTile } from '../strategies/strategy.ts'
import { FrameFailedError, NoWorkersError } from './errors.ts'
import { type TracePorts, traceFrame } from './trace-frame.ts'

/** Enough pixels for an engine to be compiled by, few enough to cost a fraction of a frame. */
const THUMBNAIL_PX = 192 * 108
/** Side of its cells, px: as small as cells may be. */
const THUMBNAIL_CELL = 4
export interface WarmUp {
  readonly scene: string
  /** Of the session's first frame. */
  readonly view: View
  /** Those that are cold. */
  readonly areas: readonly AreaShare[]
  /** Whether the session has costs measured. Those of the thumbnail come back anyhow. */
  readonly costs: boolean
  readonly limits: SchedulerLimits
  readonly numbers: LeaseNumbers
}

export interface WarmedUp {
  readonly records: readonly LeaseRecord[]
  /** Costs of the thumbnail, in units of work. */
  readonly thumbnail?: CostMap
}

/**
 * Has each area trace a thumbnail, and answers with what came. An area that is lost meanwhile is warmed up no more; who comes late
 * stays cold.
 * Rejects with CancelledError or FrameFailedError.
 */
export async function warmUp(order: WarmUp, ports: TracePorts, signal: AbortSignal): Promise<WarmedUp> {
  const { view, areas } = order
  const small = { ...view, size: scaledDown(view.size, THUMBNAIL_PX) }
  const records: LeaseRecord[] = []
  let thumbnail: CostMap | undefined
  // An engine that does not count is another one to whoever compiles it.
  for (const cell of order.costs ? [THUMBNAIL_CELL] : [THUMBNAIL_CELL, 0]) {
    // Who was lost in a round is not waited for in the next.
    const there = new Set(ports.tracers.readyIds())
    const traced = areas
      .filter(({ id }) => there.has(id))
      .map(async area => {
        const made = await traceBy(area, small, cell, order, ports, signal)
        records.push(...made)
        thumbnail ??= costsOf(made, small.size)
      })
    await Promise.all(traced)
  }
  return { records, ...(thumbnail ? { thumbnail } : {}) }
}

/** What a whole picture cost, in units of work: the same whoever traced it, and however cold. */
function costsOf(records: readonly LeaseRecord[], size: Size): CostMap | undefined {
  if (records.length === 0 || records.some(({ cells }) => !cells)) return undefined
  return assembleCosts(size, THUMBNAIL_CELL, records.map(tracedTile), ({ work = 1, cpuMs }) => work / (cpuMs || 1))
}

/** Has a whole picture traced by one area; nothing when it is lost. */
async function traceBy(
  area: AreaShare,
  view: View,
  cell: number,
  { scene, limits, numbers }: WarmUp,
  ports: TracePorts,
  signal: AbortSignal,
): Promise<readonly LeaseRecord[]> {
  const { frame: number, camera, size } = view
  const facts = { frame: number, camera, size, areas: [area], samples: view.quality.samples, passes: 1 }
  const beganAt = ports.clock.now()
  const frame = new Frame({ ...facts, limits, numbers, beganAt }, plannedBy([{ rect: frameRect(size) }], cell, size))
  const nowhere = { scene, view, buffer: new FrameBuffer(size), coverage: () => new CoverageMask(size) }
  try {
    await traceFrame(frame, { ...nowhere, cell, adopts: false }, ports, signal)
  } catch (error) {
    // Whoever is lost, or cannot trace, is found out in the frames, where others take its place.
    if (error instanceof NoWorkersError || error instanceof FrameFailedError) return []
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
  intake: () => ({ take: () => {}, done: () => () => ({}) }),
})
