/** One frame of a strategy as it went by: who did what when. What a summary has no room for, kept of a single frame. */
import type { FrameReport, WorkerInfo } from '../../shared/frame-report.ts'
import type { Span } from '../../shared/span.ts'

/** The frames one strategy rendered, in frame order, as they were reported. */
export interface StrategyRun {
  readonly name: string
  readonly reports: readonly FrameReport[]
}

export interface FrameTimeline {
  readonly strategy: string
  readonly frame: number
  /** Until the last pixel was in place, ms. */
  readonly frameMs: number
  /** How long the picture is: what the ledger adds up to. */
  readonly wallMs: number
  readonly tiles: number
  readonly stolen: number
  readonly workers: readonly WorkerInfo[]
  /** Of workers; ms since the frame began. */
  readonly bars: readonly TimelineBar[]
}

export interface TimelineBar {
  readonly worker: string
  readonly kind: Span['kind']
  readonly start: number
  readonly end: number
}

/** The frame of median time, the usual one, of those whose spans were kept; none where none were. */
export function timelineOf({ name, reports }: StrategyRun): FrameTimeline | undefined {
  const kept = reports.filter(({ spans }) => spans.some(({ worker }) => worker !== undefined))
  const ranked = kept.toSorted((a, b) => a.frameMs - b.frameMs || a.frame - b.frame)
  const median = ranked[(ranked.length - 1) >> 1]
  return median && timeline(name, median)
}

function timeline(strategy: string, report: FrameReport): FrameTimeline {
  const { frame, frameMs, wallMs, tiles, stolen, workers, spans } = report
  const beganAt = spans.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY)
  const bars = spans.flatMap(({ worker, kind, start, end }): TimelineBar[] =>
    worker === undefined ? [] : [{ worker, kind, start: start - beganAt, end: Math.max(start, end) - beganAt }],
  )
  return { strategy, frame, frameMs, wallMs, tiles: tiles.length, stolen, workers, bars }
}
