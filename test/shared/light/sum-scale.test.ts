import { expect, it } from 'vitest'
import { EXPOSURES } from '../../../shared/frame/frame-limits.ts'
import { sumScale } from '../../../shared/light/sum-scale.ts'

it('is a power of two near the exposure, and 1 where that is not far from 1', () => {
  for (const exposure of [1 / 64, 0.1, 1, 3, 64]) expect(sumScale({ exposure })).toBe(1)
  for (let exposure: number = EXPOSURES.least; exposure <= EXPOSURES.most; exposure *= 1.7) {
    const scale = sumScale({ exposure })
    expect(Number.isInteger(Math.log2(scale))).toBe(true)
    if (scale !== 1) expect([exposure / scale >= 1, exposure / scale < 2]).toEqual([true, true])
    else expect([exposure >= 1 / 64, exposure <= 64]).toEqual([true, true])
  }
})

it('is 1 where nothing is exposed', () => {
  expect(sumScale({ exposure: 1e6, toneMapping: 'none' })).toBe(1)
})
