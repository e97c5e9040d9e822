/**
 * Directional albedo of rough reflection: how much of the light that arrives from a direction a GGX surface reflects after one
 * bounce between its microfacets. What it lacks of 1 is what several bounces carry, or what a coat lets through.
 *
 * Computed, not fitted: the mean of Fresnel × G₂/G₁ over a grid of visible microfacets. Only + − × ÷ √ and our own sine and
 * cosine, so that every machine computes the same bits.
 */
import { cosTurns, sinTurns } from '../../../../shared/math/trig.ts'
import { ALBEDO } from '../records/albedos.ts'

export interface AlbedoTable {
  /** For roots of cosines from 0 to 1 in ALBEDO.cells equal steps: it changes most along the surface. */
  readonly values: Float32Array
  /** 2 ∫ albedo(μ) μ dμ: its mean over the cosine-weighted hemisphere. */
  readonly mean: number
}

/** Points of the grid: around half of the direction (the other half is its mirror image), and away from it. */
const AROUND = 32
const AWAY = 64
export const FACETS = AROUND * AWAY
/** Directions along the surface have no visible microfacets: the table's first entry is for this cosine. */
export const GRAZING = 1 / 4096
/** Cells for the mean of a smooth boundary. */
const SMOOTH_CELLS = 4096

/**
 * @param alpha α of GGX; 0 for a smooth boundary
 * @param reflect share that facets reflect by the cosine at which they are met: all, if they are perfect metal
 */
export function albedoTable(alpha: number, reflect: (cosine: number) => number = () => 1): AlbedoTable {
  const exact = (cosine: number): number => (alpha === 0 ? reflect(cosine) : roughAlbedo(alpha, cosine, reflect))
  const values = Float32Array.from({ length: ALBEDO.cells + 1 }, (_, i) =>
    exact(Math.max(GRAZING, (i / ALBEDO.cells) ** 2)),
  )
  return { values, mean: alpha === 0 ? smoothMean(reflect) : meanOf(values) }
}

/** Of what lies linearly between a table's entries, as the kernel reads it. */
export function meanOf(values: Float32Array): number {
  const cells = values.length - 1
  const step = 1 / cells
  let sum = 0
  for (let i = 0; i < cells; i++) {
    const [low, high, from] = [values[i]!, values[i + 1]!, i * step]
    // With the root r as variable: ∫ albedo · r² · 2 r dr. A polynomial of the fourth degree: three points of Gauss.
    for (const [place, weight] of GAUSS) {
      const root = from + place * step
      sum += step * weight * (low + (high - low) * place) * 2 * root * root * root
    }
  }
  return 2 * sum
}

const GAUSS = [
  [0.5 - Math.sqrt(0.15), 5 / 18],
  [0.5, 4 / 9],
  [0.5 + Math.sqrt(0.15), 5 / 18],
] as const

function smoothMean(reflect: (cosine: number) => number): number {
  let sum = 0
  for (let i = 0; i < SMOOTH_CELLS; i++) {
    const cosine = (i + 0.5) / SMOOTH_CELLS
    sum += reflect(cosine) * cosine
  }
  return (2 * sum) / SMOOTH_CELLS
}

function roughAlbedo(alpha: number, cosine: number, reflect: (cosine: number) => number): number {
  let sum = 0
  const oz = cosine
  const ox = Math.sqrt(1 - cosine * cosine)
  const lambdaO = ggxLambda(alpha, ox, 0, oz)
  eachFacet(alpha, cosine, (share, facing, mx, my, mz, scale) => {
    const iz = 2 * facing * mz * scale - oz
    if (!(iz > 0)) return
    const ix = 2 * facing * mx * scale - ox
    const iy = 2 * facing * my * scale
    sum += (share * reflect(facing) * (1 + lambdaO)) / (1 + lambdaO + ggxLambda(alpha, ix, iy, iz))
  })
  return sum / FACETS
}

/**
 * Visits a grid of FACETS microfacets that are visible at a cosine, along x.
 * @param visit gets what a facet counts, 1 on average, the cosine at which it is seen, and its normal, to be scaled to length 1
 */
export function eachFacet(
  alpha: number,
  cosine: number,
  visit: (share: number, facing: number, x: number, y: number, z: number, scale: number) => void,
): void {
  const ox = Math.sqrt(1 - cosine * cosine)
  const oz = cosine
  // Visible normals by spherical caps, as the kernel chooses them (kernel/path/lobes/ggx.ts).
  const stretch = 1 / Math.sqrt(alpha * alpha * ox * ox + oz * oz)
  const [sx, sz] = [alpha * ox * stretch, oz * stretch]
  for (let i = 0; i < AROUND; i++) {
    const turns = (i + 0.5) / AROUND / 2
    const [across, aside] = [cosTurns(turns), sinTurns(turns)]
    for (let j = 0; j < AWAY; j++) {
      // Denser towards the distribution's long tail, where microfacets are steep.
      const tail = (j + 0.5) / AWAY
      const share = 3 * tail * tail
      const height = tail * tail * tail * (1 + sz) - sz
      const radius = Math.sqrt(Math.max(0, 1 - height * height))
      const mx = alpha * (radius * across + sx)
      const my = alpha * radius * aside
      const mz = Math.max(0, height + sz)
      const scale = 1 / Math.sqrt(mx * mx + my * my + mz * mz)
      visit(share, (ox * mx + oz * mz) * scale, mx, my, mz, scale)
    }
  }
}

/** Smith's Λ. */
export const ggxLambda = (alpha: number, x: number, y: number, z: number): number =>
  0.5 * (Math.sqrt(1 + (alpha * alpha * (x * x + y * y)) / (z * z)) - 1)

/** Schlick's approximation for what reflects everything at grazing incidence. */
export function schlick(cosine: number, f0: number): number {
  const rest = 1 - cosine
  const square = rest * rest
  return f0 + (1 - f0) * square * square * rest
}

/** Fresnel's equations for unpolarised light that arrives with a cosine above 0. */
export function reflectance(cosine: number, eta: number): number {
  const square = 1 - (1 - cosine * cosine) / (eta * eta)
  if (square <= 0) return 1
  const far = Math.sqrt(square)
  const parallel = (eta * cosine - far) / (eta * cosine + far)
  const perpendicular = (cosine - eta * far) / (cosine + eta * far)
  return 0.5 * (parallel * parallel + perpendicular * perpendicular)
}
