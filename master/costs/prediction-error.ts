/** The error of predicted costs relative to measured ones. */
import type { CostMap } from './cost-map.ts'

/**
 * Σ|expected − measured| / Σ measured over the cells, with expected costs scaled to the measured sum: a balancer needs to know
 * where the work is, not how much there is. 0 is perfect; undefined if nothing was expected or measured, or if the cells differ.
 */
export function predictionError(expected: CostMap, measured: CostMap): number | undefined {
  if (expected.cell !== measured.cell || expected.costs.length !== measured.costs.length) return undefined
  const total = measured.total
  const scale = total / expected.total
  if (!(total > 0) || !Number.isFinite(scale)) return undefined
  let off = 0
  for (let i = 0; i < measured.costs.length; i++) off += Math.abs(expected.costs[i]! * scale - measured.costs[i]!)
  return off / total
}
