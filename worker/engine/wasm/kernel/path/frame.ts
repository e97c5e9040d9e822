/**
 * The local frame of a surface: z along its shading normal (Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 6(1),
 * 2017). Lobes answer in it.
 */
import { point } from './result'

let tx: f64 = 0
let ty: f64 = 0
let tz: f64 = 0
let bx: f64 = 0
let by: f64 = 0
let bz: f64 = 0
export let normalX: f64 = 0
export let normalY: f64 = 0
export let normalZ: f64 = 0

/** Sets the frame to that of a unit vector. */
export function setFrame(x: f64, y: f64, z: f64): void {
  normalX = x
  normalY = y
  normalZ = z
  const sign: f64 = z < 0 ? -1 : 1
  const a = -1 / (sign + z)
  const b = x * y * a
  tx = 1 + sign * x * x * a
  ty = sign * b
  tz = -sign * x
  bx = b
  by = sign + y * y * a
  bz = -y
}

/** Answers the vector in the world of one in the frame of the unit vector (nx, ny, nz); the frame that is set stays. */
@inline
export function pointAround(nx: f64, ny: f64, nz: f64, x: f64, y: f64, z: f64): void {
  const sign: f64 = nz < 0 ? -1 : 1
  const a = -1 / (sign + nz)
  const b = nx * ny * a
  point(
    (1 + sign * nx * nx * a) * x + b * y + nx * z,
    sign * b * x + (sign + ny * ny * a) * y + ny * z,
    -sign * nx * x + -ny * y + nz * z,
  )
}

/** Coordinates in the frame of a vector in the world. */
@inline
export function localX(x: f64, y: f64, z: f64): f64 {
  return tx * x + ty * y + tz * z
}

@inline
export function localY(x: f64, y: f64, z: f64): f64 {
  return bx * x + by * y + bz * z
}

@inline
export function localZ(x: f64, y: f64, z: f64): f64 {
  return normalX * x + normalY * y + normalZ * z
}

/** Coordinates in the world of a vector in the frame. */
@inline
export function worldX(x: f64, y: f64, z: f64): f64 {
  return tx * x + bx * y + normalX * z
}

@inline
export function worldY(x: f64, y: f64, z: f64): f64 {
  return ty * x + by * y + normalY * z
}

@inline
export function worldZ(x: f64, y: f64, z: f64): f64 {
  return tz * x + bz * y + normalZ * z
}
