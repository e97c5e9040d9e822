/** A Lambert reflector under a clear coat: Schlick's share is reflected, the rest of the light is treated as matte. */
import { MATERIAL_IOR } from '../../layout'
import { normalReflectance, schlick } from '../../surface/fresnel'
import { mul, splat } from '../../surface/math/floats'
import {
  SURFACE_DX,
  SURFACE_DY,
  SURFACE_DZ,
  SURFACE_MATERIAL,
  SURFACE_NX,
  SURFACE_NY,
  SURFACE_NZ,
} from '../../surface/records'
import { scatterMatte } from './matte'
import { mirror } from './mirror'

export function scatterCoated(surface: u32, weight: v128, tag: u32, sequence: u32): void {
  const nx = load<f32>(surface, SURFACE_NX)
  const ny = load<f32>(surface, SURFACE_NY)
  const nz = load<f32>(surface, SURFACE_NZ)
  const dx = load<f32>(surface, SURFACE_DX)
  const dy = load<f32>(surface, SURFACE_DY)
  const dz = load<f32>(surface, SURFACE_DZ)
  const cosine = -(nx * dx + ny * dy + nz * dz)
  const mirrored = <f32>schlick(normalReflectance(load<f64>(load<u32>(surface, SURFACE_MATERIAL), MATERIAL_IOR)), cosine)
  scatterMatte(surface, mul(weight, splat(<f32>1 - mirrored)), tag, sequence)
  mirror(surface, mul(weight, splat(mirrored)), tag, sequence)
}
