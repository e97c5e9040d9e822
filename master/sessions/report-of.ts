/** What is reported of a frame of a session. */
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { recordedCosts } from '../costs/recorded-costs.ts'
import type { Frame } from '../frames/frame.ts'
import type { FrameFacts } from '../frames/frame-facts.ts'
import { type FrameTimes, frameReport } from '../frames/frame-report.ts'

export function reportOf(
  { strategy, size, record, spans }: SessionOrder,
  { frame, facts }: { readonly frame: Frame; readonly facts: FrameFacts },
  beside: Pick<FrameTimes, 'workers' | 'traffic' | 'migrationShare'>,
): Omit<FrameReport, 'sha256'> {
  const report = frameReport({ ...facts, ...beside, frame: frame.order.frame, strategy, size })
  const { predictionError, costs } = frame.outcome()
  return {
    ...report,
    ...(spans ? {} : { spans: [] }),
    ...(predictionError === undefined ? {} : { predictionError }),
    ...(record && costs ? { recorded: recordedCosts(costs, frame.order.bodies) } : {}),
  }
}
