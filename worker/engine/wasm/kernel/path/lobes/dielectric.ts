/**
 * The boundary of glass, smooth or rough (Walter et al., "Microfacet Models for Refraction through Rough Surfaces", EGSR 2007).
 * z points to the side where the ray comes from; a direction with z < 0 passes through, tinted with the colour. Radiance is
 * scaled with the square of the index. Light that microfacets would scatter several times is lost.
 */
import { MATERIAL_ALPHA, MATERIAL_COLOR, MATERIAL_IOR } from '../../layout'
import { answer, answerNothing, point, x, y, z } from '../result'
import { reflectance, refracted } from './fresnel'
import { chooseFacet, facets, hidden, hx, hy, hz } from './ggx'

/** Index beyond the boundary over that on the ray's side. */
@inline
function ratio(material: u32, side: f64): f64 {
  const ior = load<f64>(material, MATERIAL_IOR)
  return side > 0 ? ior : 1 / ior
}

/** Answers the same value for all channels, tinted if the light has passed. */
@inline
function answerTinted(material: u32, value: f64, density: f64): void {
  answer(
    value * <f64>load<f32>(material, MATERIAL_COLOR),
    value * <f64>load<f32>(material, MATERIAL_COLOR + 4),
    value * <f64>load<f32>(material, MATERIAL_COLOR + 8),
    density,
  )
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
  const alpha = load<f64>(material, MATERIAL_ALPHA)
  if (alpha == 0 || iz == 0) {
    answerNothing()
    return
  }
  const eta = ratio(material, side)
  const stretch: f64 = iz > 0 ? 1 : eta
  let mx = ox + ix * stretch
  let my = oy + iy * stretch
  let mz = oz + iz * stretch
  const length = sqrt<f64>(mx * mx + my * my + mz * mz)
  if (!(length > 1e-12)) {
    answerNothing()
    return
  }
  const scale = (mz < 0 ? -1.0 : 1.0) / length
  mx *= scale
  my *= scale
  mz *= scale
  const out = ox * mx + oy * my + oz * mz
  const into = ix * mx + iy * my + iz * mz
  // A microfacet that one of the two sees from behind.
  if (out <= 0 || into * iz <= 0) {
    answerNothing()
    return
  }
  const mirrored = reflectance(out, eta)
  const seen = hidden(alpha, ox, oy, oz)
  const dense = facets(alpha, mx, my, mz)
  const masked = 1 / (1 + seen + hidden(alpha, ix, iy, iz))
  const chosen = (dense * out) / ((1 + seen) * oz)
  if (iz > 0) {
    const value = (mirrored * dense * masked) / (4 * oz)
    answer(value, value, value, (mirrored * chosen) / (4 * out))
    return
  }
  const spread = into + out / eta
  const jacobian = -into / (spread * spread)
  const value = ((1 - mirrored) * dense * masked * out * jacobian) / (oz * eta * eta)
  answerTinted(material, value, (1 - mirrored) * chosen * jacobian)
}

/** For a smooth boundary the answered value is the weight, and the density 0. */
export function sampleDielectric(
  material: u32,
  side: f64,
  ox: f64,
  oy: f64,
  oz: f64,
  w: f64,
  u: f64,
  v: f64,
): void {
  const alpha = load<f64>(material, MATERIAL_ALPHA)
  const eta = ratio(material, side)
  let mx: f64 = 0
  let my: f64 = 0
  let mz: f64 = 1
  if (alpha > 0) {
    chooseFacet(alpha, ox, oy, oz, u, v)
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
  const mirrored = reflectance(out, eta)
  if (w < mirrored) {
    point(2 * out * mx - ox, 2 * out * my - oy, 2 * out * mz - oz)
    if (alpha == 0) answer(1, 1, 1, 0)
    else if (z > 0) evaluateDielectric(material, side, ox, oy, oz, x, y, z)
    else answerNothing()
    return
  }
  const far = refracted(out, eta)
  const along = out / eta - far
  point(along * mx - ox / eta, along * my - oy / eta, along * mz - oz / eta)
  if (alpha == 0) answerTinted(material, 1 / (eta * eta), 0)
  else if (z < 0) evaluateDielectric(material, side, ox, oy, oz, x, y, z)
  else answerNothing()
}
