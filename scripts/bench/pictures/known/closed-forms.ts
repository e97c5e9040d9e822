/** What a right tracer must answer where the answer is known: formulas only, per channel. Angles are radians, lengths scene units. */
import { normalTail } from '../checks/distributions.ts'

/**
 * Reflectance of glass seen from outside, by the sines and tangents of both angles, as Fresnel wrote it: not as tracers compute it.
 */
export function glassReflectance(angle: number, ior: number): number {
  if (angle === 0) return ((ior - 1) / (ior + 1)) ** 2
  const refracted = Math.asin(Math.sin(angle) / ior)
  const [difference, sum] = [angle - refracted, angle + refracted]
  return ((Math.sin(difference) / Math.sin(sum)) ** 2 + (Math.tan(difference) / Math.tan(sum)) ** 2) / 2
}

/** Of a metal that reflects `color` at normal incidence, after Schlick. */
export const metalReflectance = (angle: number, color: number): number =>
  color + (1 - color) * (1 - Math.cos(angle)) ** 5

/**
 * Within a closed room whose walls emit `emitted` and reflect the share `albedo` diffusely, light scattered up to n + 1 times
 * arrives after n bounces: Σ albedo^k for k from 0 to n + 1.
 */
export const closedRoom = (emitted: number, albedo: number, bounces: number): number =>
  (emitted * (1 - albedo ** (bounces + 2))) / (1 - albedo)

/**
 * Irradiance from a uniform sphere that is wholly above the surface, π L (R/d)² cos θ; with L = intensity / (π R²), its radius
 * drops out.
 */
export const sphereIrradiance = (intensity: number, distance: number, cosine: number): number =>
  (intensity * cosine) / distance ** 2

/**
 * Irradiance from a spot light straight above, on its axis: 2π ∫ L s(cos θ) cos θ sin θ dθ over the sphere's disc, with the
 * share s between its cones. One integral by midpoints.
 */
export function spotIrradiance(
  { intensity, radius, distance }: { intensity: number; radius: number; distance: number },
  innerCosine: number,
  outerCosine: number,
  shareOf: (x: number) => number,
): number {
  const radiance = intensity / (Math.PI * radius * radius)
  // From the edge of the sphere to its middle, by the cosine.
  const edge = Math.sqrt(1 - (radius / distance) ** 2)
  const steps = 10_000
  let sum = 0
  for (let i = 0; i < steps; i++) {
    const cosine = edge + ((1 - edge) * (i + 0.5)) / steps
    const x = Math.min(1, Math.max(0, (cosine - outerCosine) / (innerCosine - outerCosine)))
    sum += shareOf(x) * cosine
  }
  return (2 * Math.PI * radiance * sum * (1 - edge)) / steps
}

/** three's falloff of spots. */
export const smoothstep = (x: number): number => x * x * (3 - 2 * x)
/** glTF's (`KHR_lights_punctual`, inner and outer cone angles). */
export const squared = (x: number): number => x * x

/**
 * Irradiance from a rectangle in a parallel plane at the height `height` above the point: form factors of the rectangles between the
 * point's foot and each corner, added with their signs. Howell, "A Catalog of Radiation Heat Transfer Configuration Factors", B-4.
 * `xs`, `ys`: where it begins and ends.
 */
export function rectangleIrradiance(
  radiance: number,
  height: number,
  xs: readonly [number, number],
  ys: readonly [number, number],
): number {
  const toCorner = (x: number, y: number): number => {
    const [a, b] = [x / height, y / height]
    const [ra, rb] = [Math.sqrt(1 + a * a), Math.sqrt(1 + b * b)]
    return ((a / ra) * Math.atan(b / ra) + (b / rb) * Math.atan(a / rb)) / (2 * Math.PI)
  }
  const factor = toCorner(xs[1], ys[1]) - toCorner(xs[0], ys[1]) - toCorner(xs[1], ys[0]) + toCorner(xs[0], ys[0])
  return Math.PI * radiance * factor
}

/** A glass slab seen at right angles. */
export interface Slab {
  readonly ior: number
  readonly thickness: number
  readonly absorption: number
  /** Multiplies light at each crossing. */
  readonly color: number
}

/** Share of the light that comes through: (1 - R)² a c² Σ (R a)^2k, a = exp(-σ d), of paths scattered up to n + 1 times. */
export function slabTransmittance({ ior, thickness, absorption, color }: Slab, bounces: number): number {
  const reflected = glassReflectance(0, ior)
  const passed = Math.exp(-absorption * thickness)
  let sum = 0
  for (let back = 0; 2 + 2 * back <= bounces + 1; back++) sum += (reflected * passed) ** (2 * back)
  return (1 - reflected) ** 2 * passed * color ** 2 * sum
}

/** Share that comes back: R + (1 - R)² a² R c² Σ (R a)^2k. */
export function slabReflectance({ ior, thickness, absorption, color }: Slab, bounces: number): number {
  const reflected = glassReflectance(0, ior)
  const passed = Math.exp(-absorption * thickness)
  let sum = 0
  for (let back = 0; 3 + 2 * back <= bounces + 1; back++) sum += (reflected * passed) ** (2 * back)
  return reflected + (1 - reflected) ** 2 * passed ** 2 * reflected * color ** 2 * sum
}

/** A layer of glass or of a liquid between others, or air. */
export interface Layer {
  readonly ior: number
  readonly thickness: number
  readonly absorption: number
}

/** Share of the light that comes through layers in air at right angles, however often it goes back and forth: Stokes, "On the Intensity of the Light Reflected from or Transmitted through a Pile of Plates", 1862. */
export function layersTransmittance(layers: readonly Layer[]): number {
  // Of all boundaries so far: what passes, and what is reflected of light from behind.
  let [passed, back] = [1, 0]
  let ior = 1
  for (const layer of [...layers, { ior: 1, thickness: 0, absorption: 0 }]) {
    const reflected = glassReflectance(0, layer.ior / ior)
    const loops = 1 - back * reflected
    ;[passed, back] = [(passed * (1 - reflected)) / loops, reflected + ((1 - reflected) ** 2 * back) / loops]
    const dimmed = Math.exp(-layer.absorption * layer.thickness)
    passed *= dimmed
    back *= dimmed * dimmed
    ior = layer.ior
  }
  return passed
}

/** How far a ray at `angle` from the normal comes out beside where it would without the slab, along the slab. After Snell. */
export function slabDisplacement(thickness: number, ior: number, angle: number): number {
  const refracted = Math.asin(Math.sin(angle) / ior)
  return thickness * (Math.tan(angle) - Math.tan(refracted))
}

/** Share of the light that passes a thin sheet at `cosine`. */
export function sheetTransmittance(cosine: number, ior: number, color: number): number {
  const once = glassReflectance(Math.acos(cosine), ior)
  return (1 - (2 * once) / (1 + once)) * color
}

/**
 * Irradiance from a map of two texels side by side, bilinear: on a surface that faces the middle of the second,
 * (π/2) ∫ L(φ) sin φ dφ over half a turn, where L falls linearly from its centre to the middle between both.
 */
export const besideIrradiance = (first: number, second: number): number =>
  Math.PI * second - ((second - first) * (Math.PI - 2)) / 2

/**
 * Irradiance from a map of two texels, one above the other, on a surface that faces up: π ∫ L(θ) sin 2θ dθ, where L is the upper
 * texel to 45° from the zenith and reaches the mean of both at the horizon.
 */
export const aboveIrradiance = (upper: number, lower: number): number =>
  Math.PI * (upper + (lower - upper) * (1 / 4 - 1 / (2 * Math.PI)))

/** Share of a pixel's gaussian filter that lies more than `distance` px to one side: σ = 0.5 px, cut off at 1.5 px. */
export const gaussianBeyond = (distance: number): number =>
  (normalTail(distance / 0.5) - normalTail(3)) / (1 - 2 * normalTail(3))

/** Share of a disc of radius 1 beyond a line at this distance from its centre. */
export const discBeyond = (distance: number): number =>
  (Math.acos(distance) - distance * Math.sqrt(1 - distance ** 2)) / Math.PI

/** The same of a square that stands on its corner, with its corners on that circle. */
export const diamondBeyond = (distance: number): number => (1 - distance) ** 2 / 2
