/**
 * Metal: GGX reflection with Schlick's Fresnel term, and the light that microfacets scatter several times (`several.ts`). A smooth one is
 * a mirror.
 */
import { Material } from '../../records'
import { schlickBetween, schlickWeight } from '../../surface/fresnel'
import { answer, answerNothing, point, x, y, z } from '../result'
import { single } from '../workspace'
import { albedo } from './albedo'
import { pointCosine } from './diffuse'
import { chooseFacet, ggxD, ggxLambda, hx, hy, hz, pointMirrored, setBetween } from './ggx'
import { severalColor } from './several'

const INVERSE_PI: f64 = 1.0 / 3.141592653589793

/** Colour of the light that is scattered several times. */
@inline
function again(color: f64, meanAlbedo: f64): f64 {
  return severalColor(color, 1, 1 - meanAlbedo)
}

/** Share of the light that is scattered several times, and the probability with which `sampleConductor` follows that part. */
@inline
function lost(material: u32, oz: f64): f64 {
  return single ? 0 : 1 - albedo(material, oz)
}

export function evaluateConductor(material: u32, ox: f64, oy: f64, oz: f64, ix: f64, iy: f64, iz: f64): void {
  const alpha = Material.alpha(material)
  if (iz <= 0 || alpha == 0) {
    answerNothing()
    return
  }
  setBetween(ox, oy, oz, ix, iy, iz)
  const facing = ox * hx + oy * hy + oz * hz
  const lambdaO = ggxLambda(alpha, ox, oy, oz)
  const lambdaI = ggxLambda(alpha, ix, iy, iz)
  const dense = ggxD(alpha, hx, hy, hz) / (4 * oz)
  const value = dense / (1 + lambdaO + lambdaI)
  const grazing = schlickWeight(facing)
  const several = lost(material, oz)
  const mean = Material.meanAlbedo(material)
  let add: f64 = 0
  if (several > 0) {
    add = (several * (1 - albedo(material, iz)) * iz * INVERSE_PI) / (1 - mean)
  }
  const red: f64 = Material.colorRed(material)
  const green: f64 = Material.colorGreen(material)
  const blue: f64 = Material.colorBlue(material)
  answer(
    value * schlickBetween(red, 1, grazing) + add * again(red, mean),
    value * schlickBetween(green, 1, grazing) + add * again(green, mean),
    value * schlickBetween(blue, 1, grazing) + add * again(blue, mean),
    ((1 - several) * dense) / (1 + lambdaO) + several * iz * INVERSE_PI,
  )
}

export function sampleConductor(material: u32, ox: f64, oy: f64, oz: f64, w: f64, cos: f64, sin: f64, v: f64): void {
  const alpha = Material.alpha(material)
  if (alpha == 0) {
    const grazing = schlickWeight(oz)
    point(-ox, -oy, oz)
    answer(
      schlickBetween(<f64>Material.colorRed(material), 1, grazing),
      schlickBetween(<f64>Material.colorGreen(material), 1, grazing),
      schlickBetween(<f64>Material.colorBlue(material), 1, grazing),
      0,
    )
    return
  }
  if (w < lost(material, oz)) pointCosine(cos, sin, v)
  else {
    chooseFacet(alpha, ox, oy, oz, cos, sin, v)
    pointMirrored(ox, oy, oz)
  }
  evaluateConductor(material, ox, oy, oz, x, y, z)
}
