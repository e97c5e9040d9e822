/** Random numbers as hashes of what they are used for; counterpart of `shared/math/random.ts`. */

/** `hash32` of three integers. */
export function hash32(a: u32, b: u32, c: u32): u32 {
  return pcg(pcg(pcg(c + pcg(b + pcg(a)))))
}

function pcg(value: u32): u32 {
  const state = value * 747796405 + 2891336453
  const word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737
  return (word >> 22) ^ word
}
