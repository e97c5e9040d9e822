/**
 * How much light a surface reflects: Snell's law and Fresnel's equations at the boundary of two dielectrics, for unpolarised light, and
 * Schlick's approximation ("An Inexpensive BRDF Model for Physically-based Rendering", Eurographics 1994). F₀ and F₉₀ (`f0`, `f90`) are
 * reflectances at normal and at grazing incidence; cosines are those of the angle to the normal, on the viewer's side.
 */

/** Cosine beyond the boundary; 0 for total reflection. `eta` is the index beyond over the index on this side. */
@inline
export function refracted(cosine: f64, eta: f64): f64 {
  const square = 1 - (1 - cosine * cosine) / (eta * eta)
  return square > 0 ? sqrt<f64>(square) : 0
}

/** Reflected share of light that arrives with a cosine above 0. */
export function reflectance(cosine: f64, eta: f64): f64 {
  const far = refracted(cosine, eta)
  return far == 0 ? 1 : fresnel(cosine, far, eta)
}

/**
 * Fresnel's equations; `far` is the cosine beyond the boundary. `eta` is the ratio of the indices, either way: the other one exchanges the
 * two polarisations, of which this is the mean.
 */
@inline
export function fresnel(cosine: f64, far: f64, eta: f64): f64 {
  const one = (cosine - eta * far) / (cosine + eta * far)
  const other = (eta * cosine - far) / (eta * cosine + far)
  return 0.5 * (one * one + other * other)
}

/** `reflectance` of two cosines. */
@inline
export function reflectances(cosines: v128, eta: f64): v128 {
  const square = f64x2.sub(f64x2.splat(1), f64x2.div(f64x2.sub(f64x2.splat(1), f64x2.mul(cosines, cosines)), f64x2.splat(eta * eta)))
  const far = f64x2.sqrt(f64x2.pmax(f64x2.splat(0), square))
  const farScaled = f64x2.mul(f64x2.splat(eta), far)
  const scaled = f64x2.mul(f64x2.splat(eta), cosines)
  const one = f64x2.div(f64x2.sub(cosines, farScaled), f64x2.add(cosines, farScaled))
  const other = f64x2.div(f64x2.sub(scaled, far), f64x2.add(scaled, far))
  const part = f64x2.mul(f64x2.splat(0.5), f64x2.add(f64x2.mul(one, one), f64x2.mul(other, other)))
  return v128.bitselect(f64x2.splat(1), part, f64x2.eq(far, f64x2.splat(0)))
}

/** Reflected share of a thin sheet: of both its faces, with what goes back and forth between them. */
@inline
export function sheetReflectance(cosine: f64, ior: f64): f64 {
  const once = reflectance(cosine, ior)
  return (2 * once) / (1 + once)
}

/** F₀ of a boundary of two dielectrics, from the ratio of their indices. */
@inline
export function normalReflectance(eta: f64): f64 {
  const root = (eta - 1) / (eta + 1)
  return root * root
}

/** Schlick's weight of F₉₀: (1 − cosine)⁵. */
@inline
export function schlickWeight(cosine: f64): f64 {
  const rest = max<f64>(0, 1 - cosine)
  const square = rest * rest
  return square * square * rest
}

/** Schlick's approximation, from its weight. */
@inline
export function schlickBetween(f0: f64, f90: f64, weight: f64): f64 {
  return f0 + (f90 - f0) * weight
}

/** The same at a cosine, where F₉₀ is 1; rounded otherwise, which the bytes of frames depend on. */
@inline
export function schlick(f0: f64, cosine: f64): f64 {
  const rest = max<f64>(0, 1 - cosine)
  const square = rest * rest
  return f0 + (1 - f0) * square * square * rest
}

/** `schlick` of two cosines. */
@inline
export function schlicks(f0: f64, cosines: v128): v128 {
  const rest = f64x2.pmax(f64x2.splat(0), f64x2.sub(f64x2.splat(1), cosines))
  const square = f64x2.mul(rest, rest)
  const scaled = f64x2.mul(f64x2.mul(f64x2.mul(f64x2.splat(1 - f0), square), square), rest)
  return f64x2.add(f64x2.splat(f0), scaled)
}
