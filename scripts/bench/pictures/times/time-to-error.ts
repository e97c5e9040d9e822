/**
 * How long a tracer takes to an error. Its pictures are independent samples of the light, so that the mean square error is a / t:
 * a tracer is known by its a, the product of error and time. Compared by relative error, so that dark parts count as bright ones.
 */
import { invariant } from '../../../../shared/errors.ts'
import type { Estimate } from '../model/estimate.ts'

/** Renderings with equally many samples. */
export interface Measured {
  readonly samples: number
  /** CPU time of each rendering, the mean. */
  readonly seconds: number
  /** Their mean relative square error. */
  readonly error: number
}

export interface Fit {
  /** Error × seconds: the time to an error of 1. */
  readonly product: number
  /** Slope of the straight line through the logarithms; -1 is what `product` assumes. */
  readonly slope: number
}

/** Added to squares: darker pixels than its root need not be as right. */
const DARK = 0.01

/**
 * Mean of (x - r)² / (r² + 0.01) over pixels and channels. What the reference's own noise adds is taken away, so that a reference
 * need not be much better than the picture; the picture must not be part of it.
 */
export function relativeError(picture: Float64Array, { mean, variance }: Estimate): number {
  invariant(picture.length === mean.length, 'a picture and its reference have one size')
  let sum = 0
  for (let i = 0; i < mean.length; i++) sum += ((picture[i]! - mean[i]!) ** 2 - variance[i]!) / (mean[i]! ** 2 + DARK)
  return sum / mean.length
}

/** Least squares in logarithms, with a slope of -1. @throws InvariantError unless errors and times are positive */
export function fitError(points: readonly Measured[]): Fit {
  invariant(points.length > 0, 'nothing was measured')
  invariant(
    points.every(({ seconds, error }) => seconds > 0 && error > 0),
    'an error is not above the noise of its reference',
  )
  const logs = points.map(({ seconds, error }) => [Math.log(seconds), Math.log(error)] as const)
  const [x, y] = [average(logs.map(([x]) => x)), average(logs.map(([, y]) => y))]
  const covariance = average(logs.map(([a, b]) => (a - x) * (b - y)))
  const spread = average(logs.map(([a]) => (a - x) ** 2))
  return { product: Math.exp(x + y), slope: spread > 0 ? covariance / spread : Number.NaN }
}

export const secondsTo = ({ product }: Fit, error: number): number => product / error

/** Time of `ours` over that of `theirs`, to any error. */
export const timeRatio = (ours: Fit, theirs: Fit): number => ours.product / theirs.product

/**
 * What pictures are compared with. If both tracers show the same light, their mean, each weighted by the inverse of its variance
 * over the whole picture: by pixel, weights would depend on what was sampled.
 */
export function commonReference(ours: Estimate, theirs: Estimate): Estimate {
  const [own, other] = [total(ours.variance), total(theirs.variance)]
  const share = own + other === 0 ? 0.5 : other / (own + other)
  return {
    size: ours.size,
    mean: ours.mean.map((mean, i) => share * mean + (1 - share) * theirs.mean[i]!),
    variance: ours.variance.map((variance, i) => share ** 2 * variance + (1 - share) ** 2 * theirs.variance[i]!),
    count: Math.min(ours.count, theirs.count),
  }
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)
const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
