/** The reflected ray of smooth surfaces: mirrors, coats and glass. */
import { MATERIAL_COLOR } from '../../layout'
import { mul } from '../../surface/math/floats'
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
} from '../../surface/records'
import { childTag } from '../paths'
import { sendOn } from './send-on'

/** Follows the reflected ray of a surface, tinted with its colour. */
export function scatterMirror(surface: u32, weight: v128, tag: u32, sequence: u32): void {
  mirror(surface, mul(weight, v128.load(load<u32>(surface, SURFACE_MATERIAL), MATERIAL_COLOR)), tag, sequence)
}

/** Follows the reflected ray of a surface. */
export function mirror(surface: u32, weight: v128, tag: u32, sequence: u32): void {
  const gx = load<f32>(surface, SURFACE_GX)
  const gy = load<f32>(surface, SURFACE_GY)
  const gz = load<f32>(surface, SURFACE_GZ)
  const offset = load<f32>(surface, SURFACE_OFFSET)
  const dx = load<f32>(surface, SURFACE_DX)
  const dy = load<f32>(surface, SURFACE_DY)
  const dz = load<f32>(surface, SURFACE_DZ)
  const nx = load<f32>(surface, SURFACE_NX)
  const ny = load<f32>(surface, SURFACE_NY)
  const nz = load<f32>(surface, SURFACE_NZ)
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
    load<f32>(surface, SURFACE_X) + gx * offset,
    load<f32>(surface, SURFACE_Y) + gy * offset,
    load<f32>(surface, SURFACE_Z) + gz * offset,
    rx,
    ry,
    rz,
    weight,
    childTag(tag, 0),
    sequence,
  )
}
