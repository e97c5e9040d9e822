/** The sky as a light: cosine-distributed ambient rays to infinity, or its radiance along the normal if there are none. */
import { SUM_BYTES } from '../../layout'
import { ambientRays, ambientShare, firstAmbientShare, frame, sums } from '../workspace'
import { add, div, dot, mul, sub } from '../lanes'
import { depthOfTag, pathOfTag, pixelOfTag } from '../paths'
import { ambientFirst, ambientSecond, ambientShift } from '../sampling'
import { appendAmbient } from '../shadows'
import { addSky } from '../sky'
import { SURFACE_GX, SURFACE_GY, SURFACE_GZ, SURFACE_NX, SURFACE_NY, SURFACE_NZ } from '../records'
import { cosTurns, sinTurns } from '../trig'

/** Vectors shorter than this have no direction. */
const MIN_LENGTH: f64 = 1e-6

/** Number of ambient rays at a hit after `depth` smooth surfaces. */
@inline
export function ambientRaysAt(depth: u32): u32 {
  return depth == 0 || ambientRays == 0 ? ambientRays : max<u32>(1, ambientRays >> 1)
}

/** The path and frame of the cached shifts: most consecutive hits share them. */
let shiftPath: u32 = 0
let shiftFrame: u32 = 0
let shift1: u32 = 0
let shift2: u32 = 0

/** Queues rays for the sky's light that a surface reflects; the weights already include its colour. */
export function addAmbient(surface: u32, red: f64, green: f64, blue: f64, tag: u32, sequence: u32): void {
  const nx = load<f64>(surface, SURFACE_NX)
  const ny = load<f64>(surface, SURFACE_NY)
  const nz = load<f64>(surface, SURFACE_NZ)
  const pixel = pixelOfTag(tag)
  const rays = ambientRaysAt(depthOfTag(tag))
  if (rays == 0) {
    addSky(sums + pixel * SUM_BYTES, ny, red, green, blue)
    return
  }
  const path = pathOfTag(tag)
  if (path != shiftPath || frame != shiftFrame) {
    shiftPath = path
    shiftFrame = frame
    shift1 = ambientShift(frame, path, 0)
    shift2 = ambientShift(frame, path, 1)
  }
  const gx = load<f64>(surface, SURFACE_GX)
  const gy = load<f64>(surface, SURFACE_GY)
  const gz = load<f64>(surface, SURFACE_GZ)
  const first = sequence * rays
  const share = depthOfTag(tag) == 0 ? firstAmbientShare : ambientShare
  red *= share
  green *= share
  blue *= share
  // Two rays at a time, one in each lane; with an odd number the second lane of the last pair is discarded.
  for (let ray: u32 = 0; ray < rays; ray += 2) {
    // A point on the unit sphere around the tip of the normal: the directions to such points are cosine-distributed.
    const turns = ambientSecond(first + ray, shift2)
    const height = sub(f64x2.splat(1), mul(f64x2.splat(2), ambientFirst(first + ray, shift1)))
    const radius = f64x2.sqrt(sub(f64x2.splat(1), mul(height, height)))
    let x = add(f64x2.splat(nx), mul(radius, cosTurns(turns)))
    let y = add(f64x2.splat(ny), height)
    let z = add(f64x2.splat(nz), mul(radius, sinTurns(turns)))
    // A direction into the triangle is reflected out of it.
    const along = dot(x, y, z, f64x2.splat(gx), f64x2.splat(gy), f64x2.splat(gz))
    const inward = mul(f64x2.splat(2), f64x2.pmin(f64x2.splat(0), along))
    x = sub(x, mul(inward, f64x2.splat(gx)))
    y = sub(y, mul(inward, f64x2.splat(gy)))
    z = sub(z, mul(inward, f64x2.splat(gz)))
    const length = f64x2.sqrt(dot(x, y, z, x, y, z))
    const scale = div(f64x2.splat(1), length)
    const dx = f32x4.demote_f64x2_zero(mul(x, scale))
    const dy = f32x4.demote_f64x2_zero(mul(y, scale))
    const dz = f32x4.demote_f64x2_zero(mul(z, scale))
    if (f64x2.extract_lane(length, 0) >= MIN_LENGTH)
      appendAmbient(surface, lane0(dx), lane0(dy), lane0(dz), red, green, blue, pixel)
    if (f64x2.extract_lane(length, 1) >= MIN_LENGTH && ray + 1 < rays)
      appendAmbient(surface, lane1(dx), lane1(dy), lane1(dz), red, green, blue, pixel)
  }
}

@inline
function lane0(floats: v128): f32 {
  return f32x4.extract_lane(floats, 0)
}

@inline
function lane1(floats: v128): f32 {
  return f32x4.extract_lane(floats, 1)
}
