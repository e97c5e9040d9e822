/**
 * How evenly a frame was distributed. Lin, Ren, Huang & Li, "Dynamic Load Balancing Method Based on PBT Tree", §II.A,
 * Eq. (1)–(3), extended to heterogeneous workers.
 */

/** Loads of one frame in ms: the slowest worker, the ideal share, and the relative excess of the former over the latter. */
export interface Imbalance {
  readonly criticalMs: number
  readonly meanMs: number
  readonly epsilon: number
}

/** Work given to one worker: nominal ms (as a worker of speed 1 would take), and its speed. */
export interface Share {
  readonly work: number
  readonly speed: number
}

/** T, T_min and ε of one frame; `shares` must include every worker that could have been given work, with work 0 if it got none. */
export function imbalance(shares: readonly Share[]): Imbalance {
  // Eq. (1): T = max_j Σ ω_i. Time is work over speed; a worker of speed 0 that was given nothing does not count.
  const criticalMs = Math.max(0, ...shares.filter(share => share.work > 0).map(({ work, speed }) => work / speed))
  const speed = sum(shares.map(share => share.speed))
  // Eq. (2): T_min = Σ ω_i / p, with Σ speed in place of p.
  const meanMs = speed > 0 ? sum(shares.map(share => share.work)) / speed : 0
  // Eq. (3): ε = (T − T_min) / T_min, negative only by rounding. A frame without work is perfectly balanced.
  return { criticalMs, meanMs, epsilon: meanMs > 0 ? Math.max(0, (criticalMs - meanMs) / meanMs) : 0 }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
