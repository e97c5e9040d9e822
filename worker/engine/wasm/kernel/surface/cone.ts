/**
 * How much of a surface a ray stands for: a cone around it, as wide as a pixel at first (Akenine-Möller et al., "Improved Shader and
 * Texture Level of Detail Using Ray Cones", JCGT 10(1), 2021).
 */
import { RAY_DIRECTION, RAY_T_MAX } from '../layout'
import {
  HIT_RAY,
  HIT_VERTEX_A,
  HIT_VERTEX_B,
  HIT_VERTEX_C,
  HIT_WEIGHT,
  SURFACE_DX,
  SURFACE_DY,
  SURFACE_DZ,
  SURFACE_GX,
  SURFACE_GY,
  SURFACE_GZ,
} from './records'
import { coneSpread, coneWidth } from './workspace'

/** Of a surface seen at a flatter angle it counts as if it were seen at this one: textures stay sharp across. */
const LEAST_COSINE: f32 = 1.0 / 16.0

/** For integrators whose rays carry none. */
export const NO_CONE: u32 = 0xffffffff

/** Width at the origin, and its growth per distance, in 32 bits: the upper half of either float. */
@inline
export function packedCone(width: f32, spread: f32): u32 {
  return (reinterpret<u32>(width) & 0xffff0000) | (reinterpret<u32>(spread) >> 16)
}

@inline
export function widthOf(cone: u32): f32 {
  return reinterpret<f32>(cone & 0xffff0000)
}

@inline
export function spreadOf(cone: u32): f32 {
  return reinterpret<f32>(cone << 16)
}

/**
 * The area that is seen of a surface, over twice the area of its triangle.
 * @param cone where the ray's packed cone is in what HIT_WEIGHT leads to, or NO_CONE: the cone begins at the ray's origin
 */
export function seenOf(surface: u32, hit: u32, cone: u32): f32 {
  const ray = load<u32>(hit, HIT_RAY)
  const rx = load<f32>(ray, RAY_DIRECTION)
  const ry = load<f32>(ray, RAY_DIRECTION + 4)
  const rz = load<f32>(ray, RAY_DIRECTION + 8)
  const distance = load<f32>(ray, RAY_T_MAX) * sqrt<f32>(rx * rx + ry * ry + rz * rz)
  let width = coneWidth
  let spread = coneSpread
  if (cone != NO_CONE) {
    const packed = load<u32>(load<u32>(hit, HIT_WEIGHT) + cone)
    width = widthOf(packed)
    spread = spreadOf(packed)
  }
  const across = width + spread * distance
  const cosine = max<f32>(
    LEAST_COSINE,
    -(
      load<f32>(surface, SURFACE_DX) * load<f32>(surface, SURFACE_GX) +
      load<f32>(surface, SURFACE_DY) * load<f32>(surface, SURFACE_GY) +
      load<f32>(surface, SURFACE_DZ) * load<f32>(surface, SURFACE_GZ)
    ),
  )
  return (across * across) / (cosine * twiceArea(hit))
}

function twiceArea(hit: u32): f32 {
  const a = load<u32>(hit, HIT_VERTEX_A)
  const b = load<u32>(hit, HIT_VERTEX_B)
  const c = load<u32>(hit, HIT_VERTEX_C)
  const ux = load<f32>(b) - load<f32>(a)
  const uy = load<f32>(b, 4) - load<f32>(a, 4)
  const uz = load<f32>(b, 8) - load<f32>(a, 8)
  const vx = load<f32>(c) - load<f32>(a)
  const vy = load<f32>(c, 4) - load<f32>(a, 4)
  const vz = load<f32>(c, 8) - load<f32>(a, 8)
  const x = uy * vz - uz * vy
  const y = uz * vx - ux * vz
  const z = ux * vy - uy * vx
  return sqrt<f32>(x * x + y * y + z * z)
}
