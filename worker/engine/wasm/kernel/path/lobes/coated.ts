/**
 * A diffuse body under a clear dielectric coat, smooth or rough, which may be its own boundary, as of plastics, or another layer: the coat reflects; what it lets in is scattered diffusely, and
 * leaves again as far as the coat lets it (Kelemen and Szirmay-Kalos, Eurographics 2001). Conserves energy, and is reciprocal.
 */
import { Material } from '../../records'
import { reflectance, reflectances, schlick, schlicks } from '../../surface/fresnel'
import { add, div, dot, mul, splat, sub, two } from '../../surface/math/doubles'
import { answer, answerNothing, point, x, y, z } from '../result'
import { albedo } from './albedo'
import { pointCosine } from './diffuse'
import { chooseFacet, ggxLambda, pointMirrored } from './ggx'

const PI: f64 = 3.141592653589793
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
  isChosen = false
  isEvaluated = false
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

/** The direction that `sampleCoated` follows, of the newest hit if `isChosen`, and whether it is that of a smooth coat. */
let isChosen: bool = false
let isSmooth: bool = false
let chosenX: f64 = 0
let chosenY: f64 = 0
let chosenZ: f64 = 0

/** What `evaluateTwo` has found of two directions: what the coat reflects, what the body does of any colour, and the density. */
let coats: v128 = f64x2(0, 0)
let bodies: v128 = f64x2(0, 0)
let densities: v128 = f64x2(0, 0)
/** Whether the second of them is the chosen one. */
let isEvaluated: bool = false

/** Chooses the direction that `sampleCoated` will answer, so that it can be evaluated together with that of a light. */
export function chooseCoated(material: u32, ox: f64, oy: f64, oz: f64, w: f64, cos: f64, sin: f64, v: f64): void {
  const alpha = Material.alpha(material)
  know(material, ox, oy, oz)
  isSmooth = w < coat && alpha == 0
  if (w >= coat) pointCosine(cos, sin, v)
  else if (alpha > 0) {
    chooseFacet(alpha, ox, oy, oz, cos, sin, v)
    pointMirrored(ox, oy, oz)
  } else point(-ox, -oy, oz)
  chosenX = x
  chosenY = y
  chosenZ = z
  isChosen = true
}

/** Of the chosen direction, too. */
export function evaluateCoated(material: u32, ox: f64, oy: f64, oz: f64, ix: f64, iy: f64, iz: f64): void {
  if (iz <= 0) {
    answerNothing()
    return
  }
  know(material, ox, oy, oz)
  isEvaluated = isChosen
  const other = isChosen && !isSmooth
  evaluateTwo(material, ox, oy, oz, two(ix, other ? chosenX : ix), two(iy, other ? chosenY : iy), two(iz, other ? chosenZ : iz))
  answerLane(material, f64x2.extract_lane(coats, 0), f64x2.extract_lane(bodies, 0), f64x2.extract_lane(densities, 0))
}

/** After a smooth coat's reflection the answered value is the weight, and the density 0. */
export function sampleCoated(material: u32, ox: f64, oy: f64, oz: f64, w: f64, cos: f64, sin: f64, v: f64): void {
  if (!isChosen) chooseCoated(material, ox, oy, oz, w, cos, sin, v)
  point(chosenX, chosenY, chosenZ)
  if (isSmooth) {
    const weight = top / coat
    answer(weight, weight, weight, 0)
  } else if (isEvaluated && chosenZ > 0)
    answerLane(material, f64x2.extract_lane(coats, 1), f64x2.extract_lane(bodies, 1), f64x2.extract_lane(densities, 1))
  else evaluateCoated(material, ox, oy, oz, chosenX, chosenY, chosenZ)
}

@inline
function answerLane(material: u32, value: f64, body: f64, density: f64): void {
  answer(
    value + <f64>Material.colorRed(material) * body,
    value + <f64>Material.colorGreen(material) * body,
    value + <f64>Material.colorBlue(material) * body,
    density,
  )
}

/** Evaluates two directions above the surface, one in each lane; a lane below it has no meaning. */
@inline
function evaluateTwo(material: u32, ox: f64, oy: f64, oz: f64, ix: v128, iy: v128, iz: v128): void {
  const alpha = Material.alpha(material)
  const lit = mul(iz, splat(INVERSE_PI))
  const lost = sub(splat(1), alpha == 0 ? mirroredTwo(material, iz) : albedosOf(material, iz))
  bodies = div(mul(mul(splat(1 - top), lost), lit), splat(1 - Material.meanAlbedo(material)))
  const diffuse = mul(splat(1 - coat), lit)
  if (alpha == 0) {
    coats = splat(0)
    densities = diffuse
    return
  }
  // Microfacet normals between the directions, as `ggx.ts` has them for one.
  const x = add(splat(ox), ix)
  const y = add(splat(oy), iy)
  const z = add(splat(oz), iz)
  const scale = div(splat(1), f64x2.sqrt(dot(x, y, z, x, y, z)))
  const hx = mul(x, scale)
  const hy = mul(y, scale)
  const hz = mul(z, scale)
  const square = alpha * alpha
  const spread = add(add(mul(mul(splat(square), hz), hz), mul(hx, hx)), mul(hy, hy))
  const dense = div(div(splat(square), mul(mul(splat(PI), spread), spread)), splat(4 * oz))
  const facing = dot(splat(ox), splat(oy), splat(oz), hx, hy, hz)
  const slope = div(mul(splat(square), add(mul(ix, ix), mul(iy, iy))), mul(iz, iz))
  const lambda = mul(splat(0.5), sub(f64x2.sqrt(add(splat(1), slope)), splat(1)))
  const seen = splat(1 + lambdaO)
  coats = div(mul(dense, mirroredTwo(material, facing)), add(seen, lambda))
  densities = add(diffuse, div(mul(splat(coat), dense), seen))
}

/** `mirrored` of two cosines. */
@inline
function mirroredTwo(material: u32, cosines: v128): v128 {
  return Material.coat(material) == 0 ? reflectances(cosines, Material.ior(material)) : schlicks(Material.coatF0(material), cosines)
}

@inline
function albedosOf(material: u32, cosines: v128): v128 {
  return two(albedo(material, f64x2.extract_lane(cosines, 0)), albedo(material, f64x2.extract_lane(cosines, 1)))
}
