/** Whether two engines find the same hits. */
import { asksForAnyHit, type RayKind } from './rays/ray-kinds.ts'

/** Relative tolerance of distances: floats, and formulas with different rounding. */
const TOLERANCE = 1e-3

/** Share of rays that hit something in only one of the lists, or at a different distance. */
export function mismatchShare(kind: RayKind, answers: Float32Array, expected: Float32Array): number {
  const anyHit = asksForAnyHit(kind)
  let mismatches = 0
  for (let i = 0; i < expected.length; i++) {
    const hit = Number.isFinite(answers[i]!)
    if (hit !== Number.isFinite(expected[i]!)) mismatches++
    else if (hit && !anyHit && Math.abs(answers[i]! - expected[i]!) > TOLERANCE * expected[i]!) mismatches++
  }
  return mismatches / Math.max(1, expected.length)
}
