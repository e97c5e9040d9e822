/**
 * How often next-event estimation samples each distant light, and the alias table by which it chooses in constant time (Vose 1991): by the light
 * that they send onto a surface. Lights inside the scene cannot be compared with them without knowing where one stands: where there are both, one of
 * each is sampled (`light-tree.ts`).
 */

import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Light } from '../../../../shared/scene/light.ts'

/** Probabilities of lights in proportion to their powers: they add up to 1, or are all 0. */
export function probabilities(powers: readonly number[]): Float64Array {
  const sum = powers.reduce((sum, power) => sum + power, 0)
  return Float64Array.from(powers, power => (power > 0 ? power / sum : 0))
}

/** Luminous power, or irradiance if it is distant; 0 if it is not to be chosen. */
export function powerOf(light: Light): number {
  switch (light.kind) {
    case 'distant':
      return luminance(light.irradiance)
    case 'point':
      return 4 * Math.PI * luminance(light.intensity)
    case 'spot':
      return 2 * Math.PI * (1 - light.outerCosine) * luminance(light.intensity)
    case 'rectangle':
      return Math.PI * 4 * length(light.across) * length(light.up) * luminance(light.radiance)
  }
}

/** Of linear sRGB. */
export const luminance = ([red, green, blue]: Vec3): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue

const length = ([x, y, z]: Vec3): number => Math.sqrt(x * x + y * y + z * z)

/** For each cell of the table the share of it that chooses its own candidate, that one's number, and the number of what the rest chooses. */
export interface AliasTable {
  readonly shares: Float32Array
  readonly own: Uint32Array
  readonly others: Uint32Array
}

/**
 * @param chances probabilities of all candidates
 * @param numbers those to choose from, whose probabilities add up to 1
 */
export function aliasTable(chances: Float64Array, numbers: readonly number[]): AliasTable {
  const count = numbers.length
  const shares = new Float32Array(count).fill(1)
  const own = Uint32Array.from(numbers)
  const others = own.slice()
  const left = numbers.map(number => chances[number]! * count)
  const small: number[] = []
  const large: number[] = []
  left.forEach((share, i) => {
    if (share < 1) small.push(i)
    else large.push(i)
  })
  while (small.length > 0 && large.length > 0) {
    const [below, above] = [small.pop()!, large.pop()!]
    shares[below] = left[below]!
    others[below] = own[above]!
    left[above]! -= 1 - left[below]!
    if (left[above]! < 1) small.push(above)
    else large.push(above)
  }
  return { shares, own, others }
}
