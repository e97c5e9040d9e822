/** A smooth glass boundary: Fresnel's share is reflected, the rest refracted with the glass's tint. */
import { Material, Surface } from '../../records'
import { fresnel } from '../../surface/fresnel'
import { mul, splat } from '../../surface/math/floats'
import { childTag } from '../paths'
import { mirror } from './mirror'
import { sendOn } from './send-on'

export function scatterGlass(surface: u32, weight: v128, tag: u32, sequence: u32): void {
  const ior = <f32>Material.ior(Surface.material(surface))
  const eta: f32 = Surface.side(surface) > 0 ? <f32>1 / ior : ior
  const dx = Surface.dx(surface)
  const dy = Surface.dy(surface)
  const dz = Surface.dz(surface)
  const nx = Surface.nx(surface)
  const ny = Surface.ny(surface)
  const nz = Surface.nz(surface)
  const cosine = -(dx * nx + dy * ny + dz * nz)
  const far = <f32>refractedCosine(cosine, eta)
  const mirrored: f32 = far < 0 ? 1 : <f32>fresnel(cosine, far, eta)
  mirror(surface, mul(weight, splat(mirrored)), tag, sequence)
  if (far < 0) return

  const gx = Surface.gx(surface)
  const gy = Surface.gy(surface)
  const gz = Surface.gz(surface)
  const offset = Surface.offset(surface)
  const along = eta * cosine - far
  let tx = eta * dx + along * nx
  let ty = eta * dy + along * ny
  let tz = eta * dz + along * nz
  const outward: f32 = <f32>2 * max<f32>(0, tx * gx + ty * gy + tz * gz)
  tx -= outward * gx
  ty -= outward * gy
  tz -= outward * gz
  const tint = Material.color(Surface.material(surface))
  sendOn(
    Surface.x(surface) - gx * offset,
    Surface.y(surface) - gy * offset,
    Surface.z(surface) - gz * offset,
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
