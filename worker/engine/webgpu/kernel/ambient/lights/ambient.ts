/** The sky as a light, as `worker/engine/wasm/kernel/ambient/lights/ambient.ts`. */
export const AMBIENT = /* wgsl */ `
const MIN_LENGTH = 1e-6;

fn ambient_rays_at(depth: u32) -> u32 {
  return select(max(1u, view.ambient_rays >> 1u), view.ambient_rays, depth == 0u || view.ambient_rays == 0u);
}

/* Number of shadow rays for the sky's light that a surface reflects; without any it is added at once, as far as an occlusion texture lets it through. */
fn add_ambient(surface: Surface, material: Material, weight: vec3<f32>, path: u32) -> u32 {
  if (view.ambient_rays == 0u) { accumulate(weight * material.open * sky_at(surface.n.y)); }
  return ambient_rays_at(depth_of_path(path));
}

fn append_ambient(lit: Lit, ray: u32, shadow: ptr<function, Shadow>) -> bool {
  let rays = ambient_rays_at(depth_of_path(lit.path));
  let index = sequence * rays + ray;
  /* A point on the unit sphere around the tip of the normal. */
  let height = 1.0 - 2.0 * unit_of(index, R2_FIRST, hash32(view.frame, lit.path, 0u));
  let round_about = on_circle(unit_of(index, R2_SECOND, hash32(view.frame, lit.path, 1u))) * sqrt(1.0 - height * height);
  var d = lit.n + vec3<f32>(round_about.x, height, round_about.y);
  d -= 2.0 * min(0.0, dot(d, lit.g)) * lit.g;
  let length = sqrt(dot(d, d));
  (*shadow).direction = d * (1.0 / length);
  (*shadow).light = lit.weight * (1.0 / f32(rays));
  return length >= MIN_LENGTH;
}
`
