/** A thin sheet of clear glass: both of its faces reflect, light goes back and forth between them, and passes straight through. */
import { MATERIAL_COLOR, MATERIAL_IOR } from '../../layout'
import { answer, point } from '../result'
import { reflectance } from './fresnel'

/** Share of the light that both faces mirror. */
@inline
export function sheetShare(cosine: f64, ior: f64): f64 {
  const once = reflectance(cosine, ior)
  return (2 * once) / (1 + once)
}

/** The answered value is a weight, and the density 0. */
export function sampleThin(material: u32, ox: f64, oy: f64, oz: f64, w: f64): void {
  if (w < sheetShare(oz, load<f64>(material, MATERIAL_IOR))) {
    point(-ox, -oy, oz)
    answer(1, 1, 1, 0)
    return
  }
  point(-ox, -oy, -oz)
  answer(
    <f64>load<f32>(material, MATERIAL_COLOR),
    <f64>load<f32>(material, MATERIAL_COLOR + 4),
    <f64>load<f32>(material, MATERIAL_COLOR + 8),
    0,
  )
}
