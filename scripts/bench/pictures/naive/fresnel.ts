/** How much of the light a smooth surface reflects. */
import type { Vec3 } from '../../../../shared/frame/view.ts'

/**
 * Reflectance of a dielectric for unpolarised light, exact. `cosine`: of the angle to the normal, at least 0; `ior`: of the
 * far side over the near side. 1 in total internal reflection.
 */
export function dielectricReflectance(cosine: number, ior: number): number {
  const squared = 1 - (1 - cosine * cosine) / (ior * ior)
  if (squared <= 0) return 1
  const refracted = Math.sqrt(squared)
  const parallel = (ior * cosine - refracted) / (ior * cosine + refracted)
  const perpendicular = (cosine - ior * refracted) / (cosine + ior * refracted)
  return (parallel * parallel + perpendicular * perpendicular) / 2
}

/** Schlick, "An Inexpensive BRDF Model for Physically-based Rendering", Eurographics 1994, with a reflectance of 1 at grazing angles. */
export function schlickReflectance(color: Vec3, cosine: number): Vec3 {
  const grazing = (1 - Math.min(1, Math.max(0, cosine))) ** 5
  return [color[0] + (1 - color[0]) * grazing, color[1] + (1 - color[1]) * grazing, color[2] + (1 - color[2]) * grazing]
}
