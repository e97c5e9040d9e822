/**
 * The principled model: glTF's metallic-roughness material with its extensions, one lobe for all of them.
 *
 *     fibres, over a coat, over one of   facets of metal and of clear surfaces    GGX, and what they scatter several times
 *                                        a diffuse body, under the clear facets
 *                                        a clear body: refraction, or straight through a sheet, and what facets scatter several times
 *
 * A layer lets through what it does not reflect, by its albedo in the direction of the viewer or of the light, whichever is larger: so
 * nothing gains light, and light may travel the other way round. A diffuse body gets what the facets leave to it as in `coated.ts`, and what a coat leaves to it, if it is
 * alone below.
 */
import { refracted, schlickWeight } from '../../../surface/fresnel'
import { localX, localY, localZ, normalX, normalY, normalZ, setFrame, worldX, worldY, worldZ } from '../../frame'
import { answer, answerNothing, point, x, y, z } from '../../result'
import { pointCosine } from '../diffuse'
import {
  chooseFacet,
  chooseStretchedFacet,
  ggxD,
  ggxLambda,
  hx,
  hy,
  hz,
  setBetween,
  stretchedD,
  stretchedLambda,
} from '../ggx'
import { choosesCoat, choosesCosine, choosesFacets, passesCosine, setChances } from './chances'
import { clearBack, clearLost, clearLostThere, clearThrough, setClear } from './clear'
import {
  carriedBlue,
  carriedGreen,
  carriedRed,
  carry,
  choosesBlue,
  choosesGreen,
  choosesRed,
  indexFor,
  setColours,
} from './colours'
import { fibres } from './fibres'
import {
  againBlue,
  againGreen,
  againRed,
  alphaX,
  alphaY,
  backX,
  backY,
  blue,
  body,
  clear,
  coat,
  coatAlpha,
  coatAt,
  coatShare,
  coatX,
  coatY,
  coatZ,
  denser,
  disperses,
  eta,
  etaBlue,
  etaRed,
  fibreExcess,
  green,
  hasFilm,
  inside,
  isBare,
  leftUnderCoat,
  lost,
  lostThere,
  meanLost,
  meanReflected,
  ox,
  oy,
  oz,
  red,
  reflected,
  reflectedThere,
  setShares,
  setSharesOf,
  setSurface,
  setThere,
  setWholeShares,
  shareBlue,
  shareGreen,
  shareRed,
  sheen,
  sheenAt,
  sheenBlue,
  sheenGreen,
  sheenRed,
  sheenRoughness,
  thin,
  turnedX,
  turnedY,
} from './surface'

/** Cosine from which on a coat has the body's normal. */
const FLAT: f64 = 0.999999
const INVERSE_PI: f64 = 1.0 / 3.141592653589793

/** Whether the globals of `surface.ts` are those of the current hit. */
let isSet: bool = false

/** The next hit is another one, of a path that carries so much. */
@inline
export function forgetSurface(weightRed: f64, weightGreen: f64, weightBlue: f64): void {
  isSet = false
  carry(weightRed, weightGreen, weightBlue)
}

@inline
function know(material: u32, side: f64, x: f64, y: f64, z: f64): void {
  if (isSet) return
  setSurface(material, side, x, y, z)
  setClear(material)
  setChances()
  isSet = true
}

export function evaluatePrincipled(
  material: u32,
  side: f64,
  x: f64,
  y: f64,
  z: f64,
  ix: f64,
  iy: f64,
  iz: f64,
): void {
  know(material, side, x, y, z)
  answerFor(turnedX(ix, iy), turnedY(ix, iy), iz)
}

export function samplePrincipled(material: u32, side: f64, fromX: f64, fromY: f64, fromZ: f64, w: f64, cos: f64, sin: f64, v: f64): void {
  know(material, side, fromX, fromY, fromZ)
  let passes = false
  if (w < choosesFacets) passes = pointFromFacet(w / choosesFacets, cos, sin, v)
  else if (w < choosesFacets + choosesCosine) {
    pointCosine(cos, sin, v)
    passes = w - choosesFacets < choosesCosine * passesCosine
    if (passes) point(x, y, -z)
  }
  else pointFromCoat(cos, sin, v)
  const ix = x
  const iy = y
  // Steep facets send light to the wrong side: it is lost.
  if (passes ? z < 0 : z > 0) answerFor(ix, iy, z)
  else answerNothing()
  point(backX(ix, iy), backY(ix, iy), z)
}

/** What has been added up so far: value times cosine, and density. */
let sumRed: f64 = 0
let sumGreen: f64 = 0
let sumBlue: f64 = 0
let dense: f64 = 0

function answerFor(ix: f64, iy: f64, iz: f64): void {
  sumRed = 0
  sumGreen = 0
  sumBlue = 0
  dense = 0
  if (iz > 0) {
    dense = choosesCosine * (1 - passesCosine) * iz * INVERSE_PI
    reflect(ix, iy, iz)
    if (!inside) layOver(ix, iy, iz)
  } else if (iz < 0 && clear > 0) {
    if (thin) passSheet(ix, iy, iz)
    else if (disperses) {
      refract(ix, iy, iz, etaRed, 1, 0, 0)
      refract(ix, iy, iz, eta, 0, 1, 0)
      refract(ix, iy, iz, etaBlue, 0, 0, 1)
    } else refract(ix, iy, iz, eta, 1, 1, 1)
    if (clearLost > 0) passSeveral(iz)
    layOverPassed(ix, iy, iz)
  }
  if (dense > 0) answer(sumRed, sumGreen, sumBlue, dense)
  else answerNothing()
}

@inline
function dim(share: f64): void {
  sumRed *= share
  sumGreen *= share
  sumBlue *= share
}

/** What coat and fibres leave of light that passes: they are on the outer side of solids, and on both of sheets. */
function layOverPassed(ix: f64, iy: f64, iz: f64): void {
  if (coat > 0) {
    const out = inside ? 0 : coatAt(abs<f64>(ox * coatX + oy * coatY + oz * coatZ))
    const into = inside || thin ? coatAt(abs<f64>(ix * coatX + iy * coatY + iz * coatZ)) : 0
    dim(1 - max(out, into))
  }
  if (sheen == 0) return
  const out = inside ? 0 : sheenAt(oz)
  const into = inside || thin ? sheenAt(-iz) : 0
  dim(1 - max(out, into))
}

/** What a facet whose reflectances are set lets pass of each colour. */
let restRed: f64 = 0
let restGreen: f64 = 0
let restBlue: f64 = 0

/** Reflectances of a facet seen at a cosine on the ray's side, and the probability that a sample is mirrored there. */
@inline
function mirroredShare(facing: f64): f64 {
  if (disperses) return mirroredOfColours(facing)
  if (denser) {
    // Schlick's formula is for the outer side: so light may travel the other way round.
    const far = refracted(facing, eta)
    if (far == 0) {
      setWholeShares()
      return 1
    }
    setShares(far, schlickWeight(far))
  } else setShares(facing, schlickWeight(facing))
  if (clear == 0) return 1
  const mirrored = max(max(shareRed, shareGreen), shareBlue)
  restRed = 1 - mirrored
  restGreen = restRed
  restBlue = restRed
  return mirrored / (mirrored + clear * max(max(red, green), blue) * restRed + 1e-9)
}

/** The same where colours are refracted by different indices: each has a critical angle of its own. Sets with which probability each passes, too. */
function mirroredOfColours(facing: f64): f64 {
  restRed = setSharesBy(facing, etaRed)
  const mirroredRed = shareRed
  restGreen = setSharesBy(facing, eta)
  const mirroredGreen = shareGreen
  restBlue = setSharesBy(facing, etaBlue)
  setSharesOf(mirroredRed, mirroredGreen, shareBlue)
  setColours(red * restRed, green * restGreen, blue * restBlue)
  const mirrored = carriedRed * shareRed + carriedGreen * shareGreen + carriedBlue * shareBlue
  const passing = carriedRed * red * restRed + carriedGreen * green * restGreen + carriedBlue * blue * restBlue
  return passing > 0 ? mirrored / (mirrored + clear * passing) : 1
}

/** Sets the reflectances by one index, and returns what passes. */
function setSharesBy(facing: f64, index: f64): f64 {
  const far = refracted(facing, index)
  if (far == 0) setWholeShares()
  else {
    // Where Schlick's formula is for.
    const outer = denser ? far : facing
    setShares(outer, schlickWeight(outer))
  }
  return 1 - max(max(shareRed, shareGreen), shareBlue)
}

/** Adds what facets and the body reflect. */
function reflect(ix: f64, iy: f64, iz: f64): void {
  const lambdaO = stretchedLambda(alphaX, alphaY, ox, oy, oz)
  setBetween(ox, oy, oz, ix, iy, iz)
  const facing = ox * hx + oy * hy + oz * hz
  const spread = stretchedD(alphaX, alphaY, hx, hy, hz) / (4 * oz)
  const mirrored = mirroredShare(facing)
  const value = spread / (1 + lambdaO + stretchedLambda(alphaX, alphaY, ix, iy, iz))
  const lit = iz * INVERSE_PI
  if (!inside) setThere(iz)
  const under = body > 0 ? body * lit * leftToBody(iz) : 0
  // Where all may be reflected, facets are as clear as the solid is, and the body is visible directly.
  const share = denser ? value * (1 - body) : value
  sumRed += share * shareRed + under * red
  sumGreen += share * shareGreen + under * green
  sumBlue += share * shareBlue + under * blue
  if (lost > 0 && !inside) {
    const several = (lost * lostThere() * lit) / meanLost
    sumRed += several * againRed
    sumGreen += several * againGreen
    sumBlue += several * againBlue
  }
  if (clearLost > 0) {
    const several = clearLost * clearLostThere(iz, true) * clearBack * lit
    sumRed += several
    sumGreen += several
    sumBlue += several
  }
  dense += (choosesFacets * mirrored * spread) / (1 + lambdaO)
}

/** Adds what passes after facets have scattered it several times. */
function passSeveral(iz: f64): void {
  const lit = -iz * INVERSE_PI
  dense += choosesCosine * passesCosine * lit
  const several = clearLost * clearLostThere(-iz, false) * clearThrough * lit
  // The factor is for radiance from inside a solid of the middle channel's index.
  const scale = inside ? several * eta * eta : several
  sumRed += (red * scale) / scaleOf(etaRed)
  sumGreen += (green * scale) / scaleOf(eta)
  sumBlue += (blue * scale) / scaleOf(etaBlue)
}

/** Solids scale radiance by the square of an index. */
@inline
function scaleOf(index: f64): f64 {
  return thin ? 1 : index * index
}

/** Share of light that the facets leave to a body below, on its way in and on its way out. */
@inline
function leftToBody(iz: f64): f64 {
  if (inside) return 1
  const there = reflectedThere(iz)
  if (hasFilm()) return max<f64>(0, 1 - max(reflected, there))
  return (max<f64>(0, 1 - reflected) * max<f64>(0, 1 - there)) / (1 - meanReflected)
}

/** Lays coat and fibres over what has been added up. */
function layOver(ix: f64, iy: f64, iz: f64): void {
  if (coat > 0) {
    const out = ox * coatX + oy * coatY + oz * coatZ
    const into = ix * coatX + iy * coatY + iz * coatZ
    const mirroredOut = coatAt(abs<f64>(out))
    const mirroredInto = coatAt(abs<f64>(into))
    dim(isBare && coatZ > FLAT ? leftUnderCoat(mirroredOut, mirroredInto) : 1 - max(mirroredOut, mirroredInto))
    if (out > 0 && into > 0) addCoat(out, into, ix, iy, iz)
  }
  if (sheen == 0) return
  dim(1 - max(sheenAt(oz), sheenAt(iz)))
  const value = fibres(sheenRoughness, ox, oy, oz, ix, iy, iz) / max(fibreExcess(oz), fibreExcess(iz))
  sumRed += value * sheenRed
  sumGreen += value * sheenGreen
  sumBlue += value * sheenBlue
}

function addCoat(out: f64, into: f64, ix: f64, iy: f64, iz: f64): void {
  setBetween(ox, oy, oz, ix, iy, iz)
  const facing = ox * hx + oy * hy + oz * hz
  const up = hx * coatX + hy * coatY + hz * coatZ
  // In a frame of the coat's own, x may point anywhere.
  const lambdaO = ggxLambda(coatAlpha, besideCoat(ox, oy, oz), 0, out)
  const spread = ggxD(coatAlpha, besideCoat(hx, hy, hz), 0, up) / (4 * out)
  const value = (spread * coatShare(schlickWeight(facing))) / (1 + lambdaO + ggxLambda(coatAlpha, besideCoat(ix, iy, iz), 0, into))
  sumRed += value
  sumGreen += value
  sumBlue += value
  dense += (choosesCoat * spread) / (1 + lambdaO)
}

/** Sine of a direction's angle to the coat's normal: the length of their cross product. */
@inline
function besideCoat(x: f64, y: f64, z: f64): f64 {
  const cx = y * coatZ - z * coatY
  const cy = z * coatX - x * coatZ
  const cz = x * coatY - y * coatX
  return sqrt<f64>(cx * cx + cy * cy + cz * cz)
}

/** Adds what passes a sheet: straight on, as blurred as its reflection. */
function passSheet(ix: f64, iy: f64, iz: f64): void {
  const lambdaO = stretchedLambda(alphaX, alphaY, ox, oy, oz)
  setBetween(ox, oy, oz, ix, iy, -iz)
  const facing = ox * hx + oy * hy + oz * hz
  const spread = stretchedD(alphaX, alphaY, hx, hy, hz) / (4 * oz)
  const mirrored = mirroredShare(facing)
  const value = (clear * spread) / (1 + lambdaO + stretchedLambda(alphaX, alphaY, ix, iy, iz))
  addPassed(value, 1, 1, 1)
  dense += (choosesFacets * (1 - mirrored) * spread) / (1 + lambdaO)
}

/** Adds light that has passed facets, whose reflectances are set, for some of the channels. */
@inline
function addPassed(value: f64, inRed: f64, inGreen: f64, inBlue: f64): void {
  sumRed += value * inRed * restRed * red
  sumGreen += value * inGreen * restGreen * green
  sumBlue += value * inBlue * restBlue * blue
}

/** Adds what is refracted by an index (Walter et al., EGSR 2007), for some of the channels. */
function refract(ix: f64, iy: f64, iz: f64, index: f64, inRed: f64, inGreen: f64, inBlue: f64): void {
  let mx = ox + ix * index
  let my = oy + iy * index
  let mz = oz + iz * index
  const length = sqrt<f64>(mx * mx + my * my + mz * mz)
  if (!(length > 1e-9)) return
  const scale = (mz < 0 ? -1.0 : 1.0) / length
  mx *= scale
  my *= scale
  mz *= scale
  const out = ox * mx + oy * my + oz * mz
  const into = ix * mx + iy * my + iz * mz
  // The facet faces away from one of the two directions.
  if (out <= 0 || into >= 0) return
  const mirrored = mirroredShare(out)
  if (mirrored == 1) return
  const lambdaO = stretchedLambda(alphaX, alphaY, ox, oy, oz)
  const spread = stretchedD(alphaX, alphaY, mx, my, mz)
  const bend = into + out / index
  const jacobian = -into / (bend * bend)
  const value = (spread * out * jacobian) / (oz * index * index)
  addPassed((clear * value) / (1 + lambdaO + stretchedLambda(alphaX, alphaY, ix, iy, iz)), inRed, inGreen, inBlue)
  const share = disperses ? inRed * choosesRed + inGreen * choosesGreen + inBlue * choosesBlue : 1
  dense += (share * choosesFacets * (1 - mirrored) * spread * out * jacobian) / ((1 + lambdaO) * oz)
}

/** Points where a facet sends the light: mirrored, or through it. Returns whether it passes. */
function pointFromFacet(w: f64, cos: f64, sin: f64, v: f64): bool {
  chooseStretchedFacet(alphaX, alphaY, ox, oy, oz, cos, sin, v)
  const facing = ox * hx + oy * hy + oz * hz
  const mirrored = mirroredShare(facing)
  if (w < mirrored || facing <= 0) {
    point(2 * facing * hx - ox, 2 * facing * hy - oy, 2 * facing * hz - oz)
    return false
  }
  if (thin) {
    point(2 * facing * hx - ox, 2 * facing * hy - oy, oz - 2 * facing * hz)
    return true
  }
  // What is left of the number chooses the colour whose index counts.
  const index = disperses ? indexFor((w - mirrored) / (1 - mirrored), etaRed, eta, etaBlue) : eta
  const far = refracted(facing, index)
  const along = facing / index - far
  point(along * hx - ox / index, along * hy - oy / index, along * hz - oz / index)
  return true
}

/** Points where a facet of the coat mirrors the light. */
function pointFromCoat(cos: f64, sin: f64, v: f64): void {
  const nx = normalX
  const ny = normalY
  const nz = normalZ
  setFrame(coatX, coatY, coatZ)
  const out = localZ(ox, oy, oz)
  chooseFacet(coatAlpha, localX(ox, oy, oz), localY(ox, oy, oz), max<f64>(1e-6, out), cos, sin, v)
  const mx = worldX(hx, hy, hz)
  const my = worldY(hx, hy, hz)
  const mz = worldZ(hx, hy, hz)
  // The hit's own again.
  setFrame(nx, ny, nz)
  const twice = 2 * (ox * mx + oy * my + oz * mz)
  point(twice * mx - ox, twice * my - oy, twice * mz - oz)
}
