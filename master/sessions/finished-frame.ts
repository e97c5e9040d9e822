/** A complete frame as it is delivered: colour in its final form, the other planes, and the report with the hash of the pixels. */
import type { FramePlanes } from '../../shared/frame-planes.ts'
import type { FrameReport, WorkerInfo } from '../../shared/frame-report.ts'
import type { ToneMap } from '../../shared/light/tone-map.ts'
import type { OwnerMap } from '../../shared/metrics/owner-map.ts'
import { sha256Steps } from '../../shared/node/sha256.ts'
import type { Traffic } from '../../shared/protocol/channel.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { colorSteps, finishPlanes } from '../assembly/finish-frame.ts'
import { inSteps } from './in-steps.ts'
import type { MadeFrame } from './repair-frame.ts'
import { reportOf } from './report-of.ts'

export interface FinishedFrame {
  readonly report: FrameReport
  readonly pixels: Uint8Array
  readonly planes: FramePlanes
}

/** What is reported beside what the frame knows itself. */
export interface Beside extends Pick<FrameReport, 'sceneChange' | 'verification'> {
  readonly workers: readonly WorkerInfo[]
  readonly traffic: Traffic
  readonly owners: OwnerMap
}

/** In steps: a large frame is not to hold up the master. Frames are finished in their order. */
export async function finishedFrame(
  made: MadeFrame,
  order: SessionOrder,
  toneMap: ToneMap,
  { workers, traffic, owners, ...more }: Beside,
): Promise<FinishedFrame> {
  const { buffer, counts } = made
  const pixels = await inSteps(colorSteps(buffer, order, toneMap, counts))
  const report = { ...reportOf(order, made, { workers, traffic, owners }), ...more }
  const sha256 = await inSteps(sha256Steps(pixels))
  return { report: { ...report, sha256 }, pixels, planes: finishPlanes(buffer, order, counts) }
}
