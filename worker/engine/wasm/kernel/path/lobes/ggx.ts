/**
 * The GGX distribution of microfacet normals with height-correlated Smith masking (Walter et al., EGSR 2007; Heitz, JCGT 3(2),
 * 2014). Directions are in the local frame. `ggxD` is D of those papers, `ggxLambda` is Λ: G₁ = 1 / (1 + Λ).
 */
import { point } from '../result'

const PI: f64 = 3.141592653589793

/** A microfacet normal. */
export let hx: f64 = 0
export let hy: f64 = 0
export let hz: f64 = 0

/** D: density of microfacet normals, per solid angle and area. */
@inline
export function ggxD(alpha: f64, x: f64, y: f64, z: f64): f64 {
  // sin² from the small coordinates: 1 − cos² would cancel.
  const spread = alpha * alpha * z * z + x * x + y * y
  return (alpha * alpha) / (PI * spread * spread)
}

/** Smith's Λ: hidden over visible area of the microfacets, seen from a direction. */
@inline
export function ggxLambda(alpha: f64, x: f64, y: f64, z: f64): f64 {
  return 0.5 * (sqrt<f64>(1 + (alpha * alpha * (x * x + y * y)) / (z * z)) - 1)
}

/**
 * D of facets that are stretched along x, with two widths. With equal widths it is `ggxD` except for rounding; both exist because
 * the bytes of frames depend on it.
 */
@inline
export function stretchedD(alphaX: f64, alphaY: f64, x: f64, y: f64, z: f64): f64 {
  const u = x / alphaX
  const v = y / alphaY
  const spread = u * u + v * v + z * z
  return 1 / (PI * alphaX * alphaY * spread * spread)
}

/** Their Λ. */
@inline
export function stretchedLambda(alphaX: f64, alphaY: f64, x: f64, y: f64, z: f64): f64 {
  const u = alphaX * x
  const v = alphaY * y
  return 0.5 * (sqrt<f64>(1 + (u * u + v * v) / (z * z)) - 1)
}

/**
 * Chooses a microfacet normal among those visible from (x, y, z), z > 0: Dupuy and Benyoub, "Sampling Visible GGX Normals with
 * Spherical Caps", CGF 42(8), 2023. The density of a normal is D × the cosine between both / ((1 + Λ) z).
 */
@inline
export function chooseFacet(alpha: f64, x: f64, y: f64, z: f64, cos: f64, sin: f64, v: f64): void {
  chooseStretchedFacet(alpha, alpha, x, y, z, cos, sin, v)
}

/** The same for facets that are wider along x than along y, or narrower. */
export function chooseStretchedFacet(alphaX: f64, alphaY: f64, x: f64, y: f64, z: f64, cos: f64, sin: f64, v: f64): void {
  // In the configuration where the surface is a hemisphere.
  let sx = alphaX * x
  let sy = alphaY * y
  const scale = 1 / sqrt<f64>(sx * sx + sy * sy + z * z)
  sx *= scale
  sy *= scale
  const sz = z * scale
  const height = (1 - v) * (1 + sz) - sz
  const radius = sqrt<f64>(max<f64>(0, 1 - height * height))
  const cx = radius * cos + sx
  const cy = radius * sin + sy
  const cz = height + sz
  const mx = alphaX * cx
  const my = alphaY * cy
  const mz = max<f64>(0, cz)
  const length = sqrt<f64>(mx * mx + my * my + mz * mz)
  const shrink = length > 0 ? 1 / length : 0
  hx = mx * shrink
  hy = my * shrink
  hz = length > 0 ? mz * shrink : 1
}

/** Answers the direction into which the newest microfacet normal mirrors (ox, oy, oz). */
@inline
export function pointMirrored(ox: f64, oy: f64, oz: f64): void {
  const twice = 2 * (ox * hx + oy * hy + oz * hz)
  point(twice * hx - ox, twice * hy - oy, twice * hz - oz)
}

/** Sets the microfacet normal to the one that mirrors (ox, oy, oz) into (ix, iy, iz). */
@inline
export function setBetween(ox: f64, oy: f64, oz: f64, ix: f64, iy: f64, iz: f64): void {
  const x = ox + ix
  const y = oy + iy
  const z = oz + iz
  const scale = 1 / sqrt<f64>(x * x + y * y + z * z)
  hx = x * scale
  hy = y * scale
  hz = z * scale
}
