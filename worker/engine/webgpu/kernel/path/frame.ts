/**
 * The local frame of a surface, as `worker/engine/wasm/kernel/path/frame.ts`: its columns are two tangents and the normal, z. Lobes answer in that of
 * the hit at hand.
 */
export const FRAME = /* wgsl */ `
var<private> frame: mat3x3<f32>;

/* Of a unit vector. */
fn frame_of(n: vec3<f32>) -> mat3x3<f32> {
  let side = select(1.0, -1.0, n.z < 0.0);
  let a = -1.0 / (side + n.z);
  let b = n.x * n.y * a;
  return mat3x3<f32>(
    vec3<f32>(1.0 + side * n.x * n.x * a, side * b, -side * n.x),
    vec3<f32>(b, side + n.y * n.y * a, -n.y),
    n,
  );
}

fn set_frame(n: vec3<f32>) { frame = frame_of(n); }

fn local(v: vec3<f32>) -> vec3<f32> { return v * frame; }

fn world(v: vec3<f32>) -> vec3<f32> { return frame * v; }

fn point_around(n: vec3<f32>, v: vec3<f32>) -> vec3<f32> { return frame_of(n) * v; }
`
