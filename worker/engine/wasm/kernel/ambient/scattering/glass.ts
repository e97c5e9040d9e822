/** A smooth glass boundary: Fresnel's share is reflected, the rest refracted with the glass's tint. */
import { MATERIAL_COLOR, MATERIAL_IOR } from '../../layout'
import { fresnel } from '../../surface/fresnel'
import { mul, splat } from '../../surface/math/floats'
import {
  SURFACE_DX,
  SURFACE_DY,
  SURFACE_DZ,
  SURFACE_GX,
  SURFACE_GY,
  SURFACE_GZ,
  SURFACE_MATERIAL,
  SURFACE_NX,
  SURFACE_NY,
  SURFACE_NZ,
  SURFACE_OFFSET,
  SURFACE_SIDE,
  SURFACE_X,
  SURFACE_Y,
  SURFACE_Z,
} from '../../surface/records'
import { childTag } from '../paths'
import { mirror } from './mirror'
import { sendOn } from './send-on'

export function scatterGlass(surface: u32, weight: v128, tag: u32, sequence: u32): void {
  const ior = <f32>load<f64>(load<u32>(surface, SURFACE_MATERIAL), MATERIAL_IOR)
  const eta: f32 = load<f32>(surface, SURFACE_SIDE) > 0 ? <f32>1 / ior : ior
  const dx = load<f32>(surface, SURFACE_DX)
  const dy = load<f32>(surface, SURFACE_DY)
  const dz = load<f32>(surface, SURFACE_DZ)
  const nx = load<f32>(surface, SURFACE_NX)
  const ny = load<f32>(surface, SURFACE_NY)
  const nz = load<f32>(surface, SURFACE_NZ)
  const cosine = -(dx * nx + dy * ny + dz * nz)
  const far = <f32>refractedCosine(cosine, eta)
  const mirrored: f32 = far < 0 ? 1 : <f32>fresnel(cosine, far, eta)
  mirror(surface, mul(weight, splat(mirrored)), tag, sequence)
  if (far < 0) return

  const gx = load<f32>(surface, SURFACE_GX)
  const gy = load<f32>(surface, SURFACE_GY)
  const gz = load<f32>(surface, SURFACE_GZ)
  const offset = load<f32>(surface, SURFACE_OFFSET)
  const along = eta * cosine - far
  let tx = eta * dx + along * nx
  let ty = eta * dy + along * ny
  let tz = eta * dz + along * nz
  const outward: f32 = <f32>2 * max<f32>(0, tx * gx + ty * gy + tz * gz)
  tx -= outward * gx
  ty -= outward * gy
  tz -= outward * gz
  const tint = v128.load(load<u32>(surface, SURFACE_MATERIAL), MATERIAL_COLOR)
  sendOn(
    load<f32>(surface, SURFACE_X) - gx * offset,
    load<f32>(surface, SURFACE_Y) - gy * offset,
    load<f32>(surface, SURFACE_Z) - gz * offset,
    tx,
    ty,
    tz,
    mul(mul(weight, splat(<f32>1 - mirrored)), tint),
    childTag(tag, 1),
    sequence,
  )
}

/**
 * Cosine on the far side of a boundary by Snell's law; -1 for total reflection. `eta`: index on the viewer's side over the far one. Not
 * `refracted` of `surface/fresnel.ts`, which divides by the other ratio: the bytes of frames depend on how this is rounded.
 */
export function refractedCosine(cosine: f64, eta: f64): f64 {
  const square = 1 - eta * eta * (1 - cosine * cosine)
  return square > 0 ? sqrt<f64>(square) : -1
}
