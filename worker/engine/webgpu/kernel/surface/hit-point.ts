/** The hit point of a ray on a triangle, as `worker/engine/wasm/kernel/surface/hit-point.ts`, one at a time. */
export const HIT_POINT = /* wgsl */ `
struct Surface {
  point: vec3<f32>,
  d: vec3<f32>,
  g: vec3<f32>,
  n: vec3<f32>,
  lit: vec3<f32>,
  offset: f32,
  side: f32,
  on_b: f32,
  on_c: f32,
  distance: f32,
  triangle: Triangle,
  /* The address of the instance that it is of, or 0. */
  instance: u32,
  /* Where its Material is in the tables. */
  material: u32,
}

const OFFSET = 1.0 / 1048576.0;
const MIN_COSINE = 1.0 / 1024.0;
/* Squares of edges that are neither too short nor too long for the square of an area to be a float. */
const SHORT_EDGE = 1.0 / 16777216.0;
const LONG_EDGE = 1152921504606846976.0;
const LEAST_SQUARE = 1e-37;

fn largest_of(a: vec3<f32>) -> f32 {
  return max(max(abs(a.x), abs(a.y)), abs(a.z));
}

/* Twice how far it is along a corner's normal up to the corner's tangent plane, from below. */
fn depth_under(n: vec3<f32>, side: f32, way: vec3<f32>) -> f32 {
  let height = dot(way, n);
  return side * abs(height) - height;
}

fn meet(origin: vec3<f32>, direction: vec3<f32>, found: Answer) -> Surface {
  var own: Surface;
  let t = bitcast<f32>(found.best);
  own.triangle = hit_parts(found);
  own.material = material_of(own.triangle, found);
  own.instance = found.instance;
  let a = place_vertex(own.triangle.vertex_a, found.instance);
  let b = place_vertex(own.triangle.vertex_b, found.instance);
  let c = place_vertex(own.triangle.vertex_c, found.instance);
  let ab = b.position - a.position;
  let ac = c.position - a.position;
  var u = ab;
  var v = ac;
  var w = origin + t * direction - a.position;
  let bc = v - u;
  let edge = max(max(dot(u, u), dot(v, v)), dot(bc, bc));
  if (!(edge >= SHORT_EDGE && edge <= LONG_EDGE)) {
    let scale = bitcast<f32>(0x7f000000u - (bitcast<u32>(max(largest_of(u), largest_of(v))) & 0x7f800000u));
    u *= scale;
    v *= scale;
    w *= scale;
  }
  let area = cross(u, v);
  let square = dot(area, area);
  let broad = square > LEAST_SQUARE;
  let inverse = select(0.0, 1.0 / square, broad);
  own.on_b = dot(area, cross(w, v)) * inverse;
  own.on_c = dot(area, cross(u, w)) * inverse;
  let on_a = 1.0 - own.on_b - own.on_c;
  own.point = a.position + (own.on_b * ab + own.on_c * ac);
  let reach = sqrt(dot(direction, direction));
  own.d = direction / reach;
  own.distance = t * reach;
  own.side = select(1.0, -1.0, broad && dot(area, own.d) >= 0.0);
  own.g = select(-own.d, area * (own.side * sqrt(inverse)), broad);
  let na = a.normal;
  let nb = b.normal;
  let nc = c.normal;
  let mean = on_a * na + own.on_b * nb + own.on_c * nc;
  let length = sqrt(dot(mean, mean));
  own.n = own.g;
  if (length > 1e-6) { own.n = mean * (select(1.0, -1.0, dot(mean, own.g) < 0.0) / length); }
  /* A shading normal that turns away from a ray is bent back until it just faces the ray. */
  let cosine = -dot(own.n, own.d);
  if (cosine < MIN_COSINE) { own.n = normalize(own.n + (cosine - MIN_COSINE) * own.d); }
  let lift =
    on_a * depth_under(na, own.side, own.point - a.position) * na +
    own.on_b * depth_under(nb, own.side, own.point - b.position) * nb +
    own.on_c * depth_under(nc, own.side, own.point - c.position) * nc;
  let cosines = own.side * vec3<f32>(dot(na, own.g), dot(nb, own.g), dot(nc, own.g));
  let share = lift_share(dot(lift, lift), min(cosines.x, min(cosines.y, cosines.z)), edge);
  let size = max(largest_of(a.position), max(largest_of(b.position), largest_of(c.position)));
  own.offset = OFFSET * (size + own.distance);
  own.lit = own.point + own.g * own.offset + share * lift;
  return own;
}
`
