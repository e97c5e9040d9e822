/**
 * Before a session's first frame, every area that has not traced its scene yet traces a thumbnail, which is discarded: an
 * engine's first rays are slow while it is being compiled, and the first frame would measure that instead of the scene.
 * The thumbnail's costs show where the work of the first frame lies, so it need not begin with a probe.
 */
import type { AreaId } from '../../shared/ids.ts'
import { frameRect, type Size, scaledDown } from '../../shared/rect.ts'
import type { View } from '../../shared/view.ts'
import { FrameBuffer } from '../assembly/frame-buffer.ts'
import { assembleCosts } from '../costs/assemble-costs.ts'
import type { CostMap } from '../costs/cost-map.ts'
import { CoverageMask } from '../coverage/coverage-mask.ts'
import { Frame } from '../frames/frame.ts'
import { type LeaseRecord, tracedTile } from '../frames/lease-record.ts'
import type { LeaseNumbers } from '../scheduling/lease-numbers.ts'
import type { SchedulerLimits } from '../scheduling/limits.ts'
import type { AreaShare } from '../strategies/strategy.ts'
import { FrameFailedError, NoWorkersError } from './errors.ts'
import { fixedPlan } from './fixed-plan.ts'
import { type TracePorts, traceFrame } from './trace-frame.ts'

/** Enough pixels to get an engine compiled, few enough to cost a fraction of a frame. */
const THUMBNAIL_PX = 192 * 108
/** Side of its cells, px: the smallest allowed. */
const THUMBNAIL_CELL = 4
export interface WarmUp {
  readonly scene: string
  /** View of the session's first frame. */
  readonly view: View
  /** The cold areas. */
  readonly areas: readonly AreaShare[]
  /** Whether the session measures costs. Those of the thumbnail are measured in any case. */
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
 * Has each area trace a thumbnail and returns the results. An area lost meanwhile is no longer warmed up, those of which nothing is
 * heard are not waited for, and one that joins late stays cold. Rejects with CancelledError or FrameFailedError.
 */
export async function warmUp(order: WarmUp, ports: TracePorts, signal: AbortSignal): Promise<WarmedUp> {
  const { view, areas } = order
  const small = { ...view, size: scaledDown(view.size, THUMBNAIL_PX) }
  const records: LeaseRecord[] = []
  let thumbnail: CostMap | undefined
  // To the compiler, an engine that does not count work is separate code.
  for (const cell of order.costs ? [THUMBNAIL_CELL] : [THUMBNAIL_CELL, 0]) {
    // Areas lost in an earlier round are skipped.
    const there = new Set(ports.tracers.readyIds())
    await whileHeard(
      areas.filter(({ id }) => there.has(id)),
      async (area, over) => {
        const made = await traceBy(area, small, cell, order, ports, over)
        records.push(...made)
        thumbnail ??= costsOf(made, small.size)
      },
      ports,
      signal,
    )
  }
  return { records, ...(thumbnail ? { thumbnail } : {}) }
}

/** Does the same for all areas at once. Once all that is left to do is for areas of which nothing is heard, it is not waited for. */
async function whileHeard(
  areas: readonly AreaShare[],
  act: (area: AreaShare, signal: AbortSignal) => Promise<void>,
  { tracers }: TracePorts,
  signal: AbortSignal,
): Promise<void> {
  const busy = new Set(areas.map(({ id }) => id))
  let quiet: ReadonlySet<AreaId> = new Set()
  const enough = new AbortController()
  const look = () => {
    if ([...busy].every(id => quiet.has(id))) enough.abort()
  }
  const stopObserving = tracers.observe({
    ...{ ready: () => {}, lost: () => {}, tileDone: () => {}, tileFailed: () => {} },
    quiet: areas => {
      quiet = areas
      look()
    },
  })
  try {
    await Promise.all(
      areas.map(async area => {
        try {
          await act(area, AbortSignal.any([signal, enough.signal]))
        } catch (error) {
          if (signal.aborted || !enough.signal.aborted) throw error
        }
        busy.delete(area.id)
        look()
      }),
    )
  } finally {
    stopObserving()
  }
}

/** Costs of a whole picture in units of work: the same for every area, however cold. */
function costsOf(records: readonly LeaseRecord[], size: Size): CostMap | undefined {
  if (records.length === 0 || records.some(({ cells }) => !cells)) return undefined
  return assembleCosts(size, THUMBNAIL_CELL, records.map(tracedTile), ({ work = 1, cpuMs }) => work / (cpuMs || 1))
}

/** Has one area trace a whole picture; returns nothing if it is lost. */
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
  const frame = new Frame({ ...facts, limits, numbers, beganAt }, fixedPlan([{ rect: frameRect(size) }], cell, size))
  const nowhere = { shots: [{ scene, view }], buffer: new FrameBuffer(size), coverage: () => new CoverageMask(size) }
  try {
    await traceFrame(frame, { ...nowhere, cell, adopts: false }, ports, signal)
  } catch (error) {
    // An area that is lost or cannot trace is discovered in the frames, where others replace it.
    if (error instanceof NoWorkersError || error instanceof FrameFailedError) return []
    throw error
  }
  return frame.facts.records
}
