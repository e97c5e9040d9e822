/** Values of a material's textures, and of vertex colours, at a hit point, as `worker/engine/wasm/kernel/surface/lookup.ts`. */
export const VERTEX_COLORS = /* wgsl */ `
/* Colour between those of the triangle's corners, and opacity. */
fn vertex_color(surface: Surface) -> vec4<f32> {
  let a = (1.0 - surface.on_b - surface.on_c) * color_of(surface.triangle.vertex_a);
  let b = surface.on_b * color_of(surface.triangle.vertex_b);
  let c = surface.on_c * color_of(surface.triangle.vertex_c);
  return clamp((a + b + c) * (1.0 / 65535.0), vec4<f32>(), vec4<f32>(1.0));
}

/* 65535 is 1. */
fn color_of(vertex: u32) -> vec4<f32> {
  let words = attributes[(scene.colors >> 1u) + vertex];
  return vec4<f32>((words.xxyy >> vec4<u32>(0u, 16u, 0u, 16u)) & vec4<u32>(0xffffu));
}
`

export const LOOKUP = /* wgsl */ `
/* @param seen what is seen of the surface, over twice its triangle's area; 0 for the finest level */
fn look_up(map: TextureUse, surface: Surface, seen: f32) -> vec4<f32> {
  let second = map.set_ != 0u && scene.uv2 != 0u;
  let a = coordinates_of(surface.triangle.vertex_a, second);
  let b = coordinates_of(surface.triangle.vertex_b, second);
  let c = coordinates_of(surface.triangle.vertex_c, second);
  let place = vec3<f32>((1.0 - surface.on_b - surface.on_c) * a + surface.on_b * b + surface.on_c * c, 1.0);
  let ab = b - a;
  let ac = c - a;
  let area = seen * abs(ab.x * ac.y - ac.x * ab.y) * map.stretch;
  return texture_at(map.texture, level_for(map.texture, area), dot(map.transform[0], place), dot(map.transform[1], place));
}

fn coordinates_of(vertex: u32, second: bool) -> vec2<f32> {
  return bitcast<vec2<f32>>(attributes[(select(scene.uv, scene.uv2, second) >> 1u) + vertex]);
}
`
