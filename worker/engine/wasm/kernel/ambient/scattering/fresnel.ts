/** How much light a smooth surface reflects. Functions take the cosine between normal and viewer, in [0, 1]. */

/**
 * Reflected share at a clear coat: Schlick, "An Inexpensive BRDF Model for Physically-based Rendering", Eurographics 1994. `f0` is
 * his F₀, the reflectance at normal incidence.
 */
export function schlick(cosine: f64, ior: f64): f64 {
  const root = (ior - 1) / (ior + 1)
  const f0 = root * root
  const x = 1 - cosine
  return f0 + (1 - f0) * (x * x) * (x * x) * x
}

/** Cosine on the far side of a boundary by Snell's law; -1 for total reflection. `eta`: index on the viewer's side over the far one. */
export function refractedCosine(cosine: f64, eta: f64): f64 {
  const square = 1 - eta * eta * (1 - cosine * cosine)
  return square > 0 ? sqrt<f64>(square) : -1
}

/** Reflected share of unpolarised light at a dielectric boundary: Fresnel's equations; `far` is the refracted cosine. */
export function fresnel(cosine: f64, far: f64, eta: f64): f64 {
  const parallel = (cosine - eta * far) / (cosine + eta * far)
  const perpendicular = (eta * cosine - far) / (eta * cosine + far)
  return 0.5 * (parallel * parallel + perpendicular * perpendicular)
}
