/**
 * How far a split may follow the costs, given where it was: damping, boundary and resistance, as Equalizer's load balancer
 * has them (Eilemann, Makhinya & Pajarola, "Equalizer: A Scalable Parallel Rendering Framework", TVCG 2009).
 */
import type { StrategyOptions } from '../../shared/strategy-options.ts'

export type SplitRules = Pick<StrategyOptions, 'damping' | 'boundary' | 'resistance'>

/** The split goes where the costs ask for it. */
export const FREE_SPLITS: SplitRules = { damping: 0, boundary: 1, resistance: 0 }

/** Where a split shall fall that the costs want at `goal` and that was at `last`, if it was anywhere; px of the frame. */
export function settleSplit(goal: number, last: number | undefined, rules: SplitRules): number {
  const { damping, boundary, resistance } = rules
  const damped = last === undefined ? goal : blend(goal, last, damping)
  const bounded = Math.round(damped / boundary) * boundary
  return last !== undefined && Math.abs(bounded - last) < resistance ? last : bounded
}

/** Rounded towards the goal: a split that is held back much would otherwise stop on the way, less than a pixel a frame. */
function blend(goal: number, last: number, damping: number): number {
  const at = goal + (last - goal) * damping
  return goal > last ? Math.ceil(at) : Math.floor(at)
}
