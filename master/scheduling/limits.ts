/** How patient a frame is, and how much it gives one worker at a time. */

export interface SchedulerLimits {
  /** Tiles one worker may hold: the second travels while the first is traced. */
  readonly leasesPerWorker: number
  /** A tile is late when it is out for longer than this and than four times the longest finished one, ms. */
  readonly lateAfterMs: number
  /** How often the same pixels may fail before the frame is given up. */
  readonly maxFailures: number
  /** What a tile's order and its answer take on the wire, ms, as far as it is known. */
  readonly roundTripMs: number
}

export const DEFAULT_LIMITS: SchedulerLimits = {
  leasesPerWorker: 2,
  lateAfterMs: 15_000,
  maxFailures: 3,
  roundTripMs: 2,
}
