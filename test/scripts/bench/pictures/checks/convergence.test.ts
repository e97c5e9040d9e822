import { describe, expect, it } from 'vitest'
import {
  blockError,
  checkConvergence,
  checkNeighbours,
  convergenceOf,
  INTEGRANDS,
} from '../../../../../scripts/bench/pictures/checks/convergence.ts'
import { RandomStream } from '../../../../../scripts/bench/pictures/naive/random-stream.ts'

const PIXELS = 256

describe.each(INTEGRANDS.map(integrand => [integrand.name, integrand] as const))('%s', (_, integrand) => {
  it('has the mean and the deviation that are stated', () => {
    const random = new RandomStream(3)
    const values = Array.from({ length: 100_000 }, () =>
      integrand.of(random.next(), random.next(), random.next(), random.next()),
    )
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
    expect(mean).toBeCloseTo(integrand.mean, 2)
    expect(deviation).toBeCloseTo(integrand.deviation, 2)
  })

  it('converges with the root of the number of samples in white noise, which is not good enough', () => {
    const random = new RandomStream(7)
    const white = convergenceOf(
      integrand,
      () => [random.next(), random.next(), random.next(), random.next()] as const,
      PIXELS,
    )
    expect(white.slope).toBeCloseTo(-0.5, 1)
    expect(white.constant / integrand.deviation).toBeCloseTo(1, 0)
    expect(checkConvergence(white).some(({ ok }) => !ok)).toBe(true)
  })

  it('has errors in white noise that cancel out as those of independent pixels do, which is not good enough', () => {
    const random = new RandomStream(11)
    const draw = () => [random.next(), random.next(), random.next(), random.next()] as const
    expect(blockError(integrand, draw, 1)).toBeCloseTo(1, 0)
    expect(checkNeighbours(integrand, draw).every(({ ok }) => !ok)).toBe(true)
  })
})
