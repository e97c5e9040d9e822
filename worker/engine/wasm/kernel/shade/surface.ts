/**
 * The hit points of rays on triangles, seen from the rays' side: point, normals, and origins for the rays that leave them. Two hits
 * at a time, one in each lane of a vector.
 */
import { TRIANGLE4_CORNER, RAY_DIRECTION, RAY_ORIGIN, RAY_T_MAX, VERTEX_NORMAL } from '../layout'
import { add, div, dot, loadFloats, mul, sub } from './lanes'
import { liftShare, longestSquare } from './lift'
import {
  HIT_MATERIAL,
  HIT_VERTEX_A,
  HIT_VERTEX_B,
  HIT_VERTEX_C,
  HIT_RAY,
  HIT_SLOT,
  SURFACE_DX,
  SURFACE_DY,
  SURFACE_DZ,
  SURFACE_GX,
  SURFACE_GY,
  SURFACE_GZ,
  SURFACE_LIT_XY,
  SURFACE_LIT_Z,
  SURFACE_MATERIAL,
  SURFACE_NX,
  SURFACE_NY,
  SURFACE_NZ,
  SURFACE_OFFSET,
  SURFACE_SIDE,
  SURFACE_X,
  SURFACE_Y,
  SURFACE_Z,
} from './records'

/**
 * Rays start this far from the surface that they leave, relative to the coordinates and distances involved: sixteen ulps of a float.
 * The triangle's own coordinates are among them: a hit point is rounded relative to the distance to the corners, however near the
 * point itself is, and a ray must not hit the triangle that it has just left.
 */
const OFFSET: f64 = 1.0 / 1048576.0
/** Minimum cosine between shading normal and viewer. */
const MIN_COSINE: f64 = 1.0 / 1024.0
/** Distance from one coordinate of a slot's corner to the next. */
const LANE: u32 = 16

/** Computes the surfaces of two hits, given by their entries in the hit list (hits.ts). */
export function meet(surfaces: u32, first: u32, second: u32): void {
  const rayA = load<u32>(first, HIT_RAY)
  const rayB = load<u32>(second, HIT_RAY)
  const slotA = load<u32>(first, HIT_SLOT)
  const slotB = load<u32>(second, HIT_SLOT)
  const t = loadFloats(rayA, rayB, RAY_T_MAX)
  const dx = loadFloats(rayA, rayB, RAY_DIRECTION)
  const dy = loadFloats(rayA, rayB, RAY_DIRECTION + 4)
  const dz = loadFloats(rayA, rayB, RAY_DIRECTION + 8)
  const x = add(loadFloats(rayA, rayB, RAY_ORIGIN), mul(t, dx))
  const y = add(loadFloats(rayA, rayB, RAY_ORIGIN + 4), mul(t, dy))
  const z = add(loadFloats(rayA, rayB, RAY_ORIGIN + 8), mul(t, dz))

  // Geometric normal. Its length is twice the triangle's area.
  const ax = loadFloats(slotA, slotB, 0)
  const ay = loadFloats(slotA, slotB, LANE)
  const az = loadFloats(slotA, slotB, 2 * LANE)
  const bx = loadFloats(slotA, slotB, TRIANGLE4_CORNER)
  const by = loadFloats(slotA, slotB, TRIANGLE4_CORNER + LANE)
  const bz = loadFloats(slotA, slotB, TRIANGLE4_CORNER + 2 * LANE)
  const cx = loadFloats(slotA, slotB, 2 * TRIANGLE4_CORNER)
  const cy = loadFloats(slotA, slotB, 2 * TRIANGLE4_CORNER + LANE)
  const cz = loadFloats(slotA, slotB, 2 * TRIANGLE4_CORNER + 2 * LANE)
  let gx = sub(mul(sub(by, ay), sub(cz, az)), mul(sub(bz, az), sub(cy, ay)))
  let gy = sub(mul(sub(bz, az), sub(cx, ax)), mul(sub(bx, ax), sub(cz, az)))
  let gz = sub(mul(sub(bx, ax), sub(cy, ay)), mul(sub(by, ay), sub(cx, ax)))
  const square = dot(gx, gy, gz, gx, gy, gz)
  const inverseSquare = div(f64x2.splat(1), square)

  // Barycentric coordinates: signed areas opposite the corners, divided by the triangle's.
  const u = mul(weight(bx, by, bz, cx, cy, cz, x, y, z, gx, gy, gz), inverseSquare)
  const v = mul(weight(cx, cy, cz, ax, ay, az, x, y, z, gx, gy, gz), inverseSquare)
  const w = sub(sub(f64x2.splat(1), u), v)

  const outside = f64x2.lt(dot(gx, gy, gz, dx, dy, dz), f64x2.splat(0))
  const side = v128.bitselect(f64x2.splat(1), f64x2.splat(-1), outside)
  const scale = div(side, f64x2.sqrt(square))
  gx = mul(gx, scale)
  gy = mul(gy, scale)
  gz = mul(gz, scale)

  // Shading normal: interpolated, on the side of the triangle that was hit.
  const naA = load<u32>(first, HIT_VERTEX_A)
  const naB = load<u32>(second, HIT_VERTEX_A)
  const nbA = load<u32>(first, HIT_VERTEX_B)
  const nbB = load<u32>(second, HIT_VERTEX_B)
  const ncA = load<u32>(first, HIT_VERTEX_C)
  const ncB = load<u32>(second, HIT_VERTEX_C)
  const nax = loadFloats(naA, naB, VERTEX_NORMAL)
  const nay = loadFloats(naA, naB, VERTEX_NORMAL + 4)
  const naz = loadFloats(naA, naB, VERTEX_NORMAL + 8)
  const nbx = loadFloats(nbA, nbB, VERTEX_NORMAL)
  const nby = loadFloats(nbA, nbB, VERTEX_NORMAL + 4)
  const nbz = loadFloats(nbA, nbB, VERTEX_NORMAL + 8)
  const ncx = loadFloats(ncA, ncB, VERTEX_NORMAL)
  const ncy = loadFloats(ncA, ncB, VERTEX_NORMAL + 4)
  const ncz = loadFloats(ncA, ncB, VERTEX_NORMAL + 8)
  let nx = dot(u, v, w, nax, nbx, ncx)
  let ny = dot(u, v, w, nay, nby, ncy)
  let nz = dot(u, v, w, naz, nbz, ncz)
  const length = f64x2.sqrt(dot(nx, ny, nz, nx, ny, nz))
  const away = f64x2.lt(dot(nx, ny, nz, gx, gy, gz), f64x2.splat(0))
  const turn = div(v128.bitselect(f64x2.splat(-1), f64x2.splat(1), away), length)
  // If the normals cancel out, fall back to the triangle's own.
  const smooth = f64x2.gt(length, f64x2.splat(1e-6))
  nx = v128.bitselect(mul(nx, turn), gx, smooth)
  ny = v128.bitselect(mul(ny, turn), gy, smooth)
  nz = v128.bitselect(mul(nz, turn), gz, smooth)

  // A shading normal can turn away from a ray that only grazes the triangle: bend it back until it just faces the ray.
  const reach = f64x2.sqrt(dot(dx, dy, dz, dx, dy, dz))
  const inverseReach = div(f64x2.splat(1), reach)
  const inX = mul(dx, inverseReach)
  const inY = mul(dy, inverseReach)
  const inZ = mul(dz, inverseReach)
  const cosine = f64x2.neg(dot(nx, ny, nz, inX, inY, inZ))
  const grazing = f64x2.lt(cosine, f64x2.splat(MIN_COSINE))
  if (v128.any_true(grazing)) {
    const missing = sub(cosine, f64x2.splat(MIN_COSINE))
    const bentX = add(nx, mul(missing, inX))
    const bentY = add(ny, mul(missing, inY))
    const bentZ = add(nz, mul(missing, inZ))
    const shrink = div(f64x2.splat(1), f64x2.sqrt(dot(bentX, bentY, bentZ, bentX, bentY, bentZ)))
    nx = v128.bitselect(mul(bentX, shrink), nx, grazing)
    ny = v128.bitselect(mul(bentY, shrink), ny, grazing)
    nz = v128.bitselect(mul(bentZ, shrink), nz, grazing)
  }

  // Lift the point, as far as `lift.ts` allows, by its depth below each corner's tangent plane, with the corners' weights.
  const liftA = mul(u, depthUnder(nax, nay, naz, side, ax, ay, az, x, y, z))
  const liftB = mul(v, depthUnder(nbx, nby, nbz, side, bx, by, bz, x, y, z))
  const liftC = mul(w, depthUnder(ncx, ncy, ncz, side, cx, cy, cz, x, y, z))
  const liftX = dot(liftA, liftB, liftC, nax, nbx, ncx)
  const liftY = dot(liftA, liftB, liftC, nay, nby, ncy)
  const liftZ = dot(liftA, liftB, liftC, naz, nbz, ncz)
  const cosineA = mul(side, dot(nax, nay, naz, gx, gy, gz))
  const cosineB = mul(side, dot(nbx, nby, nbz, gx, gy, gz))
  const cosineC = mul(side, dot(ncx, ncy, ncz, gx, gy, gz))
  const leastCosine = f64x2.pmin(f64x2.pmin(cosineA, cosineB), cosineC)
  const edge = longestSquare(ax, ay, az, bx, by, bz, cx, cy, cz)
  const lift = liftShare(dot(liftX, liftY, liftZ, liftX, liftY, liftZ), leastCosine, edge)
  const size = largest(largest(ax, ay, az), largest(bx, by, bz), largest(cx, cy, cz))
  const offset = mul(f64x2.splat(OFFSET), add(size, mul(t, reach)))
  const litX = add(add(x, mul(gx, offset)), mul(lift, liftX))
  const litY = add(add(y, mul(gy, offset)), mul(lift, liftY))
  const litZ = add(add(z, mul(gz, offset)), mul(lift, liftZ))

  v128.store(surfaces, x, SURFACE_X)
  v128.store(surfaces, y, SURFACE_Y)
  v128.store(surfaces, z, SURFACE_Z)
  v128.store(surfaces, inX, SURFACE_DX)
  v128.store(surfaces, inY, SURFACE_DY)
  v128.store(surfaces, inZ, SURFACE_DZ)
  v128.store(surfaces, gx, SURFACE_GX)
  v128.store(surfaces, gy, SURFACE_GY)
  v128.store(surfaces, gz, SURFACE_GZ)
  v128.store(surfaces, nx, SURFACE_NX)
  v128.store(surfaces, ny, SURFACE_NY)
  v128.store(surfaces, nz, SURFACE_NZ)
  v128.store(surfaces, offset, SURFACE_OFFSET)
  v128.store(surfaces, side, SURFACE_SIDE)
  const xs = f32x4.demote_f64x2_zero(litX)
  const ys = f32x4.demote_f64x2_zero(litY)
  v128.store(surfaces, v128.shuffle<f32>(xs, ys, 0, 4, 1, 5), SURFACE_LIT_XY)
  v128.store(surfaces, i64x2.extend_low_i32x4_u(f32x4.demote_f64x2_zero(litZ)), SURFACE_LIT_Z)
  store<u32>(surfaces, load<u32>(first, HIT_MATERIAL), SURFACE_MATERIAL)
  store<u32>(surfaces, load<u32>(second, HIT_MATERIAL), SURFACE_MATERIAL + 8)
}

/** The largest absolute value of three numbers. */
@inline
function largest(a: v128, b: v128, c: v128): v128 {
  return f64x2.pmax(f64x2.pmax(f64x2.abs(a), f64x2.abs(b)), f64x2.abs(c))
}

/** Twice the signed area of the triangle (p, q, x) times the length of g, where g is normal to it. */
@inline
function weight(
  px: v128,
  py: v128,
  pz: v128,
  qx: v128,
  qy: v128,
  qz: v128,
  x: v128,
  y: v128,
  z: v128,
  gx: v128,
  gy: v128,
  gz: v128,
): v128 {
  const ux = sub(qx, px)
  const uy = sub(qy, py)
  const uz = sub(qz, pz)
  const vx = sub(x, px)
  const vy = sub(y, py)
  const vz = sub(z, pz)
  const crossX = sub(mul(uy, vz), mul(uz, vy))
  const crossY = sub(mul(uz, vx), mul(ux, vz))
  const crossZ = sub(mul(ux, vy), mul(uy, vx))
  return dot(gx, gy, gz, crossX, crossY, crossZ)
}

/**
 * How far to move along a corner's normal to reach its tangent plane from below (seen from `side`); 0 from above.
 */
@inline
function depthUnder(
  nx: v128,
  ny: v128,
  nz: v128,
  side: v128,
  cx: v128,
  cy: v128,
  cz: v128,
  x: v128,
  y: v128,
  z: v128,
): v128 {
  const height = dot(sub(x, cx), sub(y, cy), sub(z, cz), nx, ny, nz)
  return mul(f64x2.splat(0.5), sub(mul(side, f64x2.abs(height)), height))
}
