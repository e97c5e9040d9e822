/** Times to an error, of pictures whose noise is known. */
import { describe, expect, it } from 'vitest'
import { estimateOf } from '../../../../../scripts/bench/pictures/model/estimate.ts'
import { RandomStream } from '../../../../../scripts/bench/pictures/naive/random-stream.ts'
import {
  commonReference,
  fitError,
  relativeError,
  secondsTo,
  timeRatio,
} from '../../../../../scripts/bench/pictures/times/time-to-error.ts'
import type { Size } from '../../../../../shared/frame/rect.ts'

const SIZE: Size = [48, 40]

/** A picture whose values have this standard deviation around their truth, 0.2 to 1. */
function noisy(seed: number, deviation: number): Float64Array {
  const random = new RandomStream(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  return Float64Array.from({ length: SIZE[0] * SIZE[1] * 3 }, (_, i) => truth(i) + deviation * normal())
}
const truth = (i: number) => 0.2 + (0.8 * (i % 97)) / 97
const perfect = estimateOf(SIZE, [noisy(1, 0), noisy(2, 0)])
const expected = (deviation: number): number =>
  perfect.mean.reduce((sum, value) => sum + deviation ** 2 / (value ** 2 + 0.01), 0) / perfect.mean.length

describe('the relative error', () => {
  it('is that of the noise', () => {
    expect(relativeError(noisy(3, 0.1), perfect) / expected(0.1)).toBeCloseTo(1, 1)
    expect(relativeError(noisy(3, 0), perfect)).toBe(0)
  })

  it('does not contain the noise of the reference', () => {
    const reference = estimateOf(
      SIZE,
      [4, 5, 6, 7].map(seed => noisy(seed, 0.05)),
    )
    const measured = [8, 9, 10, 11].map(seed => relativeError(noisy(seed, 0.03), reference))
    // With it, it would be 1.7 times as large.
    expect(Math.abs(measured.reduce((sum, error) => sum + error, 0) / 4 / expected(0.03) - 1)).toBeLessThan(0.1)
  })
})

describe('the time to an error', () => {
  const halving = [1, 2, 4, 8].map(factor => ({ samples: 16 * factor, seconds: 0.5 * factor, error: 0.04 / factor }))

  it('is exact where the error falls with time', () => {
    const fit = fitError(halving)
    expect(fit.product).toBeCloseTo(0.02, 12)
    expect(fit.slope).toBeCloseTo(-1, 12)
    expect(secondsTo(fit, 0.001)).toBeCloseTo(20, 9)
  })

  it('is in between where it does not quite', () => {
    const bent = halving.map((point, i) => ({ ...point, error: point.error * [1.1, 1 / 1.1, 1.1, 1 / 1.1][i]! }))
    expect(fitError(bent).product).toBeCloseTo(0.02, 12)
  })

  it('shows by the slope what converges faster', () => {
    const stratified = halving.map(point => ({ ...point, error: point.seconds ** -1.5 }))
    expect(fitError(stratified).slope).toBeCloseTo(-1.5, 12)
    expect(fitError(halving.slice(0, 1))).toMatchObject({ slope: Number.NaN })
  })

  it('is compared as a ratio', () => {
    const slower = halving.map(point => ({ ...point, seconds: 3 * point.seconds }))
    expect(timeRatio(fitError(slower), fitError(halving))).toBeCloseTo(3, 12)
  })

  it('cannot be told without errors', () => {
    expect(() => fitError([])).toThrow('nothing was measured')
    expect(() => fitError([{ samples: 1, seconds: 1, error: -0.1 }])).toThrow('noise of its reference')
  })
})

describe('the common reference', () => {
  const [fine, coarse] = [0.05, 0.2].map(deviation =>
    estimateOf(
      SIZE,
      [20, 21, 22, 23, 24, 25].map(seed => noisy(seed + 1000 * deviation, deviation)),
    ),
  )

  it('is better than either', () => {
    const common = commonReference(fine!, coarse!)
    const off = (mean: Float64Array) => mean.reduce((sum, value, i) => sum + (value - truth(i)) ** 2, 0) / mean.length
    expect(off(common.mean)).toBeLessThan(off(fine!.mean))
    // Inverse variances add up.
    const stated = common.variance.reduce((sum, value) => sum + value, 0) / common.variance.length
    expect(stated / (1 / (6 / 0.05 ** 2 + 6 / 0.2 ** 2))).toBeCloseTo(1, 1)
    expect(off(common.mean) / stated).toBeCloseTo(1, 1)
  })

  it('is the mean of pictures without noise', () => {
    expect(commonReference(perfect, perfect).mean).toEqual(perfect.mean)
  })
})
