/** A thin sheet of clear glass: both of its faces reflect, light goes back and forth between them, and passes straight through. */
import { Material } from '../../records'
import { sheetReflectance } from '../../surface/fresnel'
import { answer, point } from '../result'

/** The answered value is a weight, and the density 0. */
export function sampleThin(material: u32, ox: f64, oy: f64, oz: f64, w: f64): void {
  if (w < sheetReflectance(oz, Material.ior(material))) {
    point(-ox, -oy, oz)
    answer(1, 1, 1, 0)
    return
  }
  point(-ox, -oy, -oz)
  answer(
    <f64>Material.colorRed(material),
    <f64>Material.colorGreen(material),
    <f64>Material.colorBlue(material),
    0,
  )
}
