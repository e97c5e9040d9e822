/** Hashes, as `worker/engine/wasm/kernel/surface/math/random.ts`: integers, the same bits. */
export const RANDOM = /* wgsl */ `
fn hash32(a: u32, b: u32, c: u32) -> u32 {
  return pcg(pcg(pcg(c + pcg(b + pcg(a)))));
}

fn pcg(value: u32) -> u32 {
  let state = value * 747796405u + 2891336453u;
  let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}
`
