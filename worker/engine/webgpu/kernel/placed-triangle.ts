/**
 * The triangle that a ray has met, where it is in the scene, as `worker/engine/wasm/kernel/placed-triangle.ts`: in a mesh's coordinates, of an instance, nothing
 * is shaded.
 */
import { TANGENT_FLOATS } from '../../wasm/records/instances.ts'
import { ID, SLOT } from '../../wasm/records/mesh.ts'

/** @param wide whether the scene has instances */
export const placedTriangle = (wide: boolean): string => /* wgsl */ `
/* The number in memory of the triangle that was met. */
fn triangle_of(found: Answer) -> u32 {
  return found.id & ${ID.mask}u;
}

fn is_of_instance(found: Answer) -> bool {
  return found.instance != 0u;
}
${wide ? PLACED : STORED}`

/** Where all triangles are in the scene. */
const STORED = /* wgsl */ `
fn hit_parts(found: Answer) -> Triangle {
  return parts_of(triangle_of(found));
}

fn material_of(parts: Triangle, found: Answer) -> u32 {
  return scene.materials + parts.material * MATERIAL_WORDS;
}

fn place_vertex(number: u32, instance: u32) -> Vertex {
  return vertex_at(number);
}

fn number_of_hit(found: Answer) -> u32 {
  return triangle_of(found);
}

fn instance_object(found: Answer) -> u32 {
  return 0u;
}
`

const PLACED = /* wgsl */ `
/* Its vertices by their numbers, in the order that they have in the scene. */
fn hit_parts(found: Answer) -> Triangle {
  var parts = parts_of(triangle_of(found));
  if (found.instance != 0u && tables[instance_words(found.instance) + INSTANCE_MIRRORED] != 0u) {
    let b = parts.vertex_b;
    parts.vertex_b = parts.vertex_c;
    parts.vertex_c = b;
  }
  return parts;
}

/* Where its material is: a mesh has the numbers of slots. */
fn material_of(parts: Triangle, found: Answer) -> u32 {
  if (found.instance == 0u) { return scene.materials + parts.material * MATERIAL_WORDS; }
  return tables[tables[instance_words(found.instance) + INSTANCE_MATERIALS] + parts.material / ${SLOT.number}u];
}

/* Its number among all that the scene shows. */
fn number_of_hit(found: Answer) -> u32 {
  return number_in_scene(triangle_of(found), found.instance);
}

fn instance_object(found: Answer) -> u32 {
  return tables[instance_words(found.instance) + INSTANCE_OBJECT];
}

fn place_vertex(number: u32, instance: u32) -> Vertex {
  var own = vertex_at(number);
  if (instance == 0u) { return own; }
  let words = instance_words(instance);
  let place = words + INSTANCE_PLACE;
  let at = own.position;
  own.position = vec3<f32>(along(place, at), along(place + ROW_WORDS, at), along(place + 2u * ROW_WORDS, at));
  let normals = words + INSTANCE_NORMALS;
  let turned = vec3<f32>(
    dot(instance_vector(normals), own.normal),
    dot(instance_vector(normals + 3u), own.normal),
    dot(instance_vector(normals + 6u), own.normal),
  );
  own.normal = unit_of_vector(turned);
  return own;
}

/* One coordinate in the scene, by the operations of triangle4s. */
fn along(row: u32, at: vec3<f32>) -> f32 {
  return placed(row, vec4<f32>(at.x), vec4<f32>(at.y), vec4<f32>(at.z)).x;
}

/* Places may be so small, or large, that squares are not. */
fn unit_of_vector(v: vec3<f32>) -> vec3<f32> {
  let size = max(max(abs(v.x), abs(v.y)), abs(v.z));
  if (!(size > 0.0)) { return vec3<f32>(); }
  let own = v / size;
  return own * (1.0 / sqrt(dot(own, own)));
}
`

/** The tangents of its vertices. */
export const placedTangent = (wide: boolean): string => /* wgsl */ `
${
  wide
    ? PLACED_TANGENT
    : `fn place_tangent(vertex: u32, instance: u32) -> vec4<f32> {
  return tangent_of(vertex);
}`
}
`

const PLACED_TANGENT = /* wgsl */ `
fn row_at(at: u32) -> vec4<f32> {
  return bitcast<vec4<f32>>(vec4<u32>(tables[at], tables[at + 1u], tables[at + 2u], tables[at + 3u]));
}

/* A tangent goes with the surface; where that is mirrored, the bitangent changes sides. In units of 1/32767. */
fn place_tangent(vertex: u32, instance: u32) -> vec4<f32> {
  if (instance == 0u) { return tangent_of(vertex); }
  let words = instance_words(instance);
  let own = row_at(scene.mesh_tangents + vertex * ${TANGENT_FLOATS.bytes / 4}u);
  let place = words + INSTANCE_PLACE;
  let turned = unit_of_vector(vec3<f32>(
    dot(row_at(place).xyz, own.xyz),
    dot(row_at(place + ROW_WORDS).xyz, own.xyz),
    dot(row_at(place + 2u * ROW_WORDS).xyz, own.xyz),
  ));
  let mirrored = tables[words + INSTANCE_MIRRORED] != 0u;
  return 32767.0 * vec4<f32>(turned, select(-1.0, 1.0, (own.w < 0.0) == mirrored));
}
`
