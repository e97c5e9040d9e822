/** What the steps need of a ray, as `worker/engine/wasm/kernel/trace/ray-context.ts` has it. */
export const RAY_CONTEXT = /* wgsl */ `
struct Context {
  origin: vec3<f32>,
  inverse: vec3<f32>,
  axes: vec3<u32>,
  turned: vec3<f32>,
  shear: vec2<f32>,
  scale: f32,
  t_min: u32,
  shadow: bool,
  /* The slot that it goes on from, as far away as t_min, or 0. */
  passed: u32,
}

/* Of the longest component, what replaces shorter ones in box tests. */
const SHORTER = 0x1p-60f;

/* Sets up the traversal; false if the CPU has to trace the ray. */
fn enter(ray: Context, direction: vec3<f32>) -> Context {
  var own = ray;
  let size = bitcast<vec3<u32>>(direction) & vec3<u32>(MAGNITUDE);
  let kz = select(select(2u, 1u, size.y >= size.z), select(2u, 0u, size.x >= size.z), size.x >= size.y);
  own.axes = (vec3<u32>(1u, 2u, 0u) + kz) % 3u;
  own.turned = vec3<f32>(ray.origin[own.axes.x], ray.origin[own.axes.y], ray.origin[kz]);
  let longest = bitcast<u32>(direction[kz]);
  own.scale = bitcast<f32>(quotients(vec4<u32>(0x3f800000u), vec4<u32>(longest)).x | (longest & 0x80000000u));
  let shear = product(
    vec4<f32>(direction[own.axes.x], direction[own.axes.y], 0.0, 0.0),
    vec4<f32>(own.scale),
  );
  own.shear = shear.xy;
  let least = abs(direction[kz]) * SHORTER;
  let inverse = 1.0 / max(abs(direction), vec3<f32>(least));
  own.inverse = bitcast<vec3<f32>>(bitcast<vec3<u32>>(inverse) | (bitcast<vec3<u32>>(direction) & vec3<u32>(0x80000000u)));
  return own;
}
`
