/** Normals from textures, as `worker/engine/wasm/kernel/surface/tangent.ts`. */
export const TANGENT = /* wgsl */ `
const MIN_FACING = 1.0 / 64.0;

/* The tangent at a hit point, a unit vector or zeros, and 1 or -1 for the side of the bitangent. */
fn tangent_at(surface: Surface) -> vec4<f32> {
  if (scene.tangents == 0u) { return vec4<f32>(); }
  let a = place_tangent(surface.triangle.vertex_a, surface.instance);
  let b = place_tangent(surface.triangle.vertex_b, surface.instance);
  let c = place_tangent(surface.triangle.vertex_c, surface.instance);
  let sum = ((1.0 - surface.on_b - surface.on_c) * a + surface.on_b * b + surface.on_c * c).xyz;
  let length = sqrt(dot(sum, sum));
  if (!(length > 0.0)) { return vec4<f32>(); }
  return vec4<f32>(sum * (1.0 / length), select(1.0, -1.0, a.w < 0.0));
}

/* In units of 1/32767. */
fn tangent_of(vertex: u32) -> vec4<f32> {
  let words = bitcast<vec2<i32>>(attributes[(scene.tangents >> 1u) + vertex]);
  return vec4<f32>((words.xxyy << vec4<u32>(16u, 0u, 16u, 0u)) >> vec4<u32>(16u));
}

/* The shading normal turned by a normal map, whose texel is from 0 to 1; bent to face the viewer and the triangle's own side. */
fn turned_normal(surface: Surface, tangent: vec4<f32>, texel: vec4<f32>, scale: vec2<f32>) -> vec3<f32> {
  if (tangent.w == 0.0) { return surface.n; }
  /* The frame of a back side is that of the front, seen from behind: all three point the other way. */
  let t = tangent.xyz * surface.side;
  let b = cross(surface.n, t) * (tangent.w * surface.side);
  let way = 2.0 * texel.xyz - 1.0;
  var m = way.x * scale.x * t + way.y * scale.y * b + way.z * surface.n;
  let length = sqrt(dot(m, m));
  if (!(length > 1e-6)) { return surface.n; }
  m /= length;
  m -= min(0.0, dot(m, surface.g) - MIN_FACING) * surface.g;
  m += min(0.0, -dot(m, surface.d) - MIN_FACING) * surface.d;
  return m * (1.0 / sqrt(dot(m, m)));
}
`
