import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { srgbByte, srgbThresholds } from '../../../shared/math/srgb.ts'

const thresholds = srgbThresholds()
/** The standard's formulas with the platform's own power function. */
const encode = (x: number) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055)
const decode = (s: number) => (s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4)

describe('sRGB bytes', () => {
  it('step up where the formula says', () => {
    expect(thresholds).toHaveLength(255)
    for (let byte = 0; byte < 255; byte++) {
      expect(thresholds[byte]! / decode((byte + 0.5) / 255)).toBeCloseTo(1, 13)
      if (byte > 0) expect(thresholds[byte]!).toBeGreaterThan(thresholds[byte - 1]!)
    }
  })

  it('are the nearest to the formula for any light', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), x => {
        const exact = encode(x) * 255
        expect(Math.abs(srgbByte(x, thresholds) - exact)).toBeLessThan(0.5 + 1e-3)
      }),
    )
  })

  it('clamp, and take NaN for black', () => {
    expect([-1, 0, Number.NaN, 1, 2, Number.POSITIVE_INFINITY].map(x => srgbByte(x, thresholds))).toEqual([
      0, 0, 0, 255, 255, 255,
    ])
  })

  it('reach every value, each from its own colour', () => {
    for (let byte = 0; byte < 256; byte++) expect(srgbByte(decode(byte / 255), thresholds)).toBe(byte)
  })
})
