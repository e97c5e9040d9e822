/**
 * The properties of a principled material at a hit, as its lobes need them; all that does not depend on where light comes from. Globals,
 * computed once per hit: lobes are evaluated for a light and sampled for the path from the same ones.
 *
 * Directions here are in a frame whose z is the shading normal and whose x is the long side of highlights.
 */
import { Material } from '../../../records'
import { normalReflectance, schlickBetween } from '../../../surface/fresnel'
import { inAir, ratio } from '../boundary'
import { localX, localY, localZ } from '../../frame'
import { single } from '../../workspace'
import { severalColor } from '../several'
import { f0Albedo, f90Albedo, fibreAlbedo, LEAST_ALPHA, meanF0Albedo, meanF90Albedo, setAlbedos } from './albedos'
import { filmBlue, filmGreen, filmRed, setFilm } from './film'

/** Cosine and sine of the turn from the hit's local frame to this one. */
let turnX: f64 = 1
let turnY: f64 = 0
/** Towards the ray's origin. */
export let ox: f64 = 0
export let oy: f64 = 0
export let oz: f64 = 0

/** α along and across highlights, and the roughness whose albedos are used: the narrower one reflects more. */
export let alphaX: f64 = 0
export let alphaY: f64 = 0
export let roughness: f64 = 0
/** Shares of light that diffuse bodies and clear ones get of what is not reflected. */
export let body: f64 = 0
export let clear: f64 = 0
export let thin: bool = false
/** Whether the ray comes from inside a solid. */
export let inside: bool = false
/** Whether what is beyond a clear surface is less dense, so that all light may be reflected: from inside, mostly. */
export let denser: bool = false
/** Index beyond the surface over that on the ray's side, for red, green and blue; equal without dispersion. */
export let etaRed: f64 = 1
export let eta: f64 = 1
export let etaBlue: f64 = 1
export let disperses: bool = false

export let red: f64 = 0
export let green: f64 = 0
export let blue: f64 = 0
/** F₀ and F₉₀, the reflectances at normal and at grazing incidence, of metal and the rest together. */
export let f0Red: f64 = 0
export let f0Green: f64 = 0
export let f0Blue: f64 = 0
export let f90: f64 = 1
/** Colour of the light that facets scatter several times, how much of it leaves towards the viewer, and its mean. */
export let againRed: f64 = 0
export let againGreen: f64 = 0
export let againBlue: f64 = 0
export let lost: f64 = 0
export let meanLost: f64 = 0
/** What reflects of light that is not metal: towards the viewer, and on average. */
export let reflected: f64 = 0
export let meanReflected: f64 = 0
/** Albedo of the facets towards the viewer: the factors of F₀ and of F₉₀. */
export let viewerF0Albedo: f64 = 0
export let viewerF90Albedo: f64 = 0
/** Whether there is nothing but a diffuse body, below coat and fibres. */
export let isBare: bool = false
/** F₀ and F₉₀ of what is not metal, and how much of the light that facets scatter several times it reflects. */
export let clearF0: f64 = 0
export let clearF90: f64 = 0
export let clearAgain: f64 = 0

export let coat: f64 = 0
export let coatAlpha: f64 = 0
let coatRoughness: f64 = 0
export let coatX: f64 = 0
export let coatY: f64 = 0
export let coatZ: f64 = 1

export let sheenRed: f64 = 0
export let sheenGreen: f64 = 0
export let sheenBlue: f64 = 0
export let sheen: f64 = 0
export let sheenRoughness: f64 = 0

export let film: f64 = 0
let filmIndex: f64 = 1
let filmThickness: f64 = 0

let coatF0: f64 = 0

export function setSurface(material: u32, side: f64, x: f64, y: f64, z: f64): void {
  const metallic: f64 = Material.metallic(material)
  const passes: f64 = Material.transmission(material)
  roughness = Material.roughness(material)
  thin = Material.thin(material) != 0
  clear = (1 - metallic) * passes
  body = (1 - metallic) * (1 - passes)
  inside = side < 0 && !thin && clear > 0
  setIndices(material, side)
  setTurn(material)
  ox = turnedX(x, y)
  oy = turnedY(x, y)
  oz = z
  red = Material.colorRed(material)
  green = Material.colorGreen(material)
  blue = Material.colorBlue(material)
  setReflection(material, metallic)
  setCoat(material)
  setSheen(material)
}

function setIndices(material: u32, side: f64): void {
  const index = Material.ior(material)
  // KHR_materials_dispersion: as much more or less as 0.025 of what exceeds 1.
  const apart = (index - 1) * 0.025 * <f64>Material.dispersion(material)
  disperses = apart > 0 && !thin && clear > 0
  if (isBetween()) {
    const less = 1 - apart / index
    const more = 1 + apart / index
    etaRed = contrast(side > 0 ? ratio * less : ratio / less)
    eta = contrast(ratio)
    etaBlue = contrast(side > 0 ? ratio * more : ratio / more)
    denser = eta < 1
    return
  }
  denser = inside
  etaRed = beyond(index - apart)
  eta = beyond(index)
  etaBlue = beyond(index + apart)
}

/** Whether it is a boundary of two media, none of which is air. */
@inline
function isBetween(): bool {
  return !inAir && clear > 0 && !thin
}

@inline
function contrast(between: f64): f64 {
  return between < 1 ? min<f64>(between, 1 / LEAST_INDEX) : max<f64>(between, LEAST_INDEX)
}

/** Air in air: facets that bend nothing would send all light into one direction. */
const LEAST_INDEX: f64 = 1.001

@inline
function beyond(index: f64): f64 {
  const least = max<f64>(LEAST_INDEX, index)
  return inside ? 1 / least : least
}

/** The frame's turn, and the widths of facets. */
function setTurn(material: u32): void {
  const alpha = max<f64>(LEAST_ALPHA, roughness * roughness)
  const strength: f64 = Material.anisotropy(material)
  turnX = 1
  turnY = 0
  alphaX = alpha
  alphaY = alpha
  if (strength == 0) return
  alphaX = alpha + (1 - alpha) * strength * strength
  // The tangent in the local frame; a surface without one has the frame's.
  const tx: f64 = Material.tangentX(material)
  const ty: f64 = Material.tangentY(material)
  const tz: f64 = Material.tangentZ(material)
  let u: f64 = 1
  let v: f64 = 0
  const hand: f64 = Material.tangentSide(material) < 0 ? -1 : 1
  if (tx * tx + ty * ty + tz * tz > 0.5) {
    u = localX(tx, ty, tz)
    v = localY(tx, ty, tz)
    const length = sqrt<f64>(u * u + v * v)
    u = length > 1e-6 ? u / length : 1
    v = length > 1e-6 ? v / length : 0
  }
  const along: f64 = Material.anisotropyDirectionX(material)
  const across = hand * <f64>Material.anisotropyDirectionY(material)
  turnX = along * u - across * v
  turnY = along * v + across * u
}

/** Coordinates in this frame of a direction in the hit's, and back. */
@inline
export function turnedX(x: f64, y: f64): f64 {
  return x * turnX + y * turnY
}

@inline
export function turnedY(x: f64, y: f64): f64 {
  return y * turnX - x * turnY
}

@inline
export function backX(x: f64, y: f64): f64 {
  return x * turnX - y * turnY
}

@inline
export function backY(x: f64, y: f64): f64 {
  return y * turnX + x * turnY
}

function setReflection(material: u32, metallic: f64): void {
  const normal = normalReflectance(isBetween() ? eta : Material.ior(material))
  // The roughest surfaces are purely diffuse, as where they are nothing else (`light/models.ts`).
  const strength: f64 = roughness == 1 && clear == 0 ? 0 : <f64>Material.specular(material)
  clearF90 = strength
  const clearRed = strength * min<f64>(1, normal * <f64>Material.specularColorRed(material))
  const clearGreen = strength * min<f64>(1, normal * <f64>Material.specularColorGreen(material))
  const clearBlue = strength * min<f64>(1, normal * <f64>Material.specularColorBlue(material))
  clearF0 = max(max(clearRed, clearGreen), clearBlue)
  f0Red = clearRed + (red - clearRed) * metallic
  f0Green = clearGreen + (green - clearGreen) * metallic
  f0Blue = clearBlue + (blue - clearBlue) * metallic
  f90 = clearF90 + (1 - clearF90) * metallic
  film = Material.iridescence(material)
  filmIndex = Material.iridescenceIor(material)
  filmThickness = Material.iridescenceThickness(material)
  if (!(filmThickness > 0)) film = 0
  isBare = body == 1 && strength == 0 && film == 0

  setAlbedos(roughness, oz)
  viewerF0Albedo = f0Albedo
  viewerF90Albedo = f90Albedo
  lost = lostThere()
  meanLost = max<f64>(1e-9, 1 - meanF0Albedo(roughness) - meanF90Albedo(roughness))
  againRed = again(f0Red, f90)
  againGreen = again(f0Green, f90)
  againBlue = again(f0Blue, f90)
  clearAgain = again(clearF0, clearF90)
  reflected = reflectedThere(oz)
  meanReflected = clearF0 * meanF0Albedo(roughness) + clearF90 * meanF90Albedo(roughness) + clearAgain * meanLost
}

/** Colour of the light that is scattered several times. */
@inline
function again(f0: f64, f90: f64): f64 {
  return severalColor(f0, f90, meanLost)
}

/** To be called with the cosine of a direction before `lostThere` and `reflectedThere`. */
@inline
export function setThere(cosine: f64): void {
  setAlbedos(roughness, cosine)
}

/** How much of the light along a direction facets scatter several times. */
@inline
export function lostThere(): f64 {
  return single ? 0 : max<f64>(0, 1 - f0Albedo - f90Albedo)
}

/** How much of the light along a direction what is not metal reflects. */
export function reflectedThere(cosine: f64): f64 {
  const plain = clearF0 * f0Albedo + clearF90 * f90Albedo + clearAgain * lostThere()
  if (film == 0) return plain
  setFilm(filmIndex, filmThickness, cosine, clearF0, clearF0, clearF0)
  return plain + film * max<f64>(0, max(max(filmRed, filmGreen), filmBlue) - plain)
}

/** Whether bodies get only what is certainly left: the mean of what films reflect is unknown. */
@inline
export function hasFilm(): bool {
  return film > 0
}

/** Reflectance of a facet, set as `shareRed` and so on, for the cosine on the outer side; `grazing` is (1 − cosine)⁵. */
export let shareRed: f64 = 0
export let shareGreen: f64 = 0
export let shareBlue: f64 = 0

export function setShares(cosine: f64, grazing: f64): void {
  shareRed = schlickBetween(f0Red, f90, grazing)
  shareGreen = schlickBetween(f0Green, f90, grazing)
  shareBlue = schlickBetween(f0Blue, f90, grazing)
  if (film == 0) return
  setFilm(filmIndex, filmThickness, cosine, f0Red, f0Green, f0Blue)
  shareRed += film * (filmRed - shareRed)
  shareGreen += film * (filmGreen - shareGreen)
  shareBlue += film * (filmBlue - shareBlue)
}

/** All is reflected: from inside, beyond the critical angle. */
export function setWholeShares(): void {
  setSharesOf(1, 1, 1)
}

@inline
export function setSharesOf(newRed: f64, newGreen: f64, newBlue: f64): void {
  shareRed = newRed
  shareGreen = newGreen
  shareBlue = newBlue
}

function setCoat(material: u32): void {
  coat = Material.coat(material)
  if (coat == 0) return
  coatF0 = Material.coatF0(material)
  coatRoughness = Material.coatRoughness(material)
  coatAlpha = max<f64>(LEAST_ALPHA, coatRoughness * coatRoughness)
  const nx: f64 = Material.coatNormalX(material)
  const ny: f64 = Material.coatNormalY(material)
  const nz: f64 = Material.coatNormalZ(material)
  coatX = 0
  coatY = 0
  coatZ = 1
  if (!(nx * nx + ny * ny + nz * nz > 0.5)) return
  const x = localX(nx, ny, nz)
  const y = localY(nx, ny, nz)
  coatX = turnedX(x, y)
  coatY = turnedY(x, y)
  coatZ = localZ(nx, ny, nz)
}

function setSheen(material: u32): void {
  sheenRed = Material.sheenColorRed(material)
  sheenGreen = Material.sheenColorGreen(material)
  sheenBlue = Material.sheenColorBlue(material)
  sheen = max(max(sheenRed, sheenGreen), sheenBlue)
  sheenRoughness = Material.sheenRoughness(material)
}

/** Reflected share of the coat for a direction with a cosine to its normal. */
@inline
export function coatAt(cosine: f64): f64 {
  setAlbedos(coatRoughness, cosine)
  return coat * (coatF0 * f0Albedo + f90Albedo)
}

/** Share of light that a coat leaves to a diffuse body, from what it reflects in both directions (`coated.ts`). */
export function leftUnderCoat(out: f64, into: f64): f64 {
  return ((1 - out) * (1 - into)) / (1 - coat * (coatF0 * meanF0Albedo(coatRoughness) + meanF90Albedo(coatRoughness)))
}

/** Reflectance of the coat's facets. */
@inline
export function coatShare(grazing: f64): f64 {
  return coat * schlickBetween(coatF0, 1, grazing)
}

/** Share of fibres along a direction; never all. */
@inline
export function sheenAt(cosine: f64): f64 {
  return sheen * min<f64>(1, fibreAlbedo(sheenRoughness, cosine))
}

/** What fibres scatter must be divided by so that it is not more than there is. */
@inline
export function fibreExcess(cosine: f64): f64 {
  return max<f64>(1, fibreAlbedo(sheenRoughness, cosine))
}
