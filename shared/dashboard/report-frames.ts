/** What a report has inside for its dashboard: frames of its runs, in the few bytes in which a master sends them, and small pictures of them. */
import type { CompactFrame } from './compact-frame.ts'
import type { DashboardEvent } from './dashboard-messages.ts'

export interface RunFrames {
  /** Of the run: its strategy. */
  readonly name: string
  /** Frames that it had. */
  readonly frameCount: number
  /** Of those, the ones that are here: each of so many. */
  readonly step: number
  /** Areas that frames were planned for, by the number that frames have of them. */
  readonly rosters: readonly Roster[]
  readonly frames: readonly CompactFrame[]
  /** What happened between them. */
  readonly events: readonly DashboardEvent[]
}

export interface Roster {
  readonly ids: readonly string[]
  readonly names: readonly string[]
}

export interface ReportFrames {
  readonly runs: readonly RunFrames[]
  /** Ids of all workers, in the order that gives them their colours. */
  readonly workers: readonly string[]
  readonly pictures: readonly {
    readonly frame: number
    /** A `data:` URI. */
    readonly uri: string
  }[]
}

/** Ids in a page of its report. */
export const REPORT_FRAMES = 'report-frames'
export const REPORT_DASHBOARD = 'frame-by-frame'
