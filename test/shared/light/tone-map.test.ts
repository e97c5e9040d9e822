import { describe, expect, it } from 'vitest'
import { ToneMap } from '../../../shared/light/tone-map.ts'

const map = new ToneMap({ exposure: 1 })
const bytesOf = (red: number, green: number, blue: number) => {
  const out = new Uint8Array(5)
  map.write(red, green, blue, out, 1)
  return [...out]
}

describe('the tone map', () => {
  it('writes three bytes where it was told', () => {
    const [before, r, g, b, after] = bytesOf(0.4, 0.4, 0.4)
    expect([before, after]).toEqual([0, 0])
    expect(Math.max(r!, g!, b!) - Math.min(r!, g!, b!)).toBeLessThanOrEqual(1)
  })

  it('keeps black black and never turns more light into less', () => {
    expect(bytesOf(0, 0, 0).slice(1, 4)).toEqual([0, 0, 0])
    let last = 0
    for (let light = 0.001; light < 100; light *= 1.07) {
      const byte = bytesOf(light, light, light)[2]!
      expect(byte).toBeGreaterThanOrEqual(last)
      last = byte
    }
    expect(last).toBe(255)
  })

  it('shows middle grey and white as three.js does', () => {
    // Hill's fit by hand of the light over 0.6: 0.18 gives 0.2131 linear, 1 gives 0.7634.
    expect(bytesOf(0.18, 0.18, 0.18)[2]).toBe(127)
    expect(bytesOf(1, 1, 1)[2]).toBe(226)
  })
})
