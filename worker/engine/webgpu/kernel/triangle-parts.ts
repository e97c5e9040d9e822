/** Triangles and vertices by their numbers, as `worker/engine/wasm/kernel/triangle-parts.ts`. */
import { VERTEX } from '../../wasm/records/mesh.ts'

export const TRIANGLE_PARTS = /* wgsl */ `
/* Numbers of its vertices, and of its material. */
struct Triangle {
  vertex_a: u32,
  vertex_b: u32,
  vertex_c: u32,
  material: u32,
}

fn parts_of(id: u32) -> Triangle {
  let at = id * (scene.triangle_bytes >> 2u);
  let bits = scene.vertex_bits;
  let last = 8u * scene.triangle_bytes - bits;
  return Triangle(
    triangle_number(at, 0u, bits),
    triangle_number(at, bits, bits),
    triangle_number(at, last, bits),
    triangle_number(at, last - scene.material_bits, scene.material_bits),
  );
}

/* A number of fewer than 32 bits, from a bit of the words of a triangle on. */
fn triangle_number(at: u32, bit: u32, bits: u32) -> u32 {
  let word = at + (bit >> 5u);
  let shift = bit & 31u;
  var number = triangles[word] >> shift;
  if (shift + bits > 32u) { number |= triangles[word + 1u] << (32u - shift); }
  return number & ((1u << bits) - 1u);
}

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
