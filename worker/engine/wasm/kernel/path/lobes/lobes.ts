/** How a material scatters light: picks the model's lobe. Directions are in the local frame, (ox, oy, oz) towards the ray's origin. */
import {
  MATERIAL_ALPHA,
  MATERIAL_MODEL,
  MODEL_COATED,
  MODEL_CONDUCTOR,
  MODEL_DIELECTRIC,
  MODEL_DIFFUSE,
  MODEL_PRINCIPLED,
  MODEL_THIN,
} from '../../layout'
import { answerNothing } from '../result'
import { evaluateCoated, sampleCoated } from './coated'
import { evaluateConductor, sampleConductor } from './conductor'
import { evaluateDielectric, sampleDielectric } from './dielectric'
import { evaluateDiffuse, sampleDiffuse } from './diffuse'
import { entersSolid, evaluatePrincipled, forgetSurface, samplePrincipled } from './principled/principled'
import { sampleThin } from './thin'

/** Whether light from a chosen direction can be scattered towards the ray at all. */
@inline
export function scattersWidely(material: u32): bool {
  const model = load<u32>(material, MATERIAL_MODEL)
  if (model == MODEL_DIFFUSE || model == MODEL_COATED || model == MODEL_PRINCIPLED) return true
  return model != MODEL_THIN && load<f64>(material, MATERIAL_ALPHA) > 0
}

/** Lobes may keep what they compute of a hit until this is called: before another. */
@inline
export function beginHit(): void {
  forgetSurface()
}

/** Whether light that has passed the surface after `sample` is in a medium. */
@inline
export function entersMedium(material: u32): bool {
  const model = load<u32>(material, MATERIAL_MODEL)
  return model == MODEL_DIELECTRIC || (model == MODEL_PRINCIPLED && entersSolid())
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
  const model = load<u32>(material, MATERIAL_MODEL)
  if (model == MODEL_DIFFUSE) evaluateDiffuse(material, iz)
  else if (model == MODEL_COATED) evaluateCoated(material, ox, oy, oz, ix, iy, iz)
  else if (model == MODEL_CONDUCTOR) evaluateConductor(material, ox, oy, oz, ix, iy, iz)
  else if (model == MODEL_DIELECTRIC) evaluateDielectric(material, side, ox, oy, oz, ix, iy, iz)
  else if (model == MODEL_PRINCIPLED) evaluatePrincipled(material, side, ox, oy, oz, ix, iy, iz)
  else answerNothing()
}

/**
 * Answers a direction, and value times cosine and density there; with a density of 0 the value is the weight itself.
 * @param w chooses the lobe, u and v the direction
 */
export function sample(material: u32, side: f64, ox: f64, oy: f64, oz: f64, w: f64, u: f64, v: f64): void {
  const model = load<u32>(material, MATERIAL_MODEL)
  if (model == MODEL_DIFFUSE) sampleDiffuse(material, u, v)
  else if (model == MODEL_COATED) sampleCoated(material, ox, oy, oz, w, u, v)
  else if (model == MODEL_CONDUCTOR) sampleConductor(material, ox, oy, oz, w, u, v)
  else if (model == MODEL_DIELECTRIC) sampleDielectric(material, side, ox, oy, oz, w, u, v)
  else if (model == MODEL_PRINCIPLED) samplePrincipled(material, side, ox, oy, oz, w, u, v)
  else sampleThin(material, ox, oy, oz, w)
}
