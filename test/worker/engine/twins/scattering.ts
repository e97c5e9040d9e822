/**
 * Twins of the kernel's `surface/fresnel.ts` and `ambient/scattering/glass.ts`: how much light a smooth surface reflects. Functions take the cosine between
 * normal and viewer, in [0, 1].
 */

/**
 * Reflected share at a clear coat: Schlick, "An Inexpensive BRDF Model for Physically-based Rendering", Eurographics
 * 1994.
 */
export function schlick(cosine: number, ior: number): number {
  const root = (ior - 1) / (ior + 1)
  const head = root * root
  const x = 1 - cosine
  return head + (1 - head) * (x * x) * (x * x) * x
}

/** Cosine on the far side of a boundary by Snell's law; -1 for total reflection. `eta`: index on the viewer's side over the far one. */
export function refractedCosine(cosine: number, eta: number): number {
  const square = 1 - eta * eta * (1 - cosine * cosine)
  return square > 0 ? Math.sqrt(square) : -1
}

/** Reflected share of unpolarised light at a dielectric boundary: Fresnel's equations; `far` is the refracted cosine. */
export function fresnel(cosine: number, far: number, eta: number): number {
  const parallel = (cosine - eta * far) / (cosine + eta * far)
  const perpendicular = (eta * cosine - far) / (eta * cosine + far)
  return 0.5 * (parallel * parallel + perpendicular * perpendicular)
}
