/** How patient a frame is, and how much it gives one worker at a time. */

export interface SchedulerLimits {
  /** Tiles of its own that one worker may hold: the second travels while the first is traced. */
  readonly leasesPerWorker: number
  /** However little was expected of it, no tile is late before it has been traced for so long, ms. */
  readonly lateAfterMs: number
  /** Who gives no sign of life for so long while it holds a tile is hung, ms. */
  readonly silentAfterMs: number
  /** On how many workers the same pixels may fail, or how often on all that are left, before the frame is given up. */
  readonly maxFailures: number
  /** What a tile's order and its answer take on the wire, ms, as far as it is known. */
  readonly roundTripMs: number
  /** How long the next frame is prepared, ms, where it may begin before this one is whole; absent: it may not. */
  readonly nextFrameMs?: number
}

export const DEFAULT_LIMITS: SchedulerLimits = {
  leasesPerWorker: 2,
  lateAfterMs: 500,
  silentAfterMs: 15_000,
  maxFailures: 3,
  roundTripMs: 2,
}
