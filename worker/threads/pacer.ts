/**
 * Pacing: holding a thread to a share of a core, so that one machine can stand for several slower ones and wall times
 * mean what they would there.
 */

/**
 * How long a thread must pause, ms, that has used `cpuUsedMs` since its tile began `elapsedMs` ago and may use `share` of a
 * core (above 0; 1 or more never pauses). A thread that is late owes nothing: a paced tile takes CPU time / share, and
 * the next tile starts afresh.
 */
export function pauseMs(cpuUsedMs: number, elapsedMs: number, share: number): number {
  if (share >= 1) return 0
  return Math.max(0, cpuUsedMs / share - elapsedMs)
}
