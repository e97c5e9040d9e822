/** How much of a surface a ray stands for, as `worker/engine/wasm/kernel/surface/cone.ts`. */
export const CONE = /* wgsl */ `
const FLATTEST_COSINE = 1.0 / 16.0;

fn packed_cone(width: f32, spread: f32) -> u32 {
  return (bitcast<u32>(width) & 0xffff0000u) | (bitcast<u32>(spread) >> 16u);
}

fn width_of(cone: u32) -> f32 {
  return bitcast<f32>(cone & 0xffff0000u);
}

fn spread_of(cone: u32) -> f32 {
  return bitcast<f32>(cone << 16u);
}

/* The area that is seen of a surface, over twice the area of its triangle; the cone has a width at the ray's origin. */
fn seen_of(surface: Surface, width: f32, spread: f32) -> f32 {
  let across = width + spread * surface.distance;
  let cosine = max(FLATTEST_COSINE, -dot(surface.d, surface.g));
  return across * across / (cosine * twice_area(surface.triangle, surface.instance));
}

fn twice_area(triangle: Triangle, instance: u32) -> f32 {
  let a = place_vertex(triangle.vertex_a, instance).position;
  let b = place_vertex(triangle.vertex_b, instance).position;
  let c = place_vertex(triangle.vertex_c, instance).position;
  let area = cross(b - a, c - a);
  return sqrt(dot(area, area));
}
`
