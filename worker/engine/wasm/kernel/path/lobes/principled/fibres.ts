/**
 * Light that fibres scatter back along a surface, as of velvet: microfacets that stand upright (Estevez and Kulla, "Production Friendly
 * Microfacet Sheen BRDF", SIGGRAPH 2017 course), as glTF has it.
 */
import { exponential, logarithm } from '../../../surface/math/exponential'

const INVERSE_TWO_PI: f64 = 0.5 / 3.141592653589793
/** Of smoother fibres the lobe has no end along the surface. */
const LEAST_ROUGHNESS: f64 = 0.2

/** Value times cosine for white fibres; both directions are above the surface. */
export function fibres(roughness: f64, ox: f64, oy: f64, oz: f64, ix: f64, iy: f64, iz: f64): f64 {
  const rough = max<f64>(LEAST_ROUGHNESS, roughness)
  const steep = 1 / (rough * rough)
  const hx = ox + ix
  const hy = oy + iy
  const hz = oz + iz
  const square = (hx * hx + hy * hy) / (hx * hx + hy * hy + hz * hz)
  if (!(square > 1e-12)) return 0
  // sin^steep, by its square.
  const density = (2 + steep) * exponential(0.5 * steep * logarithm(square)) * INVERSE_TWO_PI
  return (density * iz) / (4 * (oz + iz - oz * iz))
}
