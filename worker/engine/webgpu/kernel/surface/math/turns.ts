/** Cosine and sine of 0 to 1 turns, as `worker/engine/wasm/kernel/surface/math/turns.ts`: a driver's own may be off by far more. */
export const TURNS = /* wgsl */ `
const TAU = 6.283185307179586;

fn on_circle(turns: f32) -> vec2<f32> {
  let quarter = floor(turns * 4.0 + 0.5);
  let x = (turns - quarter * 0.25) * TAU;
  let s = x * x;
  let sine = x + x * s * (((1.0 / 362880.0 * s - 1.0 / 5040.0) * s + 1.0 / 120.0) * s - 1.0 / 6.0);
  let cosine = 1.0 - s * 0.5 + s * s * (((1.0 / 40320.0) * s - 1.0 / 720.0) * s + 1.0 / 24.0);
  let phase = u32(quarter) & 3u;
  let near = select(vec2<f32>(cosine, sine), vec2<f32>(-sine, cosine), (phase & 1u) != 0u);
  return select(near, -near, (phase & 2u) != 0u);
}
`
