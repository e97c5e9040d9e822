import { expect, it } from 'vitest'
import { EXPOSURES } from '../../../shared/frame/frame-limits.ts'
import { sumScale } from '../../../shared/light/sum-scale.ts'

it('is the power of two nearest to 1 with which sums are shown with exposures near 1', () => {
  for (const exposure of [1 / 64, 0.1, 1, 3, 64]) expect(sumScale({ exposure })).toBe(1)
  for (let exposure: number = EXPOSURES.least; exposure <= EXPOSURES.most; exposure *= 1.7) {
    const scale = sumScale({ exposure })
    expect(Number.isInteger(Math.log2(scale))).toBe(true)
    expect([exposure / scale >= 1 / 64, exposure / scale <= 64]).toEqual([true, true])
    if (scale > 1) expect(exposure / (scale / 2)).toBeGreaterThan(64)
    if (scale < 1) expect(exposure / (scale * 2)).toBeLessThan(1 / 64)
  }
})

it('is 1 where nothing is exposed', () => {
  expect(sumScale({ exposure: 1e6, toneMapping: 'none' })).toBe(1)
})
