/** Normals from textures: directions in the frame of a surface's tangent, bitangent and normal (Mikkelsen 2008, as glTF has it). */
import { Hit, PlacedVertex, Scene, Surface, Tangent } from '../records'
import { isPlaced, numberOf } from './lookup'
import { add, mul, splat, three } from './math/floats'

/** Least cosine between a normal and the viewer, and between a normal and the triangle's. */
const MIN_COSINE: f32 = 1.0 / 64.0

/** The tangent at a hit point, a unit vector or zeros, and 1 or −1 for the side of the bitangent. */
export function tangentAt(surface: u32, hit: u32): v128 {
  if (Scene.tangents() == 0) return splat(0)
  const onB = Surface.onB(surface)
  const onC = Surface.onC(surface)
  const a = tangentOf(Hit.vertexA(hit))
  const sum = add(
    add(mul(splat(<f32>1 - onB - onC), a), mul(splat(onB), tangentOf(Hit.vertexB(hit)))),
    mul(splat(onC), tangentOf(Hit.vertexC(hit))),
  )
  const x = f32x4.extract_lane(sum, 0)
  const y = f32x4.extract_lane(sum, 1)
  const z = f32x4.extract_lane(sum, 2)
  const length = sqrt<f32>(x * x + y * y + z * z)
  if (!(length > 0)) return splat(0)
  return f32x4.replace_lane(mul(sum, splat(<f32>1 / length)), 3, f32x4.extract_lane(a, 3) < 0 ? -1 : 1)
}

/** In units of 1/32767. */
@inline
function tangentOf(vertex: u32): v128 {
  const tangent = isPlaced(vertex) ? PlacedVertex.tangent(vertex) : Scene.tangents() + numberOf(vertex) * Tangent.BYTES
  return f32x4.convert_i32x4_s(Tangent.direction(tangent))
}

/**
 * The shading normal of a surface turned by a normal map: `texel` is red, green, blue, from 0 to 1. Bent so that it faces the viewer and
 * the triangle's own side. The surface's own normal where it has no tangent.
 */
export function turnedNormal(surface: u32, tangent: v128, texel: v128, scaleX: f32, scaleY: f32): v128 {
  const side = Surface.side(surface)
  const nx = Surface.nx(surface)
  const ny = Surface.ny(surface)
  const nz = Surface.nz(surface)
  const own = three(nx, ny, nz)
  const hand = f32x4.extract_lane(tangent, 3)
  if (hand == 0) return own
  // The frame of a back side is that of the front, seen from behind: all three point the other way.
  const tx = f32x4.extract_lane(tangent, 0) * side
  const ty = f32x4.extract_lane(tangent, 1) * side
  const tz = f32x4.extract_lane(tangent, 2) * side
  const across = hand * side
  const bx = (ny * tz - nz * ty) * across
  const by = (nz * tx - nx * tz) * across
  const bz = (nx * ty - ny * tx) * across
  const x = (f32x4.extract_lane(texel, 0) * 2 - 1) * scaleX
  const y = (f32x4.extract_lane(texel, 1) * 2 - 1) * scaleY
  const z = f32x4.extract_lane(texel, 2) * 2 - 1
  let mx = x * tx + y * bx + z * nx
  let my = x * ty + y * by + z * ny
  let mz = x * tz + y * bz + z * nz
  const length = sqrt<f32>(mx * mx + my * my + mz * mz)
  if (!(length > 1e-6)) return own
  mx /= length
  my /= length
  mz /= length
  // Away from the triangle's plane, then towards the viewer.
  const gx = Surface.gx(surface)
  const gy = Surface.gy(surface)
  const gz = Surface.gz(surface)
  const above = min<f32>(0, mx * gx + my * gy + mz * gz - MIN_COSINE)
  mx -= above * gx
  my -= above * gy
  mz -= above * gz
  const dx = Surface.dx(surface)
  const dy = Surface.dy(surface)
  const dz = Surface.dz(surface)
  const facing = min<f32>(0, -(mx * dx + my * dy + mz * dz) - MIN_COSINE)
  mx += facing * dx
  my += facing * dy
  mz += facing * dz
  const shrink = <f32>1 / sqrt<f32>(mx * mx + my * my + mz * mz)
  return three(mx * shrink, my * shrink, mz * shrink)
}
