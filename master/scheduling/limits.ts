/** Timeouts of a frame, and how much work one worker may hold at a time. */

export interface SchedulerLimits {
  /** Tiles of its own that a worker may hold at once: the second travels while the first is traced. */
  readonly leasesPerWorker: number
  /** Minimum time before a tile can be late, however short its expected time, ms. */
  readonly lateAfterMs: number
  /** A worker that holds a tile and is silent for this long, or for three times as long as its rows should take, is considered hung, ms. */
  readonly silentAfterMs: number
  /** The frame is given up when the same pixels fail on this many different workers, or this often on all that are left. */
  readonly maxFailures: number
  /** Time that a tile's order and its answer spend on the wire, ms, as far as known. */
  readonly roundTripMs: number
  /** Preparation time of the next frame, ms; absent if it may not begin before this one is complete. */
  readonly nextFrameMs?: number
}

export const DEFAULT_LIMITS: SchedulerLimits = {
  leasesPerWorker: 2,
  lateAfterMs: 500,
  silentAfterMs: 15_000,
  maxFailures: 3,
  roundTripMs: 2,
}
