/** How a material scatters light: picks the model's lobe. Directions are in the local frame, (ox, oy, oz) towards the ray's origin. */
import { Material, Model } from '../../records'
import { answerNothing } from '../result'
import { chooseCoated, evaluateCoated, forgetCoat, sampleCoated } from './coated'
import { evaluateConductor, sampleConductor } from './conductor'
import { evaluateDielectric, sampleDielectric } from './dielectric'
import { evaluateDiffuse, sampleDiffuse } from './diffuse'
import { evaluatePrincipled, forgetSurface, samplePrincipled } from './principled/principled'
import { sampleThin } from './thin'

/** Whether light from a chosen direction can be scattered towards the ray at all. */
@inline
export function scattersWidely(material: u32): bool {
  const model = Material.model(material)
  if (model == Model.DIFFUSE || model == Model.COATED || model == Model.PRINCIPLED) return true
  return model != Model.THIN && Material.alpha(material) > 0
}

/** Whether light from behind the surface, as the ray sees it, may be scattered towards the ray. */
@inline
export function passesLight(material: u32): bool {
  const model = Material.model(material)
  return model == Model.DIELECTRIC || model == Model.THIN || (model == Model.PRINCIPLED && Material.transmission(material) > 0)
}

/** Lobes may keep what they compute of a hit until this is called: before another. The weights are what its path carries. */
@inline
export function beginHit(weightRed: f64, weightGreen: f64, weightBlue: f64): void {
  forgetSurface(weightRed, weightGreen, weightBlue)
  forgetCoat()
}

/** Lobes may choose the direction that `sample` will answer with the same numbers, to evaluate it together with another. */
@inline
export function choose(material: u32, ox: f64, oy: f64, oz: f64, w: f64, cos: f64, sin: f64, v: f64): void {
  if (Material.model(material) == Model.COATED) chooseCoated(material, ox, oy, oz, w, cos, sin, v)
}

/** Answers value times cosine, and the density with which `sample` answers the direction (ix, iy, iz). */
export function evaluate(
  material: u32,
  side: f64,
  ox: f64,
  oy: f64,
  oz: f64,
  ix: f64,
  iy: f64,
  iz: f64,
): void {
  const model = Material.model(material)
  if (model == Model.DIFFUSE) evaluateDiffuse(material, iz)
  else if (model == Model.COATED) evaluateCoated(material, ox, oy, oz, ix, iy, iz)
  else if (model == Model.CONDUCTOR) evaluateConductor(material, ox, oy, oz, ix, iy, iz)
  else if (model == Model.DIELECTRIC) evaluateDielectric(material, side, ox, oy, oz, ix, iy, iz)
  else if (model == Model.PRINCIPLED) evaluatePrincipled(material, side, ox, oy, oz, ix, iy, iz)
  else answerNothing()
}

/**
 * Answers a direction, and value times cosine and density there; with a density of 0 the value is the weight itself.
 * @param w chooses the lobe; the cosine and the sine of a random angle, and v, the direction
 */
export function sample(material: u32, side: f64, ox: f64, oy: f64, oz: f64, w: f64, cos: f64, sin: f64, v: f64): void {
  const model = Material.model(material)
  if (model == Model.DIFFUSE) sampleDiffuse(material, cos, sin, v)
  else if (model == Model.COATED) sampleCoated(material, ox, oy, oz, w, cos, sin, v)
  else if (model == Model.CONDUCTOR) sampleConductor(material, ox, oy, oz, w, cos, sin, v)
  else if (model == Model.DIELECTRIC) sampleDielectric(material, side, ox, oy, oz, w, cos, sin, v)
  else if (model == Model.PRINCIPLED) samplePrincipled(material, side, ox, oy, oz, w, cos, sin, v)
  else sampleThin(material, ox, oy, oz, w)
}
