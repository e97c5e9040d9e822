import { describe, expect, it } from 'vitest'
import { skyBlend, skyRadiance } from '../../shared/sky.ts'

const sky = { zenith: [1, 2, 3], horizon: [4, 5, 6], ground: [7, 8, 9] } as const

describe('the sky', () => {
  it('has its three colours at zenith, horizon and nadir', () => {
    expect(skyRadiance(sky, 1, 0)).toBe(1)
    expect(skyRadiance(sky, 0, 1)).toBe(5)
    expect(skyRadiance(sky, -1, 2)).toBe(9)
  })

  it('blends without a jump, monotonically away from the horizon', () => {
    for (let y = -1; y < 1; y += 1e-3) {
      expect(Math.abs(skyBlend(y + 1e-3) - skyBlend(y))).toBeLessThan(0.02)
      expect((skyBlend(y + 1e-3) - skyBlend(y)) * Math.sign(y + 5e-4)).toBeGreaterThanOrEqual(0)
    }
  })

  it('is exactly even where its colours are equal', () => {
    const even = { zenith: [0.3, 0.3, 0.3], horizon: [0.3, 0.3, 0.3], ground: [0.3, 0.3, 0.3] } as const
    for (let y = -1; y <= 1; y += 0.01) expect(skyRadiance(even, y, 1)).toBe(0.3)
  })
})
