/** The sky as a light: cosine-distributed ambient rays to infinity, or its radiance along the normal if there are none. */
import { Material, Sum, Surface } from '../../records'
import { add, div, dot, highs, lows, mul, splat, sub } from '../../surface/math/floats'
import { cosines, sines } from '../../surface/math/turns'
import { addSky } from '../../surface/sky'
import { frame, sums } from '../../surface/workspace'
import { depthOfTag, pathOfTag, pixelOfTag } from '../paths'
import { ambientFirst, ambientSecond, ambientShift } from '../sampling'
import { appendAmbient } from '../shadows'
import { ambientRays, ambientShare, firstAmbientShare } from '../workspace'

/** Vectors shorter than this have no direction. */
const MIN_LENGTH: f32 = 1e-6

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

/**
 * Adds the sky's light that a surface reflects, or queues rays for it; the weight already includes the surface's colour. An occlusion
 * texture says what rays would find, so it counts only where there are none.
 */
@inline
export function addAmbient(surface: u32, weight: v128, tag: u32, sequence: u32): void {
  if (ambientRays == 0) {
    const open = splat(Material.open(Surface.material(surface)))
    addSky(sums + pixelOfTag(tag) * Sum.BYTES, Surface.ny(surface), mul(weight, open))
  } else queueAmbient(surface, weight, tag, sequence)
}

function queueAmbient(surface: u32, weight: v128, tag: u32, sequence: u32): void {
  const pixel = pixelOfTag(tag)
  const rays = ambientRaysAt(depthOfTag(tag))
  const path = pathOfTag(tag)
  if (path != shiftPath || frame != shiftFrame) {
    shiftPath = path
    shiftFrame = frame
    shift1 = ambientShift(frame, path, 0)
    shift2 = ambientShift(frame, path, 1)
  }
  const nx = Surface.nx(surface)
  const ny = Surface.ny(surface)
  const nz = Surface.nz(surface)
  const gx = Surface.gx(surface)
  const gy = Surface.gy(surface)
  const gz = Surface.gz(surface)
  const first = sequence * rays
  const light = mul(weight, splat(depthOfTag(tag) == 0 ? firstAmbientShare : ambientShare))
  // Four rays at a time, one in each lane; what the last lanes hold beyond the number of rays is discarded.
  for (let ray: u32 = 0; ray < rays; ray += 4) {
    // A point on the unit sphere around the tip of the normal: the directions to such points are cosine-distributed.
    const turns = ambientSecond(first + ray, shift2)
    const height = sub(splat(1), mul(splat(2), ambientFirst(first + ray, shift1)))
    const radius = f32x4.sqrt(sub(splat(1), mul(height, height)))
    let x = add(splat(nx), mul(radius, cosines(turns)))
    let y = add(splat(ny), height)
    let z = add(splat(nz), mul(radius, sines(turns)))
    // A direction into the triangle is reflected out of it.
    const inward = mul(splat(2), f32x4.pmin(splat(0), dot(x, y, z, splat(gx), splat(gy), splat(gz))))
    x = sub(x, mul(inward, splat(gx)))
    y = sub(y, mul(inward, splat(gy)))
    z = sub(z, mul(inward, splat(gz)))
    const length = f32x4.sqrt(dot(x, y, z, x, y, z))
    const scale = div(splat(1), length)
    x = mul(x, scale)
    y = mul(y, scale)
    z = mul(z, scale)
    const usable = i32x4.bitmask(f32x4.ge(length, splat(MIN_LENGTH))) & ((1 << min<u32>(4, rays - ray)) - 1)
    const xy01 = lows(x, y)
    const xy23 = highs(x, y)
    if ((usable & 1) != 0) appendAmbient(surface, v128.shuffle<f32>(xy01, z, 0, 1, 4, 4), light, pixel)
    if ((usable & 2) != 0) appendAmbient(surface, v128.shuffle<f32>(xy01, z, 2, 3, 5, 5), light, pixel)
    if ((usable & 4) != 0) appendAmbient(surface, v128.shuffle<f32>(xy23, z, 0, 1, 6, 6), light, pixel)
    if ((usable & 8) != 0) appendAmbient(surface, v128.shuffle<f32>(xy23, z, 2, 3, 7, 7), light, pixel)
  }
}
