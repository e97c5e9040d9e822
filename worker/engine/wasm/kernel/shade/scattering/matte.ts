/** A Lambert reflector: collects light from the lights with shadow rays. */
import { MATERIAL_COLOR } from '../../layout'
import { addAmbient } from '../lights/ambient'
import { addSun } from '../lights/sun'
import { SURFACE_MATERIAL } from '../records'

/** Adds the light that the surface, as a Lambert reflector, reflects along a weighted ray. */
export function scatterMatte(surface: u32, red: f64, green: f64, blue: f64, tag: u32, sequence: u32): void {
  const colored = load<u32>(surface, SURFACE_MATERIAL) + MATERIAL_COLOR
  red *= load<f64>(colored)
  green *= load<f64>(colored, 8)
  blue *= load<f64>(colored, 16)
  addSun(surface, red, green, blue, tag)
  addAmbient(surface, red, green, blue, tag, sequence)
}
