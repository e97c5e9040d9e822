/**
 * GGX microfacets, as `worker/engine/wasm/kernel/path/lobes/ggx.ts`. Those with one width are stretched ones with two equal widths: both need not have the
 * bytes of formulas of their own.
 */
export const GGX = /* wgsl */ `
const PI = 3.141592653589793;

fn stretched_d(alpha: vec2<f32>, m: vec3<f32>) -> f32 {
  let u = m.xy / alpha;
  let spread = dot(u, u) + m.z * m.z;
  return 1.0 / (PI * alpha.x * alpha.y * spread * spread);
}

fn stretched_lambda(alpha: vec2<f32>, v: vec3<f32>) -> f32 {
  let u = alpha * v.xy;
  return 0.5 * (sqrt(1.0 + dot(u, u) / max(v.z * v.z, 1e-30)) - 1.0);
}

/* v is a multiple of 2^-24: so no digit is lost of 1 - v, nor of the circle's radius, where the kernel has 1 - height². */
fn choose_stretched_facet(alpha: vec2<f32>, o: vec3<f32>, circle: vec2<f32>, v: f32) -> vec3<f32> {
  let s = normalize(vec3<f32>(alpha * o.xy, o.z));
  let below = v * (1.0 + s.z);
  let across = sqrt(max(0.0, below * (2.0 - below))) * circle + s.xy;
  let m = vec3<f32>(alpha * across, max(0.0, (1.0 - v) * (1.0 + s.z)));
  let square = dot(m, m);
  return select(vec3<f32>(0.0, 0.0, 1.0), m * inverseSqrt(max(square, 1e-30)), square > 1e-30);
}

fn mirrored_at(m: vec3<f32>, o: vec3<f32>) -> vec3<f32> { return 2.0 * dot(o, m) * m - o; }
`
