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
  /* The slot that it goes on from, as far away as t_min, or 0, and the address of its instance. */
  passed: vec2<u32>,
  /* Of the ray in the scene. */
  direction: vec3<f32>,
  /* The address of the instance that it is in, or 0, and by how much later than it is the ray may leave slabs there, and enter them earlier. */
  instance: u32,
  slack: vec3<f32>,
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
  own.direction = direction;
  own.inverse = inverse_of(direction);
  return own;
}

/* 1 / direction, never infinite; zero counts as positive, whatever its sign. */
fn inverse_of(direction: vec3<f32>) -> vec3<f32> {
  let sizes = abs(direction);
  let least = max(max(sizes.x, sizes.y), sizes.z) * SHORTER;
  let inverse = 1.0 / max(sizes, vec3<f32>(least));
  return select(inverse, -inverse, direction < vec3<f32>());
}
`
