/**
 * The properties of a principled material at a hit, as its lobes need them; all that does not depend on where light comes from. Globals,
 * computed once per hit: lobes are evaluated for a light and sampled for the path from the same ones.
 *
 * Directions here are in a frame whose z is the shading normal and whose x is the long side of highlights.
 */
import {
  MATERIAL_ANISOTROPY,
  MATERIAL_ANISOTROPY_X,
  MATERIAL_ANISOTROPY_Y,
  MATERIAL_COAT,
  MATERIAL_COAT_NORMAL,
  MATERIAL_COAT_ROUGHNESS,
  MATERIAL_COLOR,
  MATERIAL_DISPERSION,
  MATERIAL_FILM,
  MATERIAL_FILM_IOR,
  MATERIAL_IOR,
  MATERIAL_IRIDESCENCE,
  MATERIAL_METALLIC,
  MATERIAL_ROUGHNESS,
  MATERIAL_SHEEN,
  MATERIAL_SHEEN_ROUGHNESS,
  MATERIAL_SPECULAR,
  MATERIAL_SPECULAR_COLOR,
  MATERIAL_TANGENT,
  MATERIAL_THIN,
  MATERIAL_TRANSMISSION,
} from '../../../layout'
import { single } from '../../../shade/workspace'
import { localX, localY, localZ } from '../../frame'
import { edgeAlbedo, fibreAlbedo, headAlbedo, LEAST_ALPHA, meanEdge, meanHead, setAlbedos } from './albedos'
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
/** Index beyond the surface over that on the ray's side, for red, green and blue; equal without dispersion. */
export let etaRed: f64 = 1
export let eta: f64 = 1
export let etaBlue: f64 = 1
export let disperses: bool = false

export let red: f64 = 0
export let green: f64 = 0
export let blue: f64 = 0
/** Reflectance facing the viewer, of metal and the rest together, and along the surface. */
export let headRed: f64 = 0
export let headGreen: f64 = 0
export let headBlue: f64 = 0
export let edge: f64 = 1
/** Colour of the light that facets scatter several times, how much of it leaves towards the viewer, and its mean. */
export let againRed: f64 = 0
export let againGreen: f64 = 0
export let againBlue: f64 = 0
export let lost: f64 = 0
export let meanLost: f64 = 0
/** What reflects of light that is not metal: towards the viewer, and on average. */
export let reflected: f64 = 0
export let meanReflected: f64 = 0
/** What facets reflect towards the viewer: with `headRed` and so on, and with `edge`. */
export let headSeen: f64 = 0
export let edgeSeen: f64 = 0
/** F₀ and F₉₀ of what is not metal, and how much of the light that facets scatter several times it reflects. */
export let clearHead: f64 = 0
export let clearEdge: f64 = 0
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

const COAT_HEAD: f64 = 0.04
/** Of the mean of (1 − cos)⁵ over the hemisphere. */
const FIFTHS: f64 = 1.0 / 21.0

export function setSurface(material: u32, side: f64, x: f64, y: f64, z: f64): void {
  const metallic: f64 = load<f32>(material, MATERIAL_METALLIC)
  const passes: f64 = load<f32>(material, MATERIAL_TRANSMISSION)
  roughness = load<f32>(material, MATERIAL_ROUGHNESS)
  thin = load<u32>(material, MATERIAL_THIN) != 0
  clear = (1 - metallic) * passes
  body = (1 - metallic) * (1 - passes)
  inside = side < 0 && !thin && clear > 0
  setIndices(material)
  setTurn(material)
  ox = turnedX(x, y)
  oy = turnedY(x, y)
  oz = z
  red = load<f32>(material, MATERIAL_COLOR)
  green = load<f32>(material, MATERIAL_COLOR + 4)
  blue = load<f32>(material, MATERIAL_COLOR + 8)
  setReflection(material, metallic)
  setCoat(material)
  setSheen(material)
}

function setIndices(material: u32): void {
  const index = load<f64>(material, MATERIAL_IOR)
  // KHR_materials_dispersion: as much more or less as 0.025 of what exceeds 1.
  const apart = (index - 1) * 0.025 * <f64>load<f32>(material, MATERIAL_DISPERSION)
  disperses = apart > 0 && !thin
  etaRed = beyond(index - apart)
  eta = beyond(index)
  etaBlue = beyond(index + apart)
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
  const strength: f64 = load<f32>(material, MATERIAL_ANISOTROPY)
  turnX = 1
  turnY = 0
  alphaX = alpha
  alphaY = alpha
  if (strength == 0) return
  alphaX = alpha + (1 - alpha) * strength * strength
  // The tangent in the local frame; a surface without one has the frame's.
  const tx: f64 = load<f32>(material, MATERIAL_TANGENT)
  const ty: f64 = load<f32>(material, MATERIAL_TANGENT + 4)
  const tz: f64 = load<f32>(material, MATERIAL_TANGENT + 8)
  let u: f64 = 1
  let v: f64 = 0
  const hand: f64 = load<f32>(material, MATERIAL_TANGENT + 12) < 0 ? -1 : 1
  if (tx * tx + ty * ty + tz * tz > 0.5) {
    u = localX(tx, ty, tz)
    v = localY(tx, ty, tz)
    const length = sqrt<f64>(u * u + v * v)
    u = length > 1e-6 ? u / length : 1
    v = length > 1e-6 ? v / length : 0
  }
  const along: f64 = load<f32>(material, MATERIAL_ANISOTROPY_X)
  const across = hand * <f64>load<f32>(material, MATERIAL_ANISOTROPY_Y)
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
  const root = (load<f64>(material, MATERIAL_IOR) - 1) / (load<f64>(material, MATERIAL_IOR) + 1)
  const strength: f64 = load<f32>(material, MATERIAL_SPECULAR)
  clearEdge = strength
  const clearRed = strength * min<f64>(1, root * root * <f64>load<f32>(material, MATERIAL_SPECULAR_COLOR))
  const clearGreen = strength * min<f64>(1, root * root * <f64>load<f32>(material, MATERIAL_SPECULAR_COLOR + 4))
  const clearBlue = strength * min<f64>(1, root * root * <f64>load<f32>(material, MATERIAL_SPECULAR_COLOR + 8))
  clearHead = max(max(clearRed, clearGreen), clearBlue)
  headRed = clearRed + (red - clearRed) * metallic
  headGreen = clearGreen + (green - clearGreen) * metallic
  headBlue = clearBlue + (blue - clearBlue) * metallic
  edge = clearEdge + (1 - clearEdge) * metallic
  film = load<f32>(material, MATERIAL_IRIDESCENCE)
  filmIndex = load<f32>(material, MATERIAL_FILM_IOR)
  filmThickness = load<f32>(material, MATERIAL_FILM)
  if (!(filmThickness > 0)) film = 0

  setAlbedos(roughness, oz)
  headSeen = headAlbedo
  edgeSeen = edgeAlbedo
  lost = lostThere()
  meanLost = max<f64>(1e-9, 1 - meanHead(roughness) - meanEdge(roughness))
  againRed = again(headRed, edge)
  againGreen = again(headGreen, edge)
  againBlue = again(headBlue, edge)
  clearAgain = again(clearHead, clearEdge)
  reflected = reflectedThere(oz)
  meanReflected = clearHead * meanHead(roughness) + clearEdge * meanEdge(roughness) + clearAgain * meanLost
}

/** Colour of the light that is scattered several times: Kulla and Conty 2017, with the mean of Schlick's formula. */
@inline
function again(head: f64, edge: f64): f64 {
  const mean = head + (edge - head) * FIFTHS
  return (mean * mean * (1 - meanLost)) / (1 - mean * meanLost)
}

/** Before `lostThere` and `reflectedThere` are asked about a direction. */
@inline
export function setThere(cosine: f64): void {
  setAlbedos(roughness, cosine)
}

/** How much of the light along a direction facets scatter several times. */
@inline
export function lostThere(): f64 {
  return single ? 0 : max<f64>(0, 1 - headAlbedo - edgeAlbedo)
}

/** How much of the light along a direction what is not metal reflects. */
export function reflectedThere(cosine: f64): f64 {
  const plain = clearHead * headAlbedo + clearEdge * edgeAlbedo + clearAgain * lostThere()
  if (film == 0) return plain
  setFilm(filmIndex, filmThickness, cosine, clearHead, clearHead, clearHead)
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
  shareRed = headRed + (edge - headRed) * grazing
  shareGreen = headGreen + (edge - headGreen) * grazing
  shareBlue = headBlue + (edge - headBlue) * grazing
  if (film == 0) return
  setFilm(filmIndex, filmThickness, cosine, headRed, headGreen, headBlue)
  shareRed += film * (filmRed - shareRed)
  shareGreen += film * (filmGreen - shareGreen)
  shareBlue += film * (filmBlue - shareBlue)
}

/** All is reflected: from inside, beyond the critical angle. */
export function setWholeShares(): void {
  shareRed = 1
  shareGreen = 1
  shareBlue = 1
}

function setCoat(material: u32): void {
  coat = load<f32>(material, MATERIAL_COAT)
  if (coat == 0) return
  coatRoughness = load<f32>(material, MATERIAL_COAT_ROUGHNESS)
  coatAlpha = max<f64>(LEAST_ALPHA, coatRoughness * coatRoughness)
  const nx: f64 = load<f32>(material, MATERIAL_COAT_NORMAL)
  const ny: f64 = load<f32>(material, MATERIAL_COAT_NORMAL + 4)
  const nz: f64 = load<f32>(material, MATERIAL_COAT_NORMAL + 8)
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
  sheenRed = load<f32>(material, MATERIAL_SHEEN)
  sheenGreen = load<f32>(material, MATERIAL_SHEEN + 4)
  sheenBlue = load<f32>(material, MATERIAL_SHEEN + 8)
  sheen = max(max(sheenRed, sheenGreen), sheenBlue)
  sheenRoughness = load<f32>(material, MATERIAL_SHEEN_ROUGHNESS)
}

/** Reflected share of the coat for a direction with a cosine to its normal. */
@inline
export function coatAt(cosine: f64): f64 {
  setAlbedos(coatRoughness, cosine)
  return coat * (COAT_HEAD * headAlbedo + edgeAlbedo)
}

/** Reflectance of the coat's facets. */
@inline
export function coatShare(grazing: f64): f64 {
  return coat * (COAT_HEAD + (1 - COAT_HEAD) * grazing)
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
