/** Surfaces of which only a share is there: what it lets through is seen behind it. */
import { MATERIAL_OPACITY } from '../../layout'
import { mul, splat } from '../../surface/math/floats'
import {
  SURFACE_DX,
  SURFACE_DY,
  SURFACE_DZ,
  SURFACE_GX,
  SURFACE_GY,
  SURFACE_GZ,
  SURFACE_MATERIAL,
  SURFACE_OFFSET,
  SURFACE_X,
  SURFACE_Y,
  SURFACE_Z,
} from '../../surface/records'
import { childTag } from '../paths'
import { sendOn } from './send-on'

/** Sends a ray straight on with its share of the light, and returns the weight of the rest, which the surface scatters. */
export function blend(surface: u32, weight: v128, tag: u32, sequence: u32): v128 {
  const opacity = load<f32>(load<u32>(surface, SURFACE_MATERIAL), MATERIAL_OPACITY)
  if (opacity >= 1) return weight
  const offset = load<f32>(surface, SURFACE_OFFSET)
  sendOn(
    load<f32>(surface, SURFACE_X) - load<f32>(surface, SURFACE_GX) * offset,
    load<f32>(surface, SURFACE_Y) - load<f32>(surface, SURFACE_GY) * offset,
    load<f32>(surface, SURFACE_Z) - load<f32>(surface, SURFACE_GZ) * offset,
    load<f32>(surface, SURFACE_DX),
    load<f32>(surface, SURFACE_DY),
    load<f32>(surface, SURFACE_DZ),
    mul(weight, splat(<f32>1 - opacity)),
    childTag(tag, 1),
    sequence,
  )
  return mul(weight, splat(opacity))
}
