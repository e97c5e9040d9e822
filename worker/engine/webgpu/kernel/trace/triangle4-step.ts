/** A ray against a triangle4: the operations of `worker/engine/wasm/kernel/trace/triangle4-step.ts`, in their order. */
import { offsetOf } from '../../../wasm/records/access.ts'
import { CORNER, ID, TRIANGLE4 } from '../../../wasm/records/mesh.ts'
import { SHADOW } from '../../../wasm/records/rays.ts'
import { OWN_BOX } from './own-box.ts'

/** Corners as they are in the buffer, and triangles in the order of their numbers, but those that let light through first. */
const STORED = /* wgsl */ `
fn first_row(row: u32, ray: ptr<function, Context>) -> u32 {
  return row;
}

fn corner_row(row: u32) -> vec4<f32> {
  return bitcast<vec4<f32>>(triangle4s[row]);
}

fn rank_in(id: u32, instance: u32) -> u32 {
  return id ^ CLEAR;
}

fn corners_before(row: u32, lane: u32, instance: u32) -> mat3x3<f32> {
  return mat3x3<f32>(corner_at(row, 0u, lane), corner_at(row, 1u, lane), corner_at(row, 2u, lane));
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

/*
 * Triangles that have no area where they are placed, or so little that floats do not tell: those are never met. A line’s cross product is at most 2^-21 of
 * the product of its sides, for rounding.
 */
fn thin_lanes() -> vec4<bool> {
  let ux = corners[CORNER_ROWS] - corners[0];
  let uy = corners[CORNER_ROWS + 1u] - corners[1];
  let uz = corners[CORNER_ROWS + 2u] - corners[2];
  let vx = corners[2u * CORNER_ROWS] - corners[0];
  let vy = corners[2u * CORNER_ROWS + 1u] - corners[1];
  let vz = corners[2u * CORNER_ROWS + 2u] - corners[2];
  let area = max(abs(uy * vz - uz * vy), max(abs(uz * vx - ux * vz), abs(ux * vy - uy * vx)));
  let sides = max(abs(ux), max(abs(uy), abs(uz))) * max(abs(vx), max(abs(vy), abs(vz)));
  return !(area > 0x1p-20f * sides);
}

/* Those of the triangle4 in the ray’s way stay where they are. */
fn corners_before(row: u32, lane: u32, instance: u32) -> mat3x3<f32> {
  let own = corners;
  place_triangle4(row, instance);
  let before = mat3x3<f32>(corner_at(0u, 0u, lane), corner_at(0u, 1u, lane), corner_at(0u, 2u, lane));
  corners = own;
  return before;
}
`

interface Triangle4Parts {
  /** Whether the scene has instances. */
  readonly wide: boolean
  /** Whether rays go on from what they have passed. */
  readonly passes: boolean
}

export const triangle4Step = ({ wide, passes }: Triangle4Parts): string => /* wgsl */ `
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

/* Where a ray goes on that passes it. */
fn slot_of(found: Answer) -> vec2<u32> {
  return vec2<u32>(found.hit, found.instance);
}

${wide ? PLACED : STORED}
fn apart(row: u32, origin: f32) -> vec4<f32> {
  return sealed(corner_row(row) - vec4<f32>(origin));
}

fn corner_at(row: u32, corner: u32, lane: u32) -> vec3<f32> {
  let at = row + corner * CORNER_ROWS;
  return vec3<f32>(corner_row(at)[lane], corner_row(at + 1u)[lane], corner_row(at + 2u)[lane]);
}

${OWN_BOX}
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
  var met = inside & ahead & (t >= vec4<u32>((*ray).t_min)) & (t <= vec4<u32>((*found).best));
  ${wide ? MET_LANES : ''}
  ${passes ? PASS_LANES : ''}
  if (any(met)) {
    t = within_boxes(vec3<u32>(x, y, z), ray, t, met);
    met &= t <= vec4<u32>((*found).best);
  }
  if ((*ray).shadow) {
    (*found).hit |= select(0u, BLOCKED, any(met & !is_clear)) | select(0u, DIMMED, any(met & is_clear));
    return;
  }
  for (var lane = 0u; lane < 4u; lane++) {
    let distance = t[lane];
    if (!met[lane] || distance > (*found).best) { continue; }
    if (distance < (*found).best || (*found).hit == 0u || rank_in(ids[lane], (*ray).instance) < rank_in((*found).id, (*found).instance)) {
      (*found).best = distance;
      (*found).id = ids[lane];
      (*found).hit = address + 4u * lane;
      (*found).instance = (*ray).instance;
    }
  }
}
${passes ? PASSED_LANES : ''}`

/** Baking leaves them out; whether one has area is for the CPU to say, if it is asked. */
const MET_LANES = /* wgsl */ `if ((*ray).instance != 0u && any(met)) {
    let thin = met & thin_lanes();
    be_unsure(any(thin));
    met &= !thin;
  }`

const PASS_LANES = /* wgsl */ `if ((*ray).passed.x != 0u) {
    let start = met & (t == vec4<u32>((*ray).t_min));
    if (any(start)) { met &= !passed_lanes(first, start, ids, (*ray).instance, (*ray).passed, u, v, w); }
  }`

/** Of those that a ray starts at, the triangles that it has passed: see the kernel's `passedLanes`. */
const PASSED_LANES = /* wgsl */ `
fn passed_lanes(
  row: u32,
  start: vec4<bool>,
  ids: vec4<u32>,
  instance: u32,
  last_slot: vec2<u32>,
  u: vec4<f32>,
  v: vec4<f32>,
  w: vec4<f32>,
) -> vec4<bool> {
  let lane_before = (last_slot.x >> 2u) & 3u;
  let row_before = (last_slot.x - 4u * lane_before - order.triangle4s) / 16u;
  let last = rank_in(triangle4s[row_before + ID_ROW][lane_before], last_slot.y);
  let before = corners_before(row_before, lane_before, last_slot.y);
  var passed = vec4<bool>();
  for (var lane = 0u; lane < 4u; lane++) {
    let zeros = vec3<f32>(u[lane], v[lane], w[lane]) == vec3<f32>();
    passed[lane] = start[lane] && (rank_in(ids[lane], instance) <= last || is_met_with(before, row, lane, zeros));
  }
  return passed;
}

/* Whether a triangle is met on the edge or the corner that it shares with another; of which of its corners have no weight. */
fn is_met_with(before: mat3x3<f32>, row: u32, lane: u32, zeros: vec3<bool>) -> bool {
  var joint = 0u;
  for (var corner = 0u; corner < 3u; corner++) {
    let point = corner_at(row, corner, lane);
    var is_common = false;
    for (var other = 0u; other < 3u; other++) {
      is_common = is_common || all(before[other] == point);
    }
    if (is_common) { joint += 1u; }
    else if (!zeros[corner]) { return false; }
  }
  return joint == 1u || joint == 2u;
}
`
