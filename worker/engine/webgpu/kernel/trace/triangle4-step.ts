/** A ray against a triangle4: the operations of `worker/engine/wasm/kernel/trace/triangle4-step.ts`, in their order. */
import { offsetOf } from '../../../wasm/records/access.ts'
import { CORNER, ID, TRIANGLE4 } from '../../../wasm/records/mesh.ts'
import { SHADOW } from '../../../wasm/records/rays.ts'

/** Corners as they are in the buffer, and triangles in the order of their numbers, but those that let light through first. */
const STORED = /* wgsl */ `
fn first_row(row: u32, ray: ptr<function, Context>) -> u32 {
  return row;
}

fn corner_row(row: u32) -> vec4<f32> {
  return bitcast<vec4<f32>>(triangle4s[row]);
}

fn comes_before(id: u32, ray: ptr<function, Context>, found: ptr<function, Answer>) -> bool {
  return (id ^ CLEAR) < ((*found).id ^ CLEAR);
}
`

/** The same where triangles may be those of instances. */
const PLACED = /* wgsl */ `
fn first_row(row: u32, ray: ptr<function, Context>) -> u32 {
  place_triangle4(row, (*ray).instance);
  return 0u;
}

fn corner_row(row: u32) -> vec4<f32> {
  return corners[row];
}

fn rank_in(id: u32, instance: u32) -> u32 {
  return number_in_scene(id & ID_MASK, instance) | (~id & CLEAR);
}

fn comes_before(id: u32, ray: ptr<function, Context>, found: ptr<function, Answer>) -> bool {
  return rank_in(id, (*ray).instance) < rank_in((*found).id, (*found).instance);
}
`

/** @param wide whether the scene has instances */
export const triangle4Step = (wide: boolean): string => /* wgsl */ `
const CORNER_ROWS = ${CORNER.bytes / 16}u;
const ID_ROW = ${offsetOf(TRIANGLE4, 'id') / 16}u;
const CLEAR = ${ID.clear}u;
const ID_MASK = ${ID.mask}u;
const BLOCKED = ${SHADOW.blocked}u;
const DIMMED = ${SHADOW.dimmed}u;
/* 1 - 2^-20: triangles that let light through are met early where there are masks or blends. */
const NEARNESS = 0x1.ffffep-1f;

/* What a ray has met: a slot and where, the triangle’s id, and the address of its instance, or 0. */
struct Answer {
  hit: u32,
  id: u32,
  best: u32,
  instance: u32,
}

${wide ? PLACED : STORED}
fn apart(row: u32, origin: f32) -> vec4<f32> {
  return sealed(corner_row(row) - vec4<f32>(origin));
}

/* Tests the triangle4 at an address; row is where it begins in its section. */
fn step_triangle4(address: u32, row: u32, ray: ptr<function, Context>, found: ptr<function, Answer>) {
  let o = (*ray).turned;
  let first = first_row(row, ray);
  let x = first + (*ray).axes.x;
  let y = first + (*ray).axes.y;
  let z = first + (*ray).axes.z;
  let az = apart(z, o.z);
  let bz = apart(z + CORNER_ROWS, o.z);
  let cz = apart(z + 2u * CORNER_ROWS, o.z);
  let shear_x = vec4<f32>((*ray).shear.x);
  let shear_y = vec4<f32>((*ray).shear.y);
  let ax = sealed(apart(x, o.x) - product(shear_x, az));
  let bx = sealed(apart(x + CORNER_ROWS, o.x) - product(shear_x, bz));
  let cx = sealed(apart(x + 2u * CORNER_ROWS, o.x) - product(shear_x, cz));
  let ay = sealed(apart(y, o.y) - product(shear_y, az));
  let by = sealed(apart(y + CORNER_ROWS, o.y) - product(shear_y, bz));
  let cy = sealed(apart(y + 2u * CORNER_ROWS, o.y) - product(shear_y, cz));
  let u = sealed(product(cx, by) - product(cy, bx));
  let v = sealed(product(ax, cy) - product(ay, cx));
  let w = sealed(product(bx, ay) - product(by, ax));
  let sum = sealed(sealed(u + v) + w);
  let outside = (min(u, min(v, w)) < vec4<f32>()) & (max(u, max(v, w)) > vec4<f32>());
  let inside = !outside & (sum != vec4<f32>());
  if (any(doubt != vec4<u32>()) || !any(inside)) { return; }
  let depth = sealed(sealed(product(u, az) + product(v, bz)) + product(w, cz));
  let n = bitcast<vec4<u32>>(product(depth, vec4<f32>((*ray).scale)));
  let d = bitcast<vec4<u32>>(sum);
  var t = select(quotients(n, d), vec4<u32>(), n << vec4<u32>(1u) == vec4<u32>());
  let ids = triangle4s[row + ID_ROW];
  let is_clear = (ids & vec4<u32>(CLEAR)) != vec4<u32>();
  if (order.leans != 0u && !(*ray).shadow) {
    t = select(t, bitcast<vec4<u32>>(product(bitcast<vec4<f32>>(t), vec4<f32>(NEARNESS))), is_clear);
  }
  /* What is lost outside of triangles does not matter. */
  doubt = select(vec4<u32>(), doubt, inside);
  let ahead = (((n ^ d) & vec4<u32>(0x80000000u)) == vec4<u32>()) | (t == vec4<u32>());
  let met = inside & ahead & (t >= vec4<u32>((*ray).t_min)) & (t <= vec4<u32>((*found).best));
  if ((*ray).shadow) {
    (*found).hit |= select(0u, BLOCKED, any(met & !is_clear)) | select(0u, DIMMED, any(met & is_clear));
    return;
  }
  for (var lane = 0u; lane < 4u; lane++) {
    let distance = t[lane];
    if (!met[lane] || distance > (*found).best) { continue; }
    if (distance < (*found).best || (*found).hit == 0u || comes_before(ids[lane], ray, found)) {
      (*found).best = distance;
      (*found).id = ids[lane];
      (*found).hit = address + 4u * lane;
      (*found).instance = (*ray).instance;
    }
  }
}
`
