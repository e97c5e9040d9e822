/**
 * Light on its way from facet to facet of a rough metal, until it leaves: random walks by which the colour of such light is judged. Heitz, Hanika, d'Eon and
 * Dachsbacher, "Multiple-Scattering Microfacet BSDFs with the Smith Model", SIGGRAPH 2016; heights are uniform.
 */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { dot, scale } from '../model/vector.ts'
import { mirrored, visibleNormal } from './microfacets.ts'
import type { RandomStream } from './random-stream.ts'

/** Facets after which a walk is given up: almost none is so long. */
const MOST = 200
/** Of heights from -1 to 1, where rays come from. */
const ABOVE = 1

/** What is left, for each F₀, of light along a direction of cosine `cosine`, and how many facets it has met. */
export function walkOnFacets(
  cosine: number,
  alpha: number,
  f0s: readonly number[],
  random: RandomStream,
): { readonly left: readonly number[]; readonly facets: number } {
  let direction: Vec3 = [-Math.sqrt(1 - cosine * cosine), 0, -cosine]
  let height = ABOVE
  let left: readonly number[] = f0s.map(() => 1)
  for (let facets = 0; facets < MOST; facets++) {
    const next = meetFacet(direction, height, alpha, random.next())
    if (next === undefined) return { left, facets }
    height = next
    const back = scale(direction, -1)
    const normal = visibleNormal(back, alpha, random.next(), random.next())
    const grazing = (1 - Math.max(0, dot(back, normal))) ** 5
    left = left.map((each, i) => each * (f0s[i]! + (1 - f0s[i]!) * grazing))
    direction = mirrored(back, normal)
  }
  return { left: f0s.map(() => 0), facets: MOST }
}

/** Share of the surface that is below a height. */
const below = (height: number): number => Math.min(1, Math.max(0, (height + 1) / 2))
const heightOf = (share: number): number => 2 * share - 1

/** Height at which a ray from one meets a facet; undefined if it leaves. Heitz et al., supplemental material, § 2. */
function meetFacet(direction: Vec3, height: number, alpha: number, u: number): number | undefined {
  const [x, y, z] = direction
  if (z > 0.9999) return undefined
  if (z < -0.9999) return heightOf(u * below(height))
  if (Math.abs(z) < 1e-4) return height
  const slope = (alpha * Math.sqrt(x * x + y * y)) / z
  // Λ of upward rays; of downward ones it is below -1.
  const hidden = (Math.sign(z) * Math.sqrt(1 + slope * slope) - 1) / 2
  const leaves = z > 0 ? below(height) ** hidden : 0
  if (u > 1 - leaves) return undefined
  return heightOf(Math.min(1, below(height) / (1 - u) ** (1 / hidden)))
}
