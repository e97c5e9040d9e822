/**
 * Stateless random numbers: each is a hash of what it is used for, so it cannot depend on the tile, worker or thread.
 * Integer arithmetic modulo 2^32 only: the same bits on every machine and in wasm.
 *
 * The mixer is the PCG output permutation as a hash: Jarzynski and Olano, "Hash Functions for GPU Rendering",
 * JCGT 9(3), 2020, listing of `pcg` (after O'Neill, "PCG", 2014).
 */

/** A 32-bit hash (0 to 2^32 - 1) of up to five integers; only their low 32 bits count, and their order matters. */
export function hash32(a: number, b = 0, c = 0, d = 0, e = 0): number {
  return pcg(e + pcg(d + pcg(c + pcg(b + pcg(a))))) >>> 0
}

/** Maps 32 bits, signed or not, to [0, 1); exact in a double. */
export const unitOf = (bits: number): number => (bits >>> 0) / 4294967296

function pcg(value: number): number {
  const state = (Math.imul(value, 747796405) + 2891336453) | 0
  const word = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737)
  return (word >>> 22) ^ word
}
