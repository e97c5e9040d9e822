/** A complete frame as it is delivered: colour in its final form, the other planes, and the report with the hash of the pixels. */
import type { FramePlanes } from '../../shared/frame/frame-planes.ts'
import { type FrameReport, NO_HASH, type WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { OwnerMap } from '../../shared/metrics/owner-map.ts'
import { sha256Steps } from '../../shared/node/sha256.ts'
import type { Traffic } from '../../shared/protocol/channel.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { FrameDepths } from '../../shared/session/session.ts'
import { recordedCosts } from '../costs/recorded-costs.ts'
import { frameDepths } from '../frames/frame-depths.ts'
import { type FrameTimes, frameReport, ownedTiles } from '../frames/frame-report.ts'
import { inSteps } from '../sessions/in-steps.ts'
import type { MadeFrame } from './repair-frame.ts'

export interface FinishedFrame {
  readonly report: FrameReport
  readonly pixels: Uint8Array
  readonly planes: FramePlanes
  /** Of a viewer's. */
  readonly depths?: FrameDepths | undefined
}

/** What is reported beside what the frame knows itself. */
export interface ReportFacts extends Pick<FrameReport, 'sceneChange' | 'verification' | 'withdrawn'> {
  readonly workers: readonly WorkerInfo[]
  readonly traffic: Traffic
  readonly owners: OwnerMap
  readonly isHashed: boolean
}

/** A large frame is not to hold up the master. Frames are finished in their order. */
export async function finishedFrame(
  made: MadeFrame,
  order: SessionOrder,
  { workers, traffic, owners, isHashed, ...more }: ReportFacts,
): Promise<FinishedFrame> {
  const { assembly } = made
  const pixels = await assembly.color()
  const migrationShare = await inSteps(owners.updateSteps(ownedTiles(made.facts)))
  const report = { ...reportOf(order, made, { workers, traffic, migrationShare }), ...more }
  const planes = await assembly.planes()
  const depths = order.kind === 'viewer' ? frameDepths(made.facts.records, order.size) : undefined
  const sha256 = isHashed ? await inSteps(sha256Steps(pixels)) : NO_HASH
  return { report: { ...report, sha256 }, pixels, planes, depths }
}

function reportOf(
  { strategy, size, record, spans, noise: limit, denoise }: SessionOrder,
  { frame, facts, assembly }: MadeFrame,
  beside: Pick<FrameTimes, 'workers' | 'traffic' | 'migrationShare'>,
): Omit<FrameReport, 'sha256'> {
  const of = denoise ? ({ denoised: true } as const) : {}
  // Time may be up before there are two passes to compare.
  const noise = limit === undefined ? {} : { noise: { limit, ...(assembly.noise ?? { share: 1 }), ...of } }
  const report = frameReport({ ...facts, ...beside, ...noise, frame: frame.order.frame, strategy, size })
  const { predictionError, costs } = frame.outcome()
  return {
    ...report,
    ...(spans ? {} : { spans: [] }),
    ...(predictionError === undefined ? {} : { predictionError }),
    ...(record && costs ? { recorded: recordedCosts(costs, frame.order.bodies) } : {}),
  }
}
