/**
 * The hit points of rays on triangles, seen from the rays' side: point, normals, and origins for the rays that leave them. Four hits
 * at a time, one in each lane of a vector.
 */
import { Hit, Ray, Surface, Vertex } from '../records'
import { liftShare } from './lift'
import { add, div, dot, firsts, highs, lows, mul, seconds, splat, sub } from './math/floats'

/**
 * Rays start this far from the surface that they leave, relative to the coordinates and distances involved: sixteen ulps of a float.
 * The triangle's own coordinates are among them: a hit point is rounded relative to the distance to the corners, however near the
 * point itself is, and a ray must not hit the triangle that it has just left.
 */
const OFFSET: f32 = 1.0 / 1048576.0
/** Minimum cosine between shading normal and viewer. */
const MIN_COSINE: f32 = 1.0 / 1024.0
/** Squares of edges that are neither too short nor too long for the square of an area to be a float. */
const SHORT: f32 = 1.0 / 16777216.0
const LONG: f32 = 1152921504606846976.0
/** From here on the square of an area, in units of the longest edge, has a reciprocal. */
const LEAST_SQUARE: f32 = 1e-37

/** Computes the surfaces of up to four hits that follow each other in a hit list, whose last one is at `last`. */
export function meet(surfaces: u32, hit: u32, last: u32): void {
  const second = min<u32>(hit + Hit.BYTES, last)
  const third = min<u32>(hit + 2 * Hit.BYTES, last)
  const fourth = min<u32>(hit + 3 * Hit.BYTES, last)
  const rayA = Hit.ray(hit)
  const rayB = Hit.ray(second)
  const rayC = Hit.ray(third)
  const rayD = Hit.ray(fourth)
  let ab = lows(Ray.direction(rayA), Ray.direction(rayB))
  let cd = lows(Ray.direction(rayC), Ray.direction(rayD))
  const dx = firsts(ab, cd)
  const dy = seconds(ab, cd)
  ab = highs(Ray.direction(rayA), Ray.direction(rayB))
  cd = highs(Ray.direction(rayC), Ray.direction(rayD))
  const dz = firsts(ab, cd)
  // The distance follows the direction.
  const t = seconds(ab, cd)
  ab = lows(Ray.origin(rayA), Ray.origin(rayB))
  cd = lows(Ray.origin(rayC), Ray.origin(rayD))
  const endX = add(firsts(ab, cd), mul(t, dx))
  const endY = add(seconds(ab, cd), mul(t, dy))
  ab = highs(Ray.origin(rayA), Ray.origin(rayB))
  cd = highs(Ray.origin(rayC), Ray.origin(rayD))
  const endZ = add(firsts(ab, cd), mul(t, dz))

  // A vertex is two vectors that overlap: its position and its normal's x; its z and its normal.
  const aA = Hit.vertexA(hit)
  const aB = Hit.vertexA(second)
  const aC = Hit.vertexA(third)
  const aD = Hit.vertexA(fourth)
  ab = lows(Vertex.position(aA), Vertex.position(aB))
  cd = lows(Vertex.position(aC), Vertex.position(aD))
  const ax = firsts(ab, cd)
  const ay = seconds(ab, cd)
  ab = highs(Vertex.position(aA), Vertex.position(aB))
  cd = highs(Vertex.position(aC), Vertex.position(aD))
  const az = firsts(ab, cd)
  const nax = seconds(ab, cd)
  const bA = Hit.vertexB(hit)
  const bB = Hit.vertexB(second)
  const bC = Hit.vertexB(third)
  const bD = Hit.vertexB(fourth)
  ab = lows(Vertex.position(bA), Vertex.position(bB))
  cd = lows(Vertex.position(bC), Vertex.position(bD))
  const bx = firsts(ab, cd)
  const by = seconds(ab, cd)
  ab = highs(Vertex.position(bA), Vertex.position(bB))
  cd = highs(Vertex.position(bC), Vertex.position(bD))
  const bz = firsts(ab, cd)
  const nbx = seconds(ab, cd)
  const cA = Hit.vertexC(hit)
  const cB = Hit.vertexC(second)
  const cC = Hit.vertexC(third)
  const cD = Hit.vertexC(fourth)
  ab = lows(Vertex.position(cA), Vertex.position(cB))
  cd = lows(Vertex.position(cC), Vertex.position(cD))
  const cx = firsts(ab, cd)
  const cy = seconds(ab, cd)
  ab = highs(Vertex.position(cA), Vertex.position(cB))
  cd = highs(Vertex.position(cC), Vertex.position(cD))
  const cz = firsts(ab, cd)
  const ncx = seconds(ab, cd)

  // From corner a: two edges, and the way to where the ray ends.
  let ux = sub(bx, ax)
  let uy = sub(by, ay)
  let uz = sub(bz, az)
  let vx = sub(cx, ax)
  let vy = sub(cy, ay)
  let vz = sub(cz, az)
  let wx = sub(endX, ax)
  let wy = sub(endY, ay)
  let wz = sub(endZ, az)
  const edge = longestSquare(ux, uy, uz, vx, vy, vz)
  const ordinary = v128.and(f32x4.ge(edge, splat(SHORT)), f32x4.le(edge, splat(LONG)))
  if (!i32x4.all_true(ordinary)) {
    const scale = v128.bitselect(splat(1), reciprocalPower(largest(largest(ux, uy, uz), vx, largest(vy, vz, vz))), ordinary)
    ux = mul(ux, scale)
    uy = mul(uy, scale)
    uz = mul(uz, scale)
    vx = mul(vx, scale)
    vy = mul(vy, scale)
    vz = mul(vz, scale)
    wx = mul(wx, scale)
    wy = mul(wy, scale)
    wz = mul(wz, scale)
  }

  // Geometric normal. Its length is twice the triangle's area.
  let gx = sub(mul(uy, vz), mul(uz, vy))
  let gy = sub(mul(uz, vx), mul(ux, vz))
  let gz = sub(mul(ux, vy), mul(uy, vx))
  const square = dot(gx, gy, gz, gx, gy, gz)
  // Of an area that is too small for that, take the first corner and let it face the ray.
  const broad = f32x4.gt(square, splat(LEAST_SQUARE))
  const inverseSquare = v128.and(broad, div(splat(1), square))

  // Barycentric coordinates: signed areas opposite the corners, divided by the triangle's. The point that they stand for lies in the
  // triangle's plane, whatever the ray's length has been rounded to.
  const onB = mul(determinant(gx, gy, gz, wx, wy, wz, vx, vy, vz), inverseSquare)
  const onC = mul(determinant(gx, gy, gz, ux, uy, uz, wx, wy, wz), inverseSquare)
  const onA = sub(sub(splat(1), onB), onC)
  const x = add(ax, add(mul(onB, sub(bx, ax)), mul(onC, sub(cx, ax))))
  const y = add(ay, add(mul(onB, sub(by, ay)), mul(onC, sub(cy, ay))))
  const z = add(az, add(mul(onB, sub(bz, az)), mul(onC, sub(cz, az))))

  const reach = f32x4.sqrt(dot(dx, dy, dz, dx, dy, dz))
  const inverseReach = div(splat(1), reach)
  const inX = mul(dx, inverseReach)
  const inY = mul(dy, inverseReach)
  const inZ = mul(dz, inverseReach)
  const inside = v128.and(broad, f32x4.ge(dot(gx, gy, gz, inX, inY, inZ), splat(0)))
  const side = v128.bitselect(splat(-1), splat(1), inside)
  const unit = mul(side, f32x4.sqrt(inverseSquare))
  gx = v128.bitselect(mul(gx, unit), f32x4.neg(inX), broad)
  gy = v128.bitselect(mul(gy, unit), f32x4.neg(inY), broad)
  gz = v128.bitselect(mul(gz, unit), f32x4.neg(inZ), broad)

  ab = highs(Vertex.rest(aA), Vertex.rest(aB))
  cd = highs(Vertex.rest(aC), Vertex.rest(aD))
  const nay = firsts(ab, cd)
  const naz = seconds(ab, cd)
  ab = highs(Vertex.rest(bA), Vertex.rest(bB))
  cd = highs(Vertex.rest(bC), Vertex.rest(bD))
  const nby = firsts(ab, cd)
  const nbz = seconds(ab, cd)
  ab = highs(Vertex.rest(cA), Vertex.rest(cB))
  cd = highs(Vertex.rest(cC), Vertex.rest(cD))
  const ncy = firsts(ab, cd)
  const ncz = seconds(ab, cd)

  // Shading normal: interpolated, on the side of the triangle that was hit.
  let nx = dot(onA, onB, onC, nax, nbx, ncx)
  let ny = dot(onA, onB, onC, nay, nby, ncy)
  let nz = dot(onA, onB, onC, naz, nbz, ncz)
  const length = f32x4.sqrt(dot(nx, ny, nz, nx, ny, nz))
  const away = f32x4.lt(dot(nx, ny, nz, gx, gy, gz), splat(0))
  const turn = div(v128.bitselect(splat(-1), splat(1), away), length)
  // If the normals cancel out, fall back to the triangle's own.
  const smooth = f32x4.gt(length, splat(1e-6))
  nx = v128.bitselect(mul(nx, turn), gx, smooth)
  ny = v128.bitselect(mul(ny, turn), gy, smooth)
  nz = v128.bitselect(mul(nz, turn), gz, smooth)

  // A shading normal can turn away from a ray that only grazes the triangle: bend it back until it just faces the ray.
  const cosine = f32x4.neg(dot(nx, ny, nz, inX, inY, inZ))
  const grazing = f32x4.lt(cosine, splat(MIN_COSINE))
  if (v128.any_true(grazing)) {
    const missing = sub(cosine, splat(MIN_COSINE))
    const bentX = add(nx, mul(missing, inX))
    const bentY = add(ny, mul(missing, inY))
    const bentZ = add(nz, mul(missing, inZ))
    const shrink = div(splat(1), f32x4.sqrt(dot(bentX, bentY, bentZ, bentX, bentY, bentZ)))
    nx = v128.bitselect(mul(bentX, shrink), nx, grazing)
    ny = v128.bitselect(mul(bentY, shrink), ny, grazing)
    nz = v128.bitselect(mul(bentZ, shrink), nz, grazing)
  }

  // Lift the point, as far as `lift.ts` allows, by its depth below each corner's tangent plane, with the corners' weights. Twice as far:
  const liftA = mul(onA, depthUnder(nax, nay, naz, side, sub(x, ax), sub(y, ay), sub(z, az)))
  const liftB = mul(onB, depthUnder(nbx, nby, nbz, side, sub(x, bx), sub(y, by), sub(z, bz)))
  const liftC = mul(onC, depthUnder(ncx, ncy, ncz, side, sub(x, cx), sub(y, cy), sub(z, cz)))
  const liftX = dot(liftA, liftB, liftC, nax, nbx, ncx)
  const liftY = dot(liftA, liftB, liftC, nay, nby, ncy)
  const liftZ = dot(liftA, liftB, liftC, naz, nbz, ncz)
  const cosineA = dot(nax, nay, naz, gx, gy, gz)
  const cosineB = dot(nbx, nby, nbz, gx, gy, gz)
  const cosineC = dot(ncx, ncy, ncz, gx, gy, gz)
  const leastCosine = f32x4.pmin(f32x4.pmin(mul(side, cosineA), mul(side, cosineB)), mul(side, cosineC))
  const lift = liftShare(dot(liftX, liftY, liftZ, liftX, liftY, liftZ), leastCosine, edge)
  const size = largest(largest(ax, ay, az), largest(bx, by, bz), largest(cx, cy, cz))
  const offset = mul(splat(OFFSET), add(size, mul(t, reach)))

  Surface.setXLanes(surfaces, x)
  Surface.setYLanes(surfaces, y)
  Surface.setZLanes(surfaces, z)
  Surface.setDxLanes(surfaces, inX)
  Surface.setDyLanes(surfaces, inY)
  Surface.setDzLanes(surfaces, inZ)
  Surface.setGxLanes(surfaces, gx)
  Surface.setGyLanes(surfaces, gy)
  Surface.setGzLanes(surfaces, gz)
  Surface.setNxLanes(surfaces, nx)
  Surface.setNyLanes(surfaces, ny)
  Surface.setNzLanes(surfaces, nz)
  Surface.setOffsetLanes(surfaces, offset)
  Surface.setSideLanes(surfaces, side)
  Surface.setLitXLanes(surfaces, add(add(x, mul(gx, offset)), mul(lift, liftX)))
  Surface.setLitYLanes(surfaces, add(add(y, mul(gy, offset)), mul(lift, liftY)))
  Surface.setLitZLanes(surfaces, add(add(z, mul(gz, offset)), mul(lift, liftZ)))
  Surface.setOnBLanes(surfaces, onB)
  Surface.setOnCLanes(surfaces, onC)
  Surface.setMaterial(surfaces, Hit.material(hit))
  Surface.setMaterial(surfaces + 4, Hit.material(second))
  Surface.setMaterial(surfaces + 8, Hit.material(third))
  Surface.setMaterial(surfaces + 12, Hit.material(fourth))
}

/** The largest absolute value of three numbers. */
@inline
function largest(a: v128, b: v128, c: v128): v128 {
  return f32x4.pmax(f32x4.pmax(f32x4.abs(a), f32x4.abs(b)), f32x4.abs(c))
}

/** One over the power of two below a number >= 0. */
@inline
function reciprocalPower(x: v128): v128 {
  return i32x4.sub(i32x4.splat(0x7f000000), v128.and(x, i32x4.splat(0x7f800000)))
}

/** Square of the longest edge of a triangle, from two of its edges. */
@inline
function longestSquare(ux: v128, uy: v128, uz: v128, vx: v128, vy: v128, vz: v128): v128 {
  const others = f32x4.pmax(dot(ux, uy, uz, ux, uy, uz), dot(vx, vy, vz, vx, vy, vz))
  const wx = sub(vx, ux)
  const wy = sub(vy, uy)
  const wz = sub(vz, uz)
  return f32x4.pmax(others, dot(wx, wy, wz, wx, wy, wz))
}

/** The determinant of three vectors: g · (p × q). */
@inline
function determinant(
  gx: v128,
  gy: v128,
  gz: v128,
  px: v128,
  py: v128,
  pz: v128,
  qx: v128,
  qy: v128,
  qz: v128,
): v128 {
  const crossX = sub(mul(py, qz), mul(pz, qy))
  const crossY = sub(mul(pz, qx), mul(px, qz))
  const crossZ = sub(mul(px, qy), mul(py, qx))
  return dot(gx, gy, gz, crossX, crossY, crossZ)
}

/**
 * Twice how far to move a point along a corner's normal to reach the corner's tangent plane from below (seen from `side`), from the way
 * (x, y, z) that the point is away from the corner; 0 from above.
 */
@inline
function depthUnder(nx: v128, ny: v128, nz: v128, side: v128, x: v128, y: v128, z: v128): v128 {
  const height = dot(x, y, z, nx, ny, nz)
  return sub(mul(side, f32x4.abs(height)), height)
}
