/**
 * Replaces pixels of a complete frame: those of a worker that is not believed any more are taken out, and traced by the others. Only of
 * frames that are made in one pass: further passes are planned with what an earlier one found, add to its sums, and judge by them which
 * cells need more, so that its pixels are in all that follows.
 */

import { MOST_STEALS, type WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { Rect, Size } from '../../shared/frame/rect.ts'
import type { AreaId } from '../../shared/ids.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import type { FrameAssembly } from '../assembly/frame-assembly.ts'
import { CostMap } from '../costs/cost-map.ts'
import { predictorByName } from '../costs/predictors/index.ts'
import { Frame } from '../frames/frame.ts'
import type { FrameFacts } from '../frames/frame-facts.ts'
import type { FrameOrder, Planning } from '../frames/frame-order.ts'
import { piecesOfEach, strips } from '../scheduling/strips.ts'
import type { AreaShare, PlannedTile } from '../strategies/strategy.ts'
import { type Checking, type FrameListener, traceFrame } from './trace-frame.ts'
import type { TracePorts } from './tracers.ts'
import type { Shot } from './view-of.ts'

/** A complete frame. */
export interface MadeFrame {
  readonly frame: Frame
  /** Of the pixels that it has now. */
  readonly facts: FrameFacts
  readonly assembly: FrameAssembly
  /** Areas that its pixels are of, and those that could have had some. */
  readonly workers: readonly WorkerInfo[]
}

/** What is wrong with a frame. */
export interface Damage {
  /** Disjoint sets of pixels. */
  readonly sets: readonly PixelSet[]
  /** Areas that they are of. */
  readonly areas: ReadonlySet<AreaId>
}

/** What it takes to repair a frame. */
export interface RepairPorts {
  /** Areas that are ready now. */
  areasNow(signal: AbortSignal): Promise<readonly WorkerInfo[]>
  shares(workers: readonly WorkerInfo[]): AreaShare[]
  readonly order: Omit<FrameOrder, 'areas' | 'passes' | 'beganAt' | 'adaptive' | 'timeMs'>
  readonly tracing: TracePorts
  readonly shots: readonly Shot[]
  readonly rerun: (rect: Rect) => string | undefined
  readonly alone: NonNullable<FrameListener['alone']>
}

/** How pixels of a session's frames are replaced, if they can be. */
export const repairOf = (
  { passes, noise, timeMs }: Pick<SessionOrder, 'passes' | 'noise' | 'timeMs'>,
  ports: RepairPorts,
) =>
  passes === 1 && noise === undefined && timeMs === undefined
    ? {
        repair: (made: MadeFrame, damage: Damage, verification: Checking, signal: AbortSignal) =>
          repaired(made, damage, ports, verification, signal),
      }
    : {}

async function repaired(
  made: MadeFrame,
  { sets, areas: bad }: Damage,
  { areasNow, shares, order, tracing, shots, rerun, alone }: RepairPorts,
  verification: Checking,
  signal: AbortSignal,
): Promise<MadeFrame> {
  const { assembly, facts: before } = made
  const workers = await areasNow(signal)
  const able = shares(workers)
  assembly.takeOut(sets)
  const tiles = sets.flatMap(set => strips(set, piecesOfEach(able.length, sets.length)))
  const facts = { ...order, areas: able, passes: 1, beganAt: tracing.clock.now() }
  const frame = new Frame(facts, fixedPlan(tiles, 0, order.size))
  const joined = new JoinedAreas()
  const coverage = () => {
    throw new TypeError('a fixed plan asks for no coverage')
  }
  const work = { shots, assembly, coverage, cell: 0, rerun, shares, verification }
  await traceFrame(frame, work, tracing, signal, { alone, joined: joined.note })
  const stayed = made.workers.filter(({ id }) => ![...bad].some(area => area === id))
  const came = workers.filter(({ id }) => !stayed.some(worker => worker.id === id))
  const traced = joined.added([...stayed, ...came], frame.facts)
  return { ...made, facts: repairedFacts(before, frame.facts, bad), workers: traced }
}

/** What is known of a frame without some areas, and of its repair, which took what the frame took and more. */
export function repairedFacts(before: FrameFacts, repair: FrameFacts, bad: ReadonlySet<AreaId>): FrameFacts {
  const kept = before.records.filter(({ worker }) => !bad.has(worker))
  const records = [...kept, ...repair.records]
  const { endedAt } = repair
  // As of a worker that was lost: its tiles had to be traced again.
  const taken = new Set(before.records.filter(({ worker }) => bad.has(worker)).map(({ lease }) => lease))
  return {
    ...before,
    records,
    spans: [...before.spans, ...repair.spans],
    endedAt,
    rescued: before.rescued + repair.rescued + taken.size,
    stolen: before.stolen + repair.stolen,
    steals: [...before.steals, ...repair.steals].slice(-MOST_STEALS),
    duplicated: before.duplicated + repair.duplicated,
    redundantPx: before.redundantPx + repair.redundantPx,
    passes: before.passes.map(pass => ({ ...pass, records: records.length, endedAt })),
  }
}

/** Areas that joined a frame in progress. What they traced counts even if they are gone when it is complete. */
export class JoinedAreas {
  readonly #joined = new Map<string, WorkerInfo>()

  readonly note = (areas: readonly WorkerInfo[]): void => {
    for (const area of areas) this.#joined.set(area.id, area)
  }

  /** Those that were there when the frame began, and of these those that traced some of it. */
  added(before: readonly WorkerInfo[], { records }: Pick<FrameFacts, 'records'>): readonly WorkerInfo[] {
    if (this.#joined.size === 0) return before
    const known = new Set<string>(before.map(({ id }) => id))
    const tracers = new Set<string>(records.map(({ worker }) => worker))
    return [...before, ...[...this.#joined.values()].filter(({ id }) => tracers.has(id) && !known.has(id))]
  }
}

/**
 * A frame whose tiles are known before it begins, and of which nothing is remembered.
 * @param cell side of the cells for which costs are returned, px; 0: none
 */
const fixedPlan = (tiles: readonly PlannedTile[], cell: number, size: Size): Planning => ({
  cell,
  cellFor: () => cell,
  planContext: (camera, workers) => ({
    size,
    camera,
    workers,
    options: DEFAULT_STRATEGY_OPTIONS,
    predictor: predictorByName(DEFAULT_STRATEGY_OPTIONS.predictor),
    history: [],
    clock: 'cpu',
  }),
  nextContext: before => before,
  wantsCoverage: () => false,
  wantsProbe: () => false,
  probed: () => new CostMap(size, cell),
  plan: () => ({ tiles }),
  intake: () => ({ take: () => {}, done: () => () => ({}) }),
})
