import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SrgbBytes, srgbThresholds } from '../../../shared/math/srgb.ts'

const thresholds = srgbThresholds()
const srgb = new SrgbBytes()
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
        expect(Math.abs(srgb.nearest(x) - exact)).toBeLessThan(0.5 + 1e-3)
      }),
    )
  })

  it('count the thresholds at or under, to the last bit', () => {
    const check = (x: number) => {
      expect(srgb.nearest(x)).toBe(thresholds.filter(threshold => threshold <= x).length)
    }
    const halfCells = fc.nat({ max: 8192 }).map(n => n / 8192)
    const bits = new Float64Array(1)
    const words = new BigInt64Array(bits.buffer)
    const beside = (x: number, steps: bigint) => {
      bits[0] = x
      words[0]! += steps
      return bits[0]!
    }
    fc.assert(fc.property(fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), halfCells), check))
    for (const threshold of thresholds) for (const steps of [-1n, 0n, 1n]) check(beside(threshold, steps))
    for (let cell = 1; cell < 8192; cell++) for (const steps of [-1n, 0n, 1n]) check(beside(cell / 8192, steps))
  })

  it('clamp, and take NaN for black', () => {
    expect([-1, 0, Number.NaN, 1, 2, Number.POSITIVE_INFINITY].map(x => srgb.nearest(x))).toEqual([
      0, 0, 0, 255, 255, 255,
    ])
  })

  it('reach every value, each from its own colour', () => {
    for (let byte = 0; byte < 256; byte++) expect(srgb.nearest(decode(byte / 255))).toBe(byte)
  })
})
