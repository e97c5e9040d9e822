/**
 * The elements that the BVH builder sorts: one record of eight words per triangle, so that every pass over a range reads
 * memory in order.
 *
 *     f32 min[3] | u32 id | f32 max[3] | unused
 */
import type { Triangles } from '../../../shared/scene/bake.ts'

/** Two views of the same memory. */
export interface Records {
  readonly floats: Float32Array
  readonly words: Uint32Array
}

export const RECORD_WORDS = 8
export const RECORD_MIN = 0
export const RECORD_ID = 3
export const RECORD_MAX = 4

/** Records of all triangles in the scene's order. */
export function makeRecords({ positions, indices }: Triangles): Records {
  const triangles = indices.length / 3
  const floats = new Float32Array(triangles * RECORD_WORDS)
  const words = new Uint32Array(floats.buffer)
  for (let id = 0; id < triangles; id++) {
    const a = indices[id * 3]! * 3
    const b = indices[id * 3 + 1]! * 3
    const c = indices[id * 3 + 2]! * 3
    const at = id * RECORD_WORDS
    for (let axis = 0; axis < 3; axis++) {
      const [p, q, r] = [positions[a + axis]!, positions[b + axis]!, positions[c + axis]!]
      floats[at + RECORD_MIN + axis] = Math.min(p, q, r)
      floats[at + RECORD_MAX + axis] = Math.max(p, q, r)
    }
    words[at + RECORD_ID] = id
  }
  return { floats, words }
}

/** Swaps two records. As integers: moving a word must preserve its bits. */
export function swapRecords({ words }: Records, i: number, j: number): void {
  const a = i * RECORD_WORDS
  const b = j * RECORD_WORDS
  for (let k = 0; k < RECORD_WORDS - 1; k++) {
    const word = words[a + k]!
    words[a + k] = words[b + k]!
    words[b + k] = word
  }
}
