import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noiseReport, samplesFor } from '../../../master/frames/noise-report.ts'
import { MAX_SAMPLES } from '../../../shared/frame/frame-limits.ts'
import { noiseReportSchema } from '../../../shared/frame/frame-report.ts'

describe('the samples that bring noise down', () => {
  it.each([
    // Half of the noise takes four times the samples.
    [64, 2, 256],
    [64, 1.01, 128],
    [100, 2, 512],
    [100, 1.001, 128],
    [4096, 2, MAX_SAMPLES],
    [4097, 2, undefined],
    [16384, 1.001, undefined],
  ])('of %i by a factor of %f are %s', (taken, factor, expected) => {
    expect(samplesFor(taken, factor)).toBe(expected)
  })

  it('are the least power of two that will do, and more than were taken', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 32, max: MAX_SAMPLES }),
        fc.double({ min: 1.0001, max: 1e3, noNaN: true }),
        (taken, factor) => {
          const samples = samplesFor(taken, factor) ?? 2 * MAX_SAMPLES
          expect(samples).toBeGreaterThan(taken)
          // The standard error of a mean falls with the square root of its samples.
          if (samples <= MAX_SAMPLES) expect(factor * Math.sqrt(taken / samples)).toBeLessThanOrEqual(1 + 1e-12)
          if (samples / 2 > taken) expect(factor * Math.sqrt(taken / (samples / 2))).toBeGreaterThan(1 - 1e-12)
        },
      ),
    )
  })
})

it('a frame that has met its limit says no more than that', () => {
  expect(noiseReport({ limit: 0.05, share: 0, most: 0 }, 64)).toEqual({ limit: 0.05, share: 0 })
  const denoised = { limit: 0.05, share: 0, denoised: true } as const
  expect(noiseReport({ ...denoised, most: 0 }, 64)).toEqual(denoised)
  expect(noiseReportSchema.parse(denoised)).toEqual(denoised)
})

it('a frame that has not says by how much, and what would have done', () => {
  const report = noiseReport({ limit: 0.05, share: 0.31, most: 0.11 }, 128)
  expect(report).toEqual({ limit: 0.05, share: 0.31, most: 0.11, samples: 1024 })
  expect(noiseReportSchema.parse(report)).toEqual(report)
  expect(noiseReport({ limit: 0.001, share: 0.31, most: 0.11 }, 128)).not.toHaveProperty('samples')
})
