/** Our tone mapping against three.js's: its shader, translated to JavaScript by the test, and known values. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { ShaderChunk } from 'three'
import { describe, expect, it } from 'vitest'
import { ToneMap } from '../../../shared/light/tone-map.ts'
import { operators, TONE_MAPPINGS, type ToneMapping } from '../../../shared/light/tone-mapping.ts'

type Color = [number, number, number]

/** The body of a function of the shader, without white space. */
const bodyOf = (name: string): string => {
  const source = ShaderChunk.tonemapping_pars_fragment
  const from = source.indexOf(`vec3 ${name}(`)
  expect(from).toBeGreaterThan(0)
  return source.slice(source.indexOf('{', from), source.indexOf('\n}', from))
}

/** Numbers of a shader's text, in order. */
const numbersIn = (text: string): number[] =>
  (
    text
      .replace(/\/\/.*/g, '')
      .replace(/-\s+(?=\d)/g, '-')
      .match(/(?<![\w.])-?\d+\.?\d*(e-?\d+)?/g) ?? []
  ).map(Number)

/** A mat3 of a shader: its columns. */
const matrixIn = (text: string, name: string): number[] => {
  const from = text.indexOf(`${name} = mat3(`)
  expect(from).toBeGreaterThan(0)
  const rest = text.slice(from + name.length + 8, text.indexOf(');', from)).replace(/vec3/g, '')
  return numbersIn(rest)
}
const times = (m: readonly number[], [x, y, z]: Color): Color =>
  [0, 1, 2].map(row => m[row]! * x + m[row + 3]! * y + m[row + 6]! * z) as Color
const each = (color: Color, of: (x: number) => number): Color => color.map(of) as Color

const chunk = ShaderChunk.tonemapping_pars_fragment
const [toWide, fromWide] = ['LINEAR_SRGB_TO_LINEAR_REC2020', 'LINEAR_REC2020_TO_LINEAR_SRGB'].map(name =>
  matrixIn(chunk, name),
) as [number[], number[]]

/** three.js's operators, in the platform's arithmetic, with the matrices of its shader. */
const THREE: Record<ToneMapping, (color: Color) => Color> = {
  none: color => color,
  linear: color => color,
  reinhard: color => each(color, x => x / (1 + x)),
  cineon: color =>
    each(color, x => {
      const c = Math.max(0, x - 0.004)
      return ((c * (6.2 * c + 0.5)) / (c * (6.2 * c + 1.7) + 0.06)) ** 2.2
    }),
  aces: color => {
    const body = bodyOf('ACESFilmicToneMapping')
    const fitted = each(
      times(
        matrixIn(body, 'ACESInputMat'),
        each(color, x => x / 0.6),
      ),
      v => {
        const a = v * (v + 0.0245786) - 0.000090537
        return a / (v * (0.983729 * v + 0.432951) + 0.238081)
      },
    )
    return times(matrixIn(body, 'ACESOutputMat'), fitted)
  },
  agx: color => {
    const body = bodyOf('AgXToneMapping')
    const inset = times(matrixIn(body, 'AgXInsetMatrix'), times(toWide, color))
    const curved = each(inset, c => {
      const x = Math.min(1, Math.max(0, (Math.log2(Math.max(c, 1e-10)) + 12.47393) / (4.026069 + 12.47393)))
      return 15.5 * x ** 6 - 40.14 * x ** 5 + 31.96 * x ** 4 - 6.868 * x ** 3 + 0.4298 * x ** 2 + 0.1191 * x - 0.00232
    })
    const linear = each(times(matrixIn(body, 'AgXOutsetMatrix'), curved), x => Math.max(0, x) ** 2.2)
    return times(fromWide, linear)
  },
  neutral: ([r, g, b]) => {
    const x = Math.min(r, g, b)
    const offset = x < 0.08 ? x - 6.25 * x * x : 0.04
    const color: Color = [r - offset, g - offset, b - offset]
    const peak = Math.max(...color)
    if (peak < 0.76) return color
    const newPeak = 1 - 0.24 ** 2 / (peak + 0.24 - 0.76)
    const grey = 1 - 1 / (0.15 * (peak - newPeak) + 1)
    return each(color, c => ((c * newPeak) / peak) * (1 - grey) + newPeak * grey)
  },
}

const light = fc.oneof(fc.double({ min: 0, max: 2, noNaN: true }), fc.double({ min: 0, max: 1e5, noNaN: true }))

describe.each(TONE_MAPPINGS)('the tone mapping %s', name => {
  const out = new Float64Array(3)

  it('is the one of three.js', () => {
    fc.assert(
      fc.property(light, light, light, (r, g, b) => {
        operators[name](r, g, b, out)
        // `aces` is reckoned in floats.
        const precision = name === 'aces' ? 1e-6 : 1e-12
        for (const [i, expected] of THREE[name]([r, g, b]).entries())
          expect(Math.abs(out[i]! - expected)).toBeLessThanOrEqual(precision * Math.max(1, Math.abs(expected)))
      }),
      { numRuns: 2000 },
    )
  })

  it('never makes more light darker, up to its white', () => {
    let last = -1
    for (let x = 0; x < 16; x = x * 1.01 + 1e-4) {
      operators[name](x, x, x, out)
      // The fit of AgX is not quite monotonic in the dark.
      expect(out[1]).toBeGreaterThanOrEqual(last - 1e-3)
      last = out[1]!
    }
    expect(last).toBeGreaterThan(0.9)
  })
})

it('is compared with the shader of the installed three.js', () => {
  // If it changes, the functions above have to be compared with it anew.
  const code = chunk.replace(/\/\/.*/g, '').replace(/\s+/g, '')
  expect(createHash('sha256').update(code).digest('hex').slice(0, 16)).toBe('a1eadfdb7b1c7e37')
})

describe('a tone map', () => {
  const bytesOf = (toneMapping: ToneMapping, exposure: number, x: number) => {
    const out = new Uint8Array(3)
    new ToneMap({ exposure, toneMapping }).write(x, x, x, out, 0)
    return out[1]
  }

  it('shows middle grey as known', () => {
    // By hand: sRGB of 0.18 twice, 0.18/1.18, 0.508^2.2 (Hejl), 0.2131 (Hill), about 0.5^2.2 (AgX's pivot), and 0.18 − 0.04.
    expect(TONE_MAPPINGS.map(name => bytesOf(name, 1, 0.18))).toEqual([118, 118, 109, 131, 127, 128, 105])
  })

  it('applies the exposure before anything else, except for none, which has none', () => {
    for (const name of TONE_MAPPINGS)
      expect(bytesOf(name, 4, 0.1)).toBe(name === 'none' ? bytesOf(name, 1, 0.1) : bytesOf(name, 1, 0.4))
  })
})
