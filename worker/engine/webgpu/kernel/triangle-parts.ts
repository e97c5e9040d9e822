/** Vertices by their numbers, as `worker/engine/wasm/kernel/triangle-parts.ts`. */
import { VERTEX } from '../../wasm/records/mesh.ts'

export const TRIANGLE_PARTS = /* wgsl */ `
struct Vertex {
  position: vec3<f32>,
  normal: vec3<f32>,
}

fn vertex_at(number: u32) -> Vertex {
  let at = number * ${VERTEX.bytes / 4}u;
  return Vertex(
    vec3<f32>(vertices[at], vertices[at + 1u], vertices[at + 2u]),
    vec3<f32>(vertices[at + 3u], vertices[at + 4u], vertices[at + 5u]),
  );
}
`
