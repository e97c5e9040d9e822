/** Random numbers for tests, the same for the same seed. */
import { hash32, unitOf } from '../../shared/math/random.ts'

/** Returns a function whose answers are uniform in [0, 1). */
export function randomNumbers(seed: number): () => number {
  let drawn = 0
  return () => unitOf(hash32(seed, drawn++))
}
