/** The timeline of one frame of a strategy: what each worker did when. Too large for a summary, so kept for one frame only. */
import { compactFrame, wholeFrame } from '../../../shared/dashboard/compact-frame.ts'
import { whySlow } from '../../../shared/dashboard/why-slow.ts'
import type { FrameReport, WorkerInfo } from '../../../shared/frame/frame-report.ts'
import type { Span } from '../../../shared/frame/span.ts'

/** The reports of one strategy's frames, in frame order. */
export interface StrategyRun {
  readonly name: string
  readonly reports: readonly FrameReport[]
}

export interface FrameTimeline {
  readonly strategy: string
  readonly frame: number
  /** Time until the last pixel was in place, ms. */
  readonly frameMs: number
  /** The part of it before the first planned dispatch, ms. */
  readonly preparationMs: number
  readonly tiles: number
  readonly stolen: number
  readonly workers: readonly WorkerInfo[]
  /** Bars of workers; ms since the frame began. */
  readonly bars: readonly TimelineBar[]
  /** Why it took as long as it did, a sentence. */
  readonly why?: string
}

export interface TimelineBar {
  readonly worker: string
  readonly kind: Span['kind']
  readonly start: number
  readonly end: number
}

/** The frame with the median time among those whose spans were kept; undefined if there are none. */
export function timelineOf({ name, reports }: StrategyRun): FrameTimeline | undefined {
  const kept = reports.filter(({ spans }) => spans.some(({ worker }) => worker !== undefined))
  const ranked = kept.toSorted((a, b) => a.frameMs - b.frameMs || a.frame - b.frame)
  const median = ranked[(ranked.length - 1) >> 1]
  return median && timeline(name, median)
}

function timeline(strategy: string, report: FrameReport): FrameTimeline {
  const { frame, frameMs, preparationMs = 0, tiles, stolen, workers, spans } = report
  const beganAt = spans.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY)
  const bars = spans.flatMap(({ worker, kind, start, end }): TimelineBar[] =>
    worker === undefined ? [] : [{ worker, kind, start: start - beganAt, end: Math.max(start, end) - beganAt }],
  )
  // The clock of spans: a simulated or an older report may not say when it began.
  const compact = compactFrame({ ...report, beganAt: report.beganAt ?? beganAt }, 0, 0)
  const why = whySlow(wholeFrame(compact), area => workers[area]!.name).text
  return { strategy, frame, frameMs, preparationMs, tiles: tiles.length, stolen, workers, bars, why }
}
