/** Functions of the path tracer that are written out, beside those of the platform. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantiate } from '../../../../../worker/engine/wasm/kernel.ts'
import { KernelMemory } from '../../../../../worker/engine/wasm/memory.ts'
import { kernelModule } from '../builder-harness.ts'

const kernel = instantiate(kernelModule, KernelMemory.of(65536).memory)
const double = (min: number, max: number) => fc.double({ min, max, noNaN: true })
function near(got: number, expected: number): void {
  expect(Math.abs(got - expected)).toBeLessThanOrEqual(2e-15 * Math.abs(expected) + 1e-16)
}

describe('written out', () => {
  it('the exponential function', () => {
    fc.assert(fc.property(double(-700, 0), x => near(kernel.probeExponential(x), Math.exp(x))))
    expect([0, -800, Number.NEGATIVE_INFINITY, Number.NaN].map(x => kernel.probeExponential(x))).toEqual([1, 0, 0, 0])
  })

  it('the logarithm', () => {
    fc.assert(fc.property(double(1e-300, 1e300), x => near(kernel.probeLogarithm(x), Math.log(x))))
    fc.assert(fc.property(double(0.5, 2), x => near(kernel.probeLogarithm(x), Math.log(x))))
    expect(kernel.probeLogarithm(1)).toBe(0)
  })

  it('the angle of a point', () => {
    fc.assert(
      fc.property(double(-10, 10), double(-10, 10), (someY, someX) => {
        // Zero has no sign in the kernel.
        const [y, x] = [someY + 0, someX + 0]
        const got = kernel.probeTurns(y, x)
        const expected = Math.atan2(y, x) / (2 * Math.PI)
        const least = Math.min(Math.abs(got - expected), Math.abs(got - expected - 1), Math.abs(got - expected + 1))
        expect(least).toBeLessThan(1e-15)
      }),
    )
    expect([kernel.probeTurns(0, 0), kernel.probeTurns(1, 0), kernel.probeTurns(0, -1)]).toEqual([0, 0.25, 0.5])
  })
})
