/** The sky as a light, as `worker/engine/wasm/kernel/ambient/lights/ambient.ts`. */
export const AMBIENT = /* wgsl */ `
const MIN_LENGTH = 1e-6;

fn ambient_rays_at(depth: u32) -> u32 {
  return select(max(1u, view.ambient_rays >> 1u), view.ambient_rays, depth == 0u || view.ambient_rays == 0u);
}

fn add_ambient(surface: Surface, material: Material, weight: vec3<f32>, path: Path) {
  if (view.ambient_rays == 0u) {
    accumulate(weight * material.open * sky_at(surface.n.y));
    return;
  }
  let rays = ambient_rays_at(depth_of_path(path.path));
  let first_shift = hash32(view.frame, path.path, 0u);
  let second_shift = hash32(view.frame, path.path, 1u);
  let light = weight * (1.0 / f32(rays));
  for (var ray = 0u; ray < rays; ray++) {
    let index = path.sequence * rays + ray;
    /* A point on the unit sphere around the tip of the normal. */
    let height = 1.0 - 2.0 * unit_of(index, R2_FIRST, first_shift);
    let round_about = on_circle(unit_of(index, R2_SECOND, second_shift)) * sqrt(1.0 - height * height);
    var d = surface.n + vec3<f32>(round_about.x, height, round_about.y);
    d -= 2.0 * min(0.0, dot(d, surface.g)) * surface.g;
    let length = sqrt(dot(d, d));
    if (!(length >= MIN_LENGTH)) { continue; }
    d *= 1.0 / length;
    let open = openness(surface.lit, d);
    accumulate(light * (vec3<f32>(open) + (1.0 - open) * BLOCKED_SHARE * material.color.xyz) * sky_at(d.y));
  }
}
`
