/** The indices on both sides of a solid's surface: those of its material and of air, or of two media that touch. Of the newest hit on one. */
import { Material } from '../../records'

/** Index beyond the surface over that on the ray's side. */
export let ratio: f64 = 1
/** Whether it is the material's in air, for which there are tables of albedos. Between others, light that facets scatter several times is lost. */
export let inAir: bool = true

/** @param between index beyond over that on the ray's side */
export function setRatio(material: u32, side: f64, between: f64): void {
  ratio = between
  inAir = between == ownRatio(material, side)
}

/** Of a solid in air. */
@inline
export function ownRatio(material: u32, side: f64): f64 {
  const ior = Material.ior(material)
  return side > 0 ? ior : 1 / ior
}
