/** Reproducible noise: how much longer or shorter a tile takes than expected. */
import { hash32, unitOf } from '../../shared/math/random.ts'

/** A tile takes at least this share of its expected time. */
const LEAST = 0.1

/**
 * An approximately normal factor around 1 with this standard deviation: a sum of twelve uniform numbers (Irwin 1927, Hall 1927).
 */
export function noiseFactor(deviation: number, seed: number, lease: number): number {
  if (deviation === 0) return 1
  let sum = -6
  for (let i = 0; i < 12; i++) sum += unitOf(hash32(seed, lease, i))
  return Math.max(LEAST, 1 + deviation * sum)
}
