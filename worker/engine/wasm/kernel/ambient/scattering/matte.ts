/** A Lambert reflector: collects light from the lights with shadow rays. */
import { MATERIAL_COLOR } from '../../layout'
import { mul } from '../../surface/math/floats'
import { SURFACE_MATERIAL } from '../../surface/records'
import { addAmbient } from '../lights/ambient'
import { addSun } from '../lights/sun'

/** Adds the light that the surface, as a Lambert reflector, reflects along a weighted ray. */
export function scatterMatte(surface: u32, weight: v128, tag: u32, sequence: u32): void {
  const reflected = mul(weight, v128.load(load<u32>(surface, SURFACE_MATERIAL), MATERIAL_COLOR))
  addSun(surface, reflected, tag)
  addAmbient(surface, reflected, tag, sequence)
}
