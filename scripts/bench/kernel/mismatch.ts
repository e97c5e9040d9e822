/** Whether two engines mean the same by a hit. */
import type { RayKind } from './ray-sets.ts'

/** Distances may differ by so much of themselves: floats, and formulas that round otherwise. */
const TOLERANCE = 1e-3

/** Share of the rays that meet something in one list and nothing in the other, or something else. */
export function mismatchShare(kind: RayKind, answers: Float32Array, expected: Float32Array): number {
  let mismatches = 0
  for (let i = 0; i < expected.length; i++) {
    const hit = Number.isFinite(answers[i]!)
    if (hit !== Number.isFinite(expected[i]!)) mismatches++
    else if (hit && kind !== 'shadow' && Math.abs(answers[i]! - expected[i]!) > TOLERANCE * expected[i]!) mismatches++
  }
  return mismatches / Math.max(1, expected.length)
}
