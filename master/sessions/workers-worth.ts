/**
 * How many workers the work in hand is worth: so many that it is done in the time that it may take. Pure; autoscalers read the result
 * (`GET /metrics`, `GET /healthz`), and add workers or take them away.
 */

/** What a session has to do. */
export interface Demand {
  /** A film has an end; a viewer may want another frame at any time. */
  readonly kind: 'film' | 'viewer'
  /** What a worker of speed 1 would take for a frame of it, ms; undefined: nothing is known of it yet. */
  readonly frameWorkMs: number | undefined
  /** Frames that are not complete, less what is done of the one in progress. */
  readonly framesLeft: number
  /** Since it began, ms. */
  readonly ageMs: number
  /** It does not begin with fewer. */
  readonly leastWorkers: number
}

/** What it may take. With neither, films have `USUAL_DONE_MS`, and frames of a viewer `USUAL_FRAME_MS`. */
export interface WorkTargets {
  /** For a frame, ms. */
  readonly frameMs?: number | undefined
  /** For a film, from its beginning, ms. */
  readonly doneMs?: number | undefined
  /** No more workers are wanted: no more can connect. */
  readonly mostWorkers: number
}

export const USUAL_DONE_MS = 600_000
export const USUAL_FRAME_MS = 1000

/** A film that is late is to be done in this share of its time, from then on: the shorter the rest, the more workers it would want, without end. */
const LEAST_SHARE = 0.1

/** @param workerSpeed of a worker, the mean; 1 = nominal */
export function workersWorth(demands: readonly Demand[], targets: WorkTargets, workerSpeed: number): number {
  if (demands.length === 0) return 0
  const speed = demands.reduce((sum, demand) => sum + speedFor(demand, targets), 0)
  // Sums of what should be a whole number differ from it in their last bits.
  const enough = Math.ceil((speed / workerSpeed) * (1 - 1e-9))
  const least = Math.max(1, ...demands.map(({ leastWorkers }) => leastWorkers))
  return Math.min(targets.mostWorkers, Math.max(least, enough))
}

/** The speed of all of its workers together that makes it in time. */
function speedFor({ kind, frameWorkMs, framesLeft, ageMs }: Demand, { frameMs, doneMs }: WorkTargets): number {
  if (frameWorkMs === undefined) return 0
  if (kind === 'viewer') return frameWorkMs / (frameMs ?? USUAL_FRAME_MS)
  const ofFrame = frameMs === undefined ? 0 : frameWorkMs / frameMs
  const wholeMs = doneMs ?? (frameMs === undefined ? USUAL_DONE_MS : Number.POSITIVE_INFINITY)
  const restMs = Math.max(wholeMs - ageMs, wholeMs * LEAST_SHARE)
  return Math.max(ofFrame, (frameWorkMs * framesLeft) / restMs)
}

/** What autoscalers are told, which does not follow every frame. */
export interface Wanted {
  readonly workers: number
  /** What the work was worth lately, each more than what came after it; ms. */
  readonly peaks: readonly { readonly at: number; readonly workers: number }[]
}

export const NONE_WANTED: Wanted = { workers: 0, peaks: [] }

/** Fewer are wanted when the work has been worth fewer for so long: a pause between two films, or a cheap frame, is no reason to send any away. */
export const HOLD_MS = 30_000
/** A change by less is none: a share of the workers that are wanted. */
const DEAD_BAND = 0.1

/** More workers are wanted at once, fewer after `HOLD_MS`. @param worth of the work now @param now ms */
export function wantedNext(before: Wanted, worth: number, now: number): Wanted {
  const peaks = [
    ...before.peaks.filter(({ at, workers }) => workers > worth && now - at < HOLD_MS),
    { at: now, workers: worth },
  ]
  const peak = peaks[0]!.workers
  const isNear = peak > 0 && Math.abs(peak - before.workers) <= before.workers * DEAD_BAND
  return { workers: isNear ? before.workers : peak, peaks }
}
