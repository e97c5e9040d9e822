/** A Lambert reflector: collects light from the lights with shadow rays. */
import { Material, Surface } from '../../records'
import { mul } from '../../surface/math/floats'
import { addAmbient } from '../lights/ambient'
import { addSun } from '../lights/sun'

/** Adds the light that the surface, as a Lambert reflector, reflects along a weighted ray. */
export function scatterMatte(surface: u32, weight: v128, tag: u32, sequence: u32): void {
  const reflected = mul(weight, Material.color(Surface.material(surface)))
  addSun(surface, reflected, tag)
  addAmbient(surface, reflected, tag, sequence)
}
