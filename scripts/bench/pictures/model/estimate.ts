/** A picture with its noise. */
import { invariant } from '../../../../shared/errors.ts'
import type { Size } from '../../../../shared/frame/rect.ts'

export interface Estimate {
  readonly size: Size
  /** Linear RGB by rows from the top. */
  readonly mean: Float64Array
  /** Estimated variance of each mean. */
  readonly variance: Float64Array
  /** Of how many independent, equally distributed values each is the mean. */
  readonly count: number
}

/** From independent renderings of the same picture, at least two. */
export function estimateOf(size: Size, renderings: readonly Float64Array[]): Estimate {
  const count = renderings.length
  invariant(count > 1, 'the noise of one rendering cannot be told')
  const mean = new Float64Array(size[0] * size[1] * 3)
  const variance = new Float64Array(mean.length)
  for (let i = 0; i < mean.length; i++) {
    const values = renderings.map(rendering => rendering[i]!)
    const average = values.reduce((sum, value) => sum + value, 0) / count
    mean[i] = average
    variance[i] = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (count * (count - 1))
  }
  return { size, mean, variance, count }
}
