/** The reflected ray of smooth surfaces: mirrors, coats and glass. */
import { Material, Surface } from '../../records'
import { mul } from '../../surface/math/floats'
import { childTag } from '../paths'
import { sendOn } from './send-on'

/** Follows the reflected ray of a surface, tinted with its colour. */
export function scatterMirror(surface: u32, weight: v128, tag: u32, sequence: u32): void {
  mirror(surface, mul(weight, Material.color(Surface.material(surface))), tag, sequence)
}

/** Follows the reflected ray of a surface. */
export function mirror(surface: u32, weight: v128, tag: u32, sequence: u32): void {
  const gx = Surface.gx(surface)
  const gy = Surface.gy(surface)
  const gz = Surface.gz(surface)
  const offset = Surface.offset(surface)
  const dx = Surface.dx(surface)
  const dy = Surface.dy(surface)
  const dz = Surface.dz(surface)
  const nx = Surface.nx(surface)
  const ny = Surface.ny(surface)
  const nz = Surface.nz(surface)
  const twice = <f32>2 * (dx * nx + dy * ny + dz * nz)
  let rx = dx - twice * nx
  let ry = dy - twice * ny
  let rz = dz - twice * nz
  // A shading normal can reflect a ray into the triangle, which then reflects it out again.
  const inward: f32 = <f32>2 * min<f32>(0, rx * gx + ry * gy + rz * gz)
  rx -= inward * gx
  ry -= inward * gy
  rz -= inward * gz
  sendOn(
    Surface.x(surface) + gx * offset,
    Surface.y(surface) + gy * offset,
    Surface.z(surface) + gz * offset,
    rx,
    ry,
    rz,
    weight,
    childTag(tag, 0),
    sequence,
  )
}
