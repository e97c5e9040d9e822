/**
 * Limits how far a split follows the costs from its last position: damping, boundary and resistance, as in Equalizer's
 * load balancer (Eilemann, Makhinya & Pajarola, "Equalizer: A Scalable Parallel Rendering Framework", TVCG 2009).
 */
import type { StrategyOptions } from '../../../shared/session/strategy-options.ts'

export type SplitRules = Pick<StrategyOptions, 'damping' | 'boundary' | 'resistance'>

/** Splits follow the costs exactly. */
export const FREE_SPLITS: SplitRules = { damping: 0, boundary: 1, resistance: 0 }

/** Position of a split that the costs place at `goal` and that was at `last`, if it existed; px of the frame. */
export function settleSplit(goal: number, last: number | undefined, rules: SplitRules): number {
  const { damping, boundary, resistance } = rules
  const damped = last === undefined ? goal : blend(goal, last, damping)
  const bounded = Math.round(damped / boundary) * boundary
  return last !== undefined && Math.abs(bounded - last) < resistance ? last : bounded
}

/** Rounded towards the goal: otherwise a heavily damped split would stop short, moving less than a pixel per frame. */
function blend(goal: number, last: number, damping: number): number {
  const at = goal + (last - goal) * damping
  return goal > last ? Math.ceil(at) : Math.floor(at)
}
