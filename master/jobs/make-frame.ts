/** One frame from beginning to end: what has to be found out, the plan, its tiles, and what came of it. */
import { invariant } from '../../shared/errors.ts'
import type { WorkerInfo } from '../../shared/frame-report.ts'
import { areaId } from '../../shared/ids.ts'
import { frameRect } from '../../shared/rect.ts'
import type { PackedScene } from '../../shared/scene/packed-scene.ts'
import type { View } from '../../shared/view.ts'
import { FrameBuffer } from '../assembly/frame-buffer.ts'
import { projectCoverage } from '../coverage/project.ts'
import type { AreaShare } from '../strategies/strategy.ts'
import type { FrameOutcome, FramePlanner, TracedTile } from './frame-planner.ts'
import { type FrameTimes, tileReport } from './frame-report.ts'
import { latticeOf, probePlan, withoutLattice } from './probe.ts'
import { type LeaseRecord, type TracePorts, tracePlan } from './trace-frame.ts'

export interface FrameOrder {
  readonly scene: string
  readonly view: View
  readonly workers: readonly WorkerInfo[]
  readonly firstLease: number
}

export interface MadeFrame extends Omit<FrameTimes, 'frame' | 'strategy' | 'size' | 'workers' | 'traffic'> {
  /** RGB8. */
  readonly pixels: Uint8Array
  readonly nextLease: number
  readonly outcome: () => FrameOutcome
}

/** Rejects as `tracePlan` does. */
export async function makeFrame(
  { scene, view, workers, firstLease }: FrameOrder,
  planner: FramePlanner,
  geometry: PackedScene,
  ports: TracePorts,
  signal: AbortSignal,
): Promise<MadeFrame> {
  const { clock } = ports
  const { cell } = planner
  const { size } = view
  const frame = new FrameBuffer(size)
  const shares = sharesOf(workers)
  const order = { scene, view, workers: shares, cell, frame }

  const beganAt = clock.now()
  const known = planner.known(view.camera, shares)
  const coverage = planner.wantsCoverage(known) ? projectCoverage(geometry, view.camera, size) : undefined
  const foundAt = clock.now()

  // A probe is part of the frame: its time is the frame's, and its pixels stay.
  const probed = planner.wantsProbe(known)
    ? await tracePlan({ ...order, plan: probePlan(frameRect(size), shares, cell), firstLease }, ports, signal)
    : undefined
  const probe = probed && planner.probed(probed.records.map(tracedTile), shares)
  const decideAt = clock.now()
  const plan = planner.plan(known, { ...(coverage ? { coverage } : {}), ...(probe ? { probe } : {}) })
  const tiles = probed ? withoutLattice(plan.tiles, latticeOf(cell)) : plan.tiles
  const decidedAt = clock.now()

  const rest = { ...order, plan: { ...plan, tiles }, firstLease: probed?.nextLease ?? firstLease }
  const traced = await tracePlan(rest, ports, signal)
  invariant(frame.missing === 0, `frame ${view.frame} is complete but lacks ${frame.missing} pixels`)

  const records = [...(probed?.records ?? []), ...traced.records]
  return {
    pixels: frame.pixels,
    records,
    beganAt,
    foundAt,
    decideAt,
    decidedAt,
    dispatchAt: probed ? foundAt : decidedAt,
    endedAt: traced.endedAt,
    rescued: (probed?.rescued ?? 0) + traced.rescued,
    stolen: traced.stolen,
    repeatedPx: traced.repeatedPx,
    probeMs: probed ? probed.endedAt - foundAt : 0,
    decisions: plan.decisions ?? {},
    owners: planner.owners,
    nextLease: traced.nextLease,
    outcome: planner.done(known, plan, records.map(tracedTile)),
  }
}

export const sharesOf = (workers: readonly WorkerInfo[]): AreaShare[] =>
  workers.map(({ id, speed }) => ({ id: areaId(id), speed }))

/** What a planner wants to know of it. */
export const tracedTile = ({ cells, ...record }: LeaseRecord): TracedTile => ({
  ...tileReport(record),
  ...(cells ? { cells } : {}),
})
