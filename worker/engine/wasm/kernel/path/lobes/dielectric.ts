/**
 * The boundary of glass, smooth or rough (Walter et al., "Microfacet Models for Refraction through Rough Surfaces", EGSR 2007).
 * z points to the side where the ray comes from; a direction with z < 0 passes through, tinted with the colour. Radiance is
 * scaled with the square of the index. Light that microfacets scatter several times (`several.ts`) leaves on either side.
 */
import { GlassAlbedo, Material } from '../../records'
import { reflectance, refracted } from '../../surface/fresnel'
import { answer, answerNothing, point, x, y, z } from '../result'
import { single } from '../workspace'
import { albedoIn } from './albedo'
import { inAir, ratio } from './boundary'
import { pointCosine } from './diffuse'
import { chooseFacet, ggxD, ggxLambda, hx, hy, hz } from './ggx'

const INVERSE_PI: f64 = 1.0 / 3.141592653589793

/** Contrasts below it bend nothing. */
const LEAST_CONTRAST: f64 = 0.001

/** α; what bends nothing does not blur. */
@inline
function alphaOf(material: u32): f64 {
  return inAir || abs<f64>(ratio - 1) > LEAST_CONTRAST ? Material.alpha(material) : 0
}

/** Answers the same value for all channels, tinted if the light has passed. */
@inline
function answerTinted(material: u32, value: f64, density: f64): void {
  answer(
    value * <f64>Material.colorRed(material),
    value * <f64>Material.colorGreen(material),
    value * <f64>Material.colorBlue(material),
    density,
  )
}

/** Number of a side in the material's table: 0 outside, 1 inside. */
@inline
function numberOf(side: f64): u32 {
  return side > 0 ? 0 : 1
}

/** Share of the light along a direction that is scattered several times, and the probability with which `sampleDielectric` follows that part. */
@inline
function lost(material: u32, side: f64, cosine: f64): f64 {
  return single || !inAir ? 0 : albedoIn(GlassAlbedo.sides(Material.albedo(material), numberOf(side)), cosine)
}

/** Probability with which light that is scattered several times passes. */
@inline
function passes(material: u32, side: f64): f64 {
  return GlassAlbedo.passes(Material.albedo(material), numberOf(side))
}

/** `side` is above 0 if the ray comes from outside. */
export function evaluateDielectric(
  material: u32,
  side: f64,
  ox: f64,
  oy: f64,
  oz: f64,
  ix: f64,
  iy: f64,
  iz: f64,
): void {
  const alpha = alphaOf(material)
  if (alpha == 0 || iz == 0) {
    answerNothing()
    return
  }
  const several = lost(material, side, oz)
  setFacets(alpha, ox, oy, oz, ix, iy, iz)
  if (several > 0) addSeveral(material, side, several, iz)
  if (iz > 0) answer(value, value, value, dense)
  else answerTinted(material, value, dense)
}

/** Value times cosine, and density. */
let value: f64 = 0
let dense: f64 = 0

/** Adds what microfacets scatter several times, `several` of the light towards the viewer. */
function addSeveral(material: u32, side: f64, several: f64, iz: f64): void {
  const table = Material.albedo(material)
  const through = passes(material, side)
  dense *= 1 - several
  if (iz > 0) {
    value += several * lost(material, side, iz) * iz * <f64>GlassAlbedo.back(table, numberOf(side))
    dense += several * (1 - through) * iz * INVERSE_PI
    return
  }
  const ior = Material.ior(material)
  const spread = <f64>GlassAlbedo.through(table) / (side > 0 ? ior * ior : 1)
  value -= several * lost(material, -side, -iz) * iz * spread
  dense -= several * through * iz * INVERSE_PI
}

/** Sets value and density to those of microfacets that scatter light once. */
function setFacets(alpha: f64, ox: f64, oy: f64, oz: f64, ix: f64, iy: f64, iz: f64): void {
  value = 0
  dense = 0
  const stretch: f64 = iz > 0 ? 1 : ratio
  let mx = ox + ix * stretch
  let my = oy + iy * stretch
  let mz = oz + iz * stretch
  const length = sqrt<f64>(mx * mx + my * my + mz * mz)
  if (!(length > 1e-12)) return
  const scale = (mz < 0 ? -1.0 : 1.0) / length
  mx *= scale
  my *= scale
  mz *= scale
  const out = ox * mx + oy * my + oz * mz
  const into = ix * mx + iy * my + iz * mz
  // The microfacet faces away from one of the two directions.
  if (out <= 0 || into * iz <= 0) return
  const mirrored = reflectance(out, ratio)
  const lambdaO = ggxLambda(alpha, ox, oy, oz)
  const spread = ggxD(alpha, mx, my, mz)
  const masked = 1 / (1 + lambdaO + ggxLambda(alpha, ix, iy, iz))
  const chosen = (spread * out) / ((1 + lambdaO) * oz)
  if (iz > 0) {
    value = (mirrored * spread * masked) / (4 * oz)
    dense = (mirrored * chosen) / (4 * out)
    return
  }
  const bend = into + out / ratio
  const jacobian = -into / (bend * bend)
  value = ((1 - mirrored) * spread * masked * out * jacobian) / (oz * ratio * ratio)
  dense = (1 - mirrored) * chosen * jacobian
}

/** For a smooth boundary the answered value is the weight, and the density 0. */
export function sampleDielectric(
  material: u32,
  side: f64,
  ox: f64,
  oy: f64,
  oz: f64,
  w: f64,
  cos: f64,
  sin: f64,
  v: f64,
): void {
  const alpha = alphaOf(material)
  let mx: f64 = 0
  let my: f64 = 0
  let mz: f64 = 1
  if (alpha > 0) {
    const several = lost(material, side, oz)
    if (w < several) {
      pointCosine(cos, sin, v)
      if (w < several * passes(material, side)) point(x, y, -z)
      evaluateDielectric(material, side, ox, oy, oz, x, y, z)
      return
    }
    w = (w - several) / (1 - several)
    chooseFacet(alpha, ox, oy, oz, cos, sin, v)
    mx = hx
    my = hy
    mz = hz
  }
  const out = ox * mx + oy * my + oz * mz
  if (out <= 0) {
    point(0, 0, 1)
    answerNothing()
    return
  }
  const mirrored = reflectance(out, ratio)
  if (w < mirrored) {
    point(2 * out * mx - ox, 2 * out * my - oy, 2 * out * mz - oz)
    if (alpha == 0) answer(1, 1, 1, 0)
    else if (z > 0) evaluateDielectric(material, side, ox, oy, oz, x, y, z)
    else answerNothing()
    return
  }
  const far = refracted(out, ratio)
  const along = out / ratio - far
  point(along * mx - ox / ratio, along * my - oy / ratio, along * mz - oz / ratio)
  if (alpha == 0) answerTinted(material, 1 / (ratio * ratio), 0)
  else if (z < 0) evaluateDielectric(material, side, ox, oy, oz, x, y, z)
  else answerNothing()
}
