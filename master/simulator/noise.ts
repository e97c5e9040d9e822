/** Chance that can be repeated: how much longer or shorter a tile takes than it should. */
import { hash32, unitOf } from '../../shared/math/random.ts'

/** Below this share of its time no tile ends. */
const LEAST = 0.1

/** A factor around 1 with this standard deviation, near enough normal: a sum of twelve even numbers (Irwin 1927, Hall 1927). */
export function noiseFactor(deviation: number, seed: number, lease: number): number {
  if (deviation === 0) return 1
  let sum = -6
  for (let i = 0; i < 12; i++) sum += unitOf(hash32(seed, lease, i))
  return Math.max(LEAST, 1 + deviation * sum)
}
