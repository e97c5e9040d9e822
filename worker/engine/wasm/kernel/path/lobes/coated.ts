/**
 * A diffuse body under a clear dielectric coat, smooth or rough, which may be its own boundary, as of plastics, or another layer: the coat reflects; what it lets in is scattered diffusely, and
 * leaves again as far as the coat lets it (Kelemen and Szirmay-Kalos, Eurographics 2001). Conserves energy, and is reciprocal.
 */
import { Material } from '../../records'
import { reflectance, schlick } from '../../surface/fresnel'
import { answer, answerNothing, point, x, y, z } from '../result'
import { albedo } from './albedo'
import { pointCosine } from './diffuse'
import { chooseFacet, ggxD, ggxLambda, hx, hy, hz, pointMirrored, setBetween } from './ggx'

const INVERSE_PI: f64 = 1.0 / 3.141592653589793
/** The least share of samples for either part, so that neither becomes noisy. */
const LEAST: f64 = 0.1

/** Of a facet of the coat: layers have Schlick's reflectance, as in the principled model. */
@inline
function mirrored(material: u32, cosine: f64): f64 {
  return Material.coat(material) == 0 ? reflectance(cosine, Material.ior(material)) : schlick(Material.coatF0(material), cosine)
}

/** Reflected share of a whole coat. */
@inline
function reflected(material: u32, cosine: f64): f64 {
  return Material.alpha(material) == 0
    ? mirrored(material, cosine)
    : albedo(material, cosine)
}

/** Probability with which `sampleCoated` follows the reflection at the coat. */
@inline
function chosen(top: f64, material: u32): f64 {
  const body = max(max(<f64>Material.colorRed(material), <f64>Material.colorGreen(material)), <f64>Material.colorBlue(material))
  return max(LEAST, min(1 - LEAST, top / (top + (1 - top) * body + 1e-6)))
}

/** What depends on the direction towards the ray's origin alone, of the newest hit if `known`: it is asked for several directions of light. */
let known: bool = false
let top: f64 = 0
let coat: f64 = 0
let lambdaO: f64 = 0

/** To be called before another hit. */
@inline
export function forgetCoat(): void {
  known = false
}

@inline
function know(material: u32, ox: f64, oy: f64, oz: f64): void {
  if (known) return
  known = true
  top = reflected(material, oz)
  coat = chosen(top, material)
  const alpha = Material.alpha(material)
  if (alpha > 0) lambdaO = ggxLambda(alpha, ox, oy, oz)
}

export function evaluateCoated(material: u32, ox: f64, oy: f64, oz: f64, ix: f64, iy: f64, iz: f64): void {
  if (iz <= 0) {
    answerNothing()
    return
  }
  const alpha = Material.alpha(material)
  know(material, ox, oy, oz)
  const lit = iz * INVERSE_PI
  const body = ((1 - top) * (1 - reflected(material, iz)) * lit) / (1 - Material.meanAlbedo(material))
  let value: f64 = 0
  let density = (1 - coat) * lit
  if (alpha > 0) {
    setBetween(ox, oy, oz, ix, iy, iz)
    const dense = ggxD(alpha, hx, hy, hz) / (4 * oz)
    const facing = ox * hx + oy * hy + oz * hz
    value = (dense * mirrored(material, facing)) / (1 + lambdaO + ggxLambda(alpha, ix, iy, iz))
    density += (coat * dense) / (1 + lambdaO)
  }
  answer(
    value + <f64>Material.colorRed(material) * body,
    value + <f64>Material.colorGreen(material) * body,
    value + <f64>Material.colorBlue(material) * body,
    density,
  )
}

/** After a smooth coat's reflection the answered value is the weight, and the density 0. */
export function sampleCoated(material: u32, ox: f64, oy: f64, oz: f64, w: f64, cos: f64, sin: f64, v: f64): void {
  const alpha = Material.alpha(material)
  know(material, ox, oy, oz)
  if (w >= coat) pointCosine(cos, sin, v)
  else if (alpha == 0) {
    point(-ox, -oy, oz)
    const weight = top / coat
    answer(weight, weight, weight, 0)
    return
  } else {
    chooseFacet(alpha, ox, oy, oz, cos, sin, v)
    pointMirrored(ox, oy, oz)
  }
  evaluateCoated(material, ox, oy, oz, x, y, z)
}
