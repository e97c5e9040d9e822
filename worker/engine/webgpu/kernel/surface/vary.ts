/** Materials that vary over a surface, as `worker/engine/wasm/kernel/surface/vary.ts`: by the colours of vertices. */
import { VARIES } from '../../../wasm/records/material.ts'

export const VARY = /* wgsl */ `
fn color_of(vertex: u32) -> vec3<f32> {
  let words = attributes[(scene.colors >> 1u) + vertex];
  return vec3<f32>(f32(words.x & 0xffffu), f32(words.x >> 16u), f32(words.y & 0xffffu));
}

fn vary(surface: Surface) -> Material {
  var own = read_material(surface.material);
  if ((own.varies & ${VARIES.byVertexColors}u) != 0u) {
    let a = (1.0 - surface.on_b - surface.on_c) * color_of(surface.triangle.vertex_a);
    let b = surface.on_b * color_of(surface.triangle.vertex_b);
    let c = surface.on_c * color_of(surface.triangle.vertex_c);
    own.color *= vec4<f32>(clamp((a + b + c) * (1.0 / 65535.0), vec3<f32>(), vec3<f32>(1.0)), 1.0);
  }
  return own;
}
`
