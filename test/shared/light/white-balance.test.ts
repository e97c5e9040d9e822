import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TEMPERATURES, TINTS } from '../../../shared/frame/frame-limits.ts'
import { whiteBalanceSchema } from '../../../shared/frame/view.ts'
import { ToneMap } from '../../../shared/light/tone-map.ts'
import { isLight, LightBalance, type WhiteBalance, whiteOf } from '../../../shared/light/white-balance.ts'

/** CIE 1931 (x, y). */
function chromaticity(temperature: number, tint = 0): [number, number] {
  const [x, y, z] = whiteOf({ temperature, tint })
  return [x / (x + y + z), y / (x + y + z)]
}

/** CIE 1960 (u, v). */
function uvOf(temperature: number, tint = 0): [number, number] {
  const [x, y] = chromaticity(temperature, tint)
  const sum = -2 * x + 12 * y + 3
  return [(4 * x) / sum, (6 * y) / sum]
}

/** Linear sRGB of a chromaticity, with a luminance of 1: the inverse of the primaries' matrix, as IEC 61966-2-1 has it. */
function lightOf([x, y]: readonly [number, number]): [number, number, number] {
  const [X, Y, Z] = [x / y, 1, (1 - x - y) / y]
  return [
    3.2406 * X - 1.5372 * Y - 0.4986 * Z,
    -0.9689 * X + 1.8758 * Y + 0.0415 * Z,
    0.0557 * X - 0.204 * Y + 1.057 * Z,
  ]
}

function shown(balance: WhiteBalance, [red, green, blue]: readonly [number, number, number]): number[] {
  const out = new Float64Array(3)
  new LightBalance(balance).put(red, green, blue, out)
  return [...out]
}

const close = (value: number) => expect.closeTo(value, 6)

const balances = fc
  .record({
    temperature: fc.double({ min: TEMPERATURES.least, max: TEMPERATURES.most, noNaN: true }),
    tint: fc.double({ min: TINTS.least, max: TINTS.most, noNaN: true }),
  })
  .filter(isLight)

describe('the light of a temperature', () => {
  it.each([
    // Black bodies, by Planck's law and the CIE's observer of 1931.
    ['1500 K', 1500, 0.5857, 0.3931],
    ['2000 K', 2000, 0.5267, 0.4133],
    ['illuminant A', 2856, 0.4476, 0.4075],
    ['a halogen lamp', 3200, 0.4234, 0.399],
    ['4000 K', 4000, 0.3805, 0.3768],
    // CIE 15:2018, table T.3.
    ['D50', 5003, 0.34567, 0.35851],
    ['D55', 5503, 0.33243, 0.34744],
    ['D65', 6504, 0.31272, 0.32903],
    ['D75', 7504, 0.29903, 0.31488],
  ])('%s is as published', (_, kelvin, x, y) => {
    const [gotX, gotY] = chromaticity(kelvin)
    expect(Math.abs(gotX - x)).toBeLessThan(4e-4)
    expect(Math.abs(gotY - y)).toBeLessThan(4e-4)
  })

  it('becomes bluer with it, without a jump', () => {
    let [lastU, lastV] = uvOf(TEMPERATURES.least)
    for (let kelvin: number = TEMPERATURES.least; kelvin <= TEMPERATURES.most; kelvin *= 1.001) {
      const [u, v] = uvOf(kelvin)
      expect(u).toBeLessThanOrEqual(lastU)
      expect(Math.hypot(u - lastU, v - lastV)).toBeLessThan(3e-4)
      ;[lastU, lastV] = [u, v]
    }
  })

  it('lies a 3,000th off its curve for each unit of tint, on the green side', () => {
    for (const kelvin of [1500, 3200, 4500, 6504, 12000]) {
      const [[u, v], [tintedU, tintedV]] = [uvOf(kelvin), uvOf(kelvin, -12)]
      expect(Math.hypot(u - tintedU, v - tintedV)).toBeCloseTo(12 / 3000, 12)
      expect(tintedV).toBeLessThan(v)
      // Perpendicular to black bodies, which daylight runs along at some distance.
      const [cooler] = [uvOf(kelvin * 1.01)]
      const along = [cooler[0] - u, cooler[1] - v] as const
      const cosine =
        (along[0] * (tintedU - u) + along[1] * (tintedV - v)) /
        (Math.hypot(...along) * Math.hypot(u - tintedU, v - tintedV))
      expect(Math.abs(cosine)).toBeLessThan(0.25)
    }
  })

  it('is refused if nothing shines so', () => {
    expect(isLight({ temperature: 1000, tint: 0 })).toBe(true)
    expect(isLight({ temperature: 1000, tint: 50 })).toBe(false)
    expect(whiteBalanceSchema.safeParse({ temperature: 1000, tint: 50 }).success).toBe(false)
    expect(whiteBalanceSchema.safeParse({ temperature: 999, tint: 0 }).success).toBe(false)
    expect(whiteBalanceSchema.safeParse({ temperature: 5500, tint: -10 }).success).toBe(true)
  })
})

describe('a white balance', () => {
  it('shows that light as white, as bright as it is', () => {
    fc.assert(
      fc.property(balances, balance => {
        const [x, y, z] = whiteOf(balance)
        const sum = x + y + z
        // The published matrices are rounded, and those of a deep red have much of it taken away.
        for (const value of shown(balance, lightOf([x / sum, y / sum]))) expect(Math.abs(value - 1)).toBeLessThan(0.02)
      }),
    )
  })

  it('shows lamps of published colours as white', () => {
    for (const [kelvin, x, y] of [
      [2856, 0.44757, 0.40745],
      [3200, 0.4234, 0.399],
      [5003, 0.34567, 0.35851],
    ] as const)
      for (const value of shown({ temperature: kelvin, tint: 0 }, lightOf([x, y])))
        expect(Math.abs(value - 1)).toBeLessThan(0.01)
  })

  it('of the white of sRGB changes nothing', () => {
    for (const [i, value] of shown({ temperature: 6504, tint: 0 }, [0.2, 0.5, 3]).entries())
      expect(value).toBeCloseTo([0.2, 0.5, 3][i]!, 12)
  })

  it('is a matrix: twice the light, or light of two lamps, is shown as their sum', () => {
    const balance = { temperature: 8000, tint: 5 }
    const [a, b] = [shown(balance, [0.5, 0.6, 0.7]), shown(balance, [0.3, 0.2, 0.3])]
    const both = shown(balance, [1.3, 1.4, 1.7])
    for (const [i, value] of both.entries()) expect(value).toBeCloseTo(2 * a[i]! + b[i]!, 12)
  })

  it('shows pictures as it shows their pixels', () => {
    const balance = { temperature: 4200, tint: -3 }
    const pixels = [
      [0.1, 0.2, 0.3],
      [7, 0, 0],
    ] as const
    const picture = Float32Array.from(pixels.flat())
    new LightBalance(balance).apply(picture)
    expect([...picture]).toEqual([...Float32Array.from(pixels.flatMap(pixel => shown(balance, pixel)))].map(close))
  })

  it('never gives less than no light', () => {
    const channel = fc.double({ min: 0, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(balances, fc.tuple(channel, channel, channel), (balance, light) => {
        for (const value of shown(balance, light)) expect(value).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('comes before exposure and tone mapping, and not with none', () => {
    const whiteBalance = { temperature: 3200, tint: 0 }
    const lamp = lightOf([0.4234, 0.399])
    const bytesOf = (look: ConstructorParameters<typeof ToneMap>[0], [r, g, b]: readonly number[]) => {
      const out = new Uint8Array(3)
      new ToneMap(look).write(r!, g!, b!, out, 0)
      return [...out]
    }
    for (const toneMapping of ['aces', 'agx', 'linear', 'neutral'] as const) {
      const [white] = bytesOf({ exposure: 0.3, toneMapping }, [1, 1, 1])
      for (const byte of bytesOf({ exposure: 0.3, toneMapping, whiteBalance }, lamp))
        expect(Math.abs(byte - white!)).toBeLessThanOrEqual(1)
    }
    expect(bytesOf({ exposure: 1, toneMapping: 'none', whiteBalance }, lamp)).toEqual(
      bytesOf({ exposure: 1, toneMapping: 'none' }, lamp),
    )
  })
})
