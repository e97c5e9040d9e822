/** What is recorded of a frame while it is made. */
import type { EndedBy, StealReport } from '../../shared/frame/frame-report.ts'
import type { Span } from '../../shared/frame/span.ts'
import type { SampleRange } from '../../shared/frame/view.ts'
import type { LeaseRecord } from './lease-record.ts'

/** Facts recorded for a frame's report; times in ms on the master's clock. */
export interface FrameFacts {
  readonly records: readonly LeaseRecord[]
  /** The master's work for it: statistics and decisions. */
  readonly spans: readonly Span[]
  readonly beganAt: number
  /** First dispatch: of anything, including a probe (`dispatchAt`), and of planned tiles (`plannedAt`). */
  readonly dispatchAt: number
  readonly plannedAt: number
  /** Last pixel in place. */
  readonly endedAt: number
  /** From the first dispatch to the last pixel of the probe; 0 without one. */
  readonly probeMs: number
  readonly rescued: number
  readonly stolen: number
  readonly steals: readonly StealReport[]
  readonly duplicated: number
  readonly redundantPx: number
  readonly decisions: Readonly<Record<string, number>>
  /** Why there were no more passes, of a frame with only so much time. */
  readonly endedBy?: EndedBy | undefined
  /** One for each range of samples, in order. */
  readonly passes: readonly PassFacts[]
}

/** One pass, together with its probe. */
export interface PassFacts {
  readonly samples: SampleRange
  readonly pixels: number
  /** How many of the frame's records there are when it is complete. */
  readonly records: number
  readonly endedAt: number
}
