/**
 * What rough glass does not scatter at once: the part of the light that a facet sends to where another facet is in its way. It is
 * scattered several times, and leaves on either side (Kulla and Conty, "Revisiting Physically Based Shading at Imageworks", SIGGRAPH
 * 2017 course). From a direction o, both parts together are the lost share l(o), and each is reciprocal:
 *
 *     to the same side s    (1 − x_s) l_s(o) l_s(i) / (π l̄_s)
 *     to the other side t   x_s l_s(o) l_t(i) / (π l̄_t) · n_s² / n_t²    with x_s l̄_s n_s² = x_t l̄_t n_t²
 *
 * l̄ is the mean of l over the cosine-weighted hemisphere, n the index of a side. The share x that passes is free within the last equation.
 * Of what comes from the side that has less of it, as much is reflected here as of light that is scattered once from outside: random walks on
 * such surfaces (Heitz et al., "Multiple-Scattering Microfacet BSDFs with the Smith Model", SIGGRAPH 2016) agree within 0.1 for indices
 * from 1.05 to 2.5.
 */
import { wordsTo } from '../records/access.ts'
import { ALBEDO, CLEAR_ALBEDO, CLEAR_MEANS, CLEAR_ROW, CLEAR_SIDE, GLASS_ALBEDO } from '../records/albedos.ts'
import { eachFacet, FACETS, GRAZING, ggxLambda, meanOf, reflectance } from './albedo-tables.ts'

/** Facets of less contrast bend nothing (`kernel/path/lobes/principled/surface.ts`). */
const LEAST_INDEX = 1.001
const LEAST_ALPHA = 0.001

/** For the model of glass alone, with Fresnel's equations: see GLASS_ALBEDO. */
export function glassTable(alpha: number, ior: number): Float32Array {
  const table = new Float32Array(GLASS_ALBEDO.bytes / 4)
  const cosines = Array.from({ length: ALBEDO.cells + 1 }, (_, i) => Math.max(GRAZING, (i / ALBEDO.cells) ** 2))
  const reflected = new Float32Array(cosines.length)
  const [outside, inside] = [ior, 1 / ior].map((eta, side) => {
    const start = wordsTo(GLASS_ALBEDO, 'sides') + side * cosines.length
    const values = table.subarray(start, start + cosines.length)
    cosines.forEach((cosine, i) => {
      let [back, through] = [0, 0]
      eachMeeting(alpha, cosine, eta, (mirrored, passed, facing) => {
        const share = reflectance(facing, eta)
        back += share * mirrored
        through += (1 - share) * passed
      })
      values[i] = Math.max(0, 1 - back - through)
      if (side === 0) reflected[i] = back
    })
    return Math.max(LEAST_MEAN, meanOf(values))
  }) as [number, number]
  const passed = (1 - meanOf(reflected)) * Math.min(outside, inside * ior * ior)
  const [fromOutside, fromInside] = [passed / outside, passed / (inside * ior * ior)]
  table.set(
    [(1 - fromOutside) / (Math.PI * outside), (1 - fromInside) / (Math.PI * inside)],
    wordsTo(GLASS_ALBEDO, 'back'),
  )
  // From inside; from outside, the square of the index less.
  table[wordsTo(GLASS_ALBEDO, 'through')] = passed / (Math.PI * outside * inside)
  table.set([fromOutside, fromInside], wordsTo(GLASS_ALBEDO, 'passes'))
  return table
}

/** Smoother glass loses nothing. */
const LEAST_MEAN = 1e-9

/** Rows of roughnesses that the principled model reads. */
export interface RoughnessRows {
  readonly first: number
  readonly last: number
}

/**
 * For the principled model, whose reflectances are F₀ + (F₉₀ − F₀) (1 − cos)⁵, by the cosine on the outer side: see CLEAR_ALBEDO. The lost share is
 * the sum of three terms, of which two are to be multiplied with F₀ and F₉₀. Only the given rows are filled.
 */
export function clearTable(ior: number, { first, last }: RoughnessRows): Float32Array {
  const table = new Float32Array(CLEAR_ALBEDO.bytes / 4)
  const index = Math.max(LEAST_INDEX, ior)
  for (let row = first; row <= last; row++) {
    const alpha = Math.max(LEAST_ALPHA, (row / ALBEDO.roughnesses) ** 2)
    const at = wordsTo(CLEAR_ALBEDO, 'rows') + (row * CLEAR_ROW.bytes) / 4
    for (const side of [0, 1]) {
      const from = at + wordsTo(CLEAR_ROW, 'sides') + (side * CLEAR_SIDE.bytes) / 4
      const means = at + wordsTo(CLEAR_ROW, 'means') + (side * CLEAR_MEANS.bytes) / 4
      for (let i = 0; i <= ALBEDO.cosines; i++)
        lostTerms(alpha, Math.max(GRAZING, (i / ALBEDO.cosines) ** 2), index, side === 1).forEach((term, number) => {
          table[from + wordsTo(CLEAR_SIDE, TERMS[number]!) + i] = term
        })
      for (const term of TERMS) {
        const start = from + wordsTo(CLEAR_SIDE, term)
        table[means + wordsTo(CLEAR_MEANS, term)] = meanOf(table.subarray(start, start + ALBEDO.cosines + 1))
      }
    }
  }
  return table
}

/** In the order of `lostTerms`. */
const TERMS = ['rest', 'withF0', 'withF90'] as const

function lostTerms(alpha: number, cosine: number, ior: number, inside: boolean): readonly number[] {
  let [always, head, edge] = [1, 0, 0]
  eachMeeting(alpha, cosine, inside ? 1 / ior : ior, (mirrored, passed, facing, far) => {
    // Beyond the critical angle all is mirrored.
    if (far === 0) {
      always -= mirrored
      return
    }
    always -= passed
    const rest = 1 - (inside ? far : facing)
    const grazing = rest * rest * rest * rest * rest
    head += (passed - mirrored) * (1 - grazing)
    edge += (passed - mirrored) * grazing
  })
  return [always, head, edge]
}

/**
 * Visits facets that are visible at a cosine, with what would leave if all were mirrored or all passed, as shares of all facets; the cosines at
 * which they are met, and beyond the boundary: 0 for total reflection.
 */
function eachMeeting(
  alpha: number,
  cosine: number,
  eta: number,
  visit: (mirrored: number, passed: number, facing: number, far: number) => void,
): void {
  const [ox, oz] = [Math.sqrt(1 - cosine * cosine), cosine]
  const lambdaO = ggxLambda(alpha, ox, 0, oz)
  eachFacet(alpha, cosine, (share, facing, x, y, z, scale) => {
    const mx = x * scale
    const my = y * scale
    const mz = z * scale
    const left = (ix: number, iy: number, iz: number) => (1 + lambdaO) / (1 + lambdaO + ggxLambda(alpha, ix, iy, iz))
    const up = 2 * facing * mz - oz
    const mirrored = up > 0 ? left(2 * facing * mx - ox, 2 * facing * my, up) : 0
    const square = 1 - (1 - facing * facing) / (eta * eta)
    const far = square > 0 ? Math.sqrt(square) : 0
    const along = facing / eta - far
    const down = along * mz - oz / eta
    const passed = far > 0 && down < 0 ? left(along * mx - ox / eta, along * my, down) : 0
    visit((mirrored * share) / FACETS, (passed * share) / FACETS, facing, far)
  })
}
