/**
 * Replaces pixels of a complete frame: those of a worker that is not believed any more are taken out, and traced by the others. Only of
 * frames that are made in one pass: further passes are planned with what an earlier one found, add to its sums, and judge by them which
 * cells need more, so that its pixels are in all that follows.
 */
import type { WorkerInfo } from '../../shared/frame-report.ts'
import type { AreaId } from '../../shared/ids.ts'
import type { PixelSet } from '../../shared/pixel-set.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { Rect } from '../../shared/rect.ts'
import type { FrameBuffer } from '../assembly/frame-buffer.ts'
import type { SampleCounts } from '../assembly/sample-counts.ts'
import { Frame, type FrameOrder } from '../frames/frame.ts'
import type { FrameFacts } from '../frames/frame-facts.ts'
import { strips } from '../scheduling/strips.ts'
import type { AreaShare } from '../strategies/strategy.ts'
import { fixedPlan } from './fixed-plan.ts'
import { type Checking, type FrameListener, type TracePorts, traceFrame } from './trace-frame.ts'
import type { Shot } from './view-of.ts'

/** A complete frame. */
export interface MadeFrame {
  readonly frame: Frame
  /** Of the pixels that it has now. */
  readonly facts: FrameFacts
  readonly buffer: FrameBuffer
  readonly counts: SampleCounts
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
  readonly order: Omit<FrameOrder, 'areas' | 'passes' | 'beganAt' | 'adaptive'>
  readonly tracing: TracePorts
  readonly shots: readonly Shot[]
  readonly rerun: (rect: Rect) => string | undefined
  readonly alone: NonNullable<FrameListener['alone']>
}

/** How pixels of a session's frames are replaced, if they can be. */
export const repairOf = ({ passes, noise }: Pick<SessionOrder, 'passes' | 'noise'>, ports: RepairPorts) =>
  passes === 1 && noise === undefined
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
  const { buffer, facts: before } = made
  const workers = await areasNow(signal)
  const able = shares(workers)
  buffer.takeOut(sets)
  const tiles = sets.flatMap(set => strips(set, able.length))
  const facts = { ...order, areas: able, passes: 1, beganAt: tracing.clock.now() }
  const frame = new Frame(facts, fixedPlan(tiles, 0, order.size))
  const coverage = () => {
    throw new TypeError('a fixed plan asks for no coverage')
  }
  await traceFrame(frame, { shots, buffer, coverage, cell: 0, rerun, adopts: true, verification }, tracing, signal, {
    alone,
  })
  const stayed = made.workers.filter(({ id }) => ![...bad].some(area => area === id))
  const came = workers.filter(({ id }) => !stayed.some(worker => worker.id === id))
  return { ...made, facts: joined(before, frame.facts, bad), workers: [...stayed, ...came] }
}

/** What is known of a frame without some areas, and of its repair. */
function joined(before: FrameFacts, repair: FrameFacts, bad: ReadonlySet<AreaId>): FrameFacts {
  const records = [...before.records.filter(({ worker }) => !bad.has(worker)), ...repair.records]
  const { endedAt } = repair
  return {
    ...before,
    ...{ records, spans: [...before.spans, ...repair.spans], endedAt },
    rescued: before.rescued + repair.rescued + 1,
    redundantPx: before.redundantPx + repair.redundantPx,
    passes: before.passes.map(pass => ({ ...pass, records: records.length, endedAt })),
  }
}
