/** The boundary of two dielectrics: Snell's law and Fresnel's equations for unpolarised light. */

/** Cosine beyond the boundary; 0 for total reflection. `eta` is the index beyond over the index on this side. */
@inline
export function refracted(cosine: f64, eta: f64): f64 {
  const square = 1 - (1 - cosine * cosine) / (eta * eta)
  return square > 0 ? sqrt<f64>(square) : 0
}

/** Reflected share of light that arrives with a cosine above 0. */
export function reflectance(cosine: f64, eta: f64): f64 {
  const far = refracted(cosine, eta)
  if (far == 0) return 1
  const parallel = (eta * cosine - far) / (eta * cosine + far)
  const perpendicular = (cosine - eta * far) / (cosine + eta * far)
  return 0.5 * (parallel * parallel + perpendicular * perpendicular)
}

/** (1 − cosine)⁵, of Schlick's formula. */
@inline
export function fifth(cosine: f64): f64 {
  const rest = max<f64>(0, 1 - cosine)
  const square = rest * rest
  return square * square * rest
}

/** Reflected share of a thin sheet: of both its faces, with what goes back and forth between them. */
@inline
export function sheetReflectance(cosine: f64, ior: f64): f64 {
  const once = reflectance(cosine, ior)
  return (2 * once) / (1 + once)
}
