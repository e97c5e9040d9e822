/** The reflected ray of smooth surfaces: mirrors, coats and glass. */
import { MATERIAL_COLOR } from '../../layout'
import { childTag } from '../paths'
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
  SURFACE_X,
  SURFACE_Y,
  SURFACE_Z,
} from '../records'
import { sendOn } from './send-on'

/** Follows the reflected ray of a surface, tinted with its colour. */
export function scatterMirror(surface: u32, red: f64, green: f64, blue: f64, tag: u32, sequence: u32): void {
  const colored = load<u32>(surface, SURFACE_MATERIAL) + MATERIAL_COLOR
  mirror(surface, red * load<f64>(colored), green * load<f64>(colored, 8), blue * load<f64>(colored, 16), tag, sequence)
}

/** Follows the reflected ray of a surface. */
export function mirror(surface: u32, red: f64, green: f64, blue: f64, tag: u32, sequence: u32): void {
  const gx = load<f64>(surface, SURFACE_GX)
  const gy = load<f64>(surface, SURFACE_GY)
  const gz = load<f64>(surface, SURFACE_GZ)
  const offset = load<f64>(surface, SURFACE_OFFSET)
  const dx = load<f64>(surface, SURFACE_DX)
  const dy = load<f64>(surface, SURFACE_DY)
  const dz = load<f64>(surface, SURFACE_DZ)
  const nx = load<f64>(surface, SURFACE_NX)
  const ny = load<f64>(surface, SURFACE_NY)
  const nz = load<f64>(surface, SURFACE_NZ)
  const twice = 2 * (dx * nx + dy * ny + dz * nz)
  let rx = dx - twice * nx
  let ry = dy - twice * ny
  let rz = dz - twice * nz
  // A shading normal can reflect a ray into the triangle, which then reflects it out again.
  const inward = 2 * min<f64>(0, rx * gx + ry * gy + rz * gz)
  rx -= inward * gx
  ry -= inward * gy
  rz -= inward * gz
  sendOn(
    load<f64>(surface, SURFACE_X) + gx * offset,
    load<f64>(surface, SURFACE_Y) + gy * offset,
    load<f64>(surface, SURFACE_Z) + gz * offset,
    rx,
    ry,
    rz,
    red,
    green,
    blue,
    childTag(tag, 0),
    sequence,
  )
}
