/** Emissive triangles, as `worker/engine/wasm/kernel/path/lights/triangle.ts`. */
import { MAPS } from '../../../../wasm/records/material.ts'

export const TRIANGLE = /* wgsl */ `
/* The triangle that is looked at from a point: corner a, also relative to the point, the edges from there, their cross product and its length. */
struct LookedAt {
  corner: vec3<f32>,
  a: vec3<f32>,
  u: vec3<f32>,
  v: vec3<f32>,
  g: vec3<f32>,
  twice: f32,
}

fn look_at(triangle: Triangle, place: vec3<f32>) -> LookedAt {
  let corner = vertex_at(triangle.vertex_a).position;
  let u = vertex_at(triangle.vertex_b).position - corner;
  let v = vertex_at(triangle.vertex_c).position - corner;
  let g = cross(u, v);
  return LookedAt(corner, corner - place, u, v, g, way_of(g).distance);
}

/* A cell of the triangle looked at; its solid angle is 0 if its points are chosen over its area. */
fn see_cell(looked: LookedAt, index: u32, side: u32) -> SeenTriangle {
  if (side == 1u) { return see_triangle(looked.a, looked.u, looked.v); }
  let on_a = point_of_cell(index, side, vec2<f32>());
  let to_b = point_of_cell(index, side, vec2<f32>(1.0, 0.0)) - on_a;
  let to_c = point_of_cell(index, side, vec2<f32>(0.0, 1.0)) - on_a;
  return see_triangle(
    looked.a + on_a.x * looked.u + on_a.y * looked.v,
    to_b.x * looked.u + to_b.y * looked.v,
    to_c.x * looked.u + to_c.y * looked.v,
  );
}

fn cell_area(looked: LookedAt, side: u32) -> f32 {
  return 0.5 * looked.twice / f32(side * side);
}

/* A direction to a point of a cell of an emissive triangle; the density is without that of its choice. */
fn sample_triangle(cell: u32, place: vec3<f32>, u: f32, v: f32) -> LightSample {
  let lit = read_lit_triangle(scene.lit_triangles + tables[scene.cells + cell] * LIT_TRIANGLE_WORDS);
  let triangle = parts_of(lit.triangle);
  let looked = look_at(triangle, place);
  let index = cell - lit.first_cell;
  let seen = see_cell(looked, index, lit.side);
  var weights = vec2<f32>();
  if (seen.solid > 0.0) {
    weights = weights_along(looked, point_on_seen(seen, u, v));
  } else {
    let root = sqrt(u);
    weights = point_of_cell(index, lit.side, vec2<f32>(root * (1.0 - v), root * v));
  }
  let way = way_of(looked.a + weights.x * looked.u + weights.y * looked.v);
  let cosine = abs(dot(way.direction, looked.g)) / looked.twice;
  if (!(cosine > 0.0)) { return no_light(); }
  var density = density_over(cell_area(looked, lit.side), way.distance, cosine);
  if (seen.solid > 0.0) { density = 1.0 / seen.solid; }
  let size = size_of(looked.corner) + max(size_of(looked.u), size_of(looked.v));
  return LightSample(way.direction, emission_of(triangle, weights), density, short_of(way.distance, cosine, size), 1.0);
}

/* The point of the triangle looked at that is in a direction: Moeller and Trumbore, Journal of Graphics Tools 2(1), 1997. */
fn weights_along(looked: LookedAt, direction: vec3<f32>) -> vec2<f32> {
  let h = cross(direction, looked.v);
  let q = cross(looked.u, looked.a);
  let along = dot(looked.u, h);
  if (along == 0.0) { return vec2<f32>(); }
  return weights_within(vec2<f32>(-dot(looked.a, h), dot(direction, q)) / along);
}

fn triangle_density(id: u32, on_b: f32, on_c: f32, place: vec3<f32>, distance: f32, cosine: f32) -> f32 {
  let found = lit_triangle(id);
  if (found == 0u) { return 0.0; }
  let lit = read_lit_triangle(found);
  let index = cell_at_point(lit.side, vec2<f32>(on_b, on_c));
  let chance = chance_of(scene.light_count + lit.first_cell + index, place);
  if (chance == 0.0) { return 0.0; }
  let looked = look_at(parts_of(id), place);
  let seen = see_cell(looked, index, lit.side);
  if (seen.solid > 0.0) { return chance / seen.solid; }
  return chance * density_over(cell_area(looked, lit.side), distance, max(abs(cosine), 1e-30));
}

/* The record of a triangle that shines; 0 if it is none. */
fn lit_triangle(id: u32) -> u32 {
  var low = 0u;
  var high = scene.lit_count;
  while (low < high) {
    let middle = (low + high) >> 1u;
    if (read_lit_triangle(scene.lit_triangles + middle * LIT_TRIANGLE_WORDS).triangle < id) { low = middle + 1u; } else { high = middle; }
  }
  if (low >= scene.lit_count) { return 0u; }
  let found = scene.lit_triangles + low * LIT_TRIANGLE_WORDS;
  return select(0u, found, read_lit_triangle(found).triangle == id);
}
`

/** Light that leaves a point of a triangle, as far as it is there: as materials and textures say, and holes. */
export const emission = ({
  textured,
  passes,
}: {
  readonly textured: boolean
  readonly passes: boolean
}): string => /* wgsl */ `
/* What the textures of a point's material say, too, on the finest level. */
fn emission_texel(surface: Surface, material: Material) -> vec3<f32> {
  ${textured ? EMISSION_MAP : ''}
  return vec3<f32>(1.0);
}

/* Of a point by its weights of corners b and c. */
fn emission_of(triangle: Triangle, weights: vec2<f32>) -> vec3<f32> {
  var surface: Surface;
  surface.triangle = triangle;
  surface.on_b = weights.x;
  surface.on_c = weights.y;
  let material = read_material(scene.materials + triangle.material * MATERIAL_WORDS);
  return material.emission * emission_texel(surface, material)${passes ? ' * coverage_at(surface, material)' : ''};
}
`

const EMISSION_MAP = /* wgsl */ `for (var i = 0u; i < material.map_count; i++) {
    let map = read_texture_use(material.maps + i * TEXTURE_USE_WORDS);
    if (map.name == ${MAPS.emission}u) { return look_up(map, surface, 0.0).xyz; }
  }`
