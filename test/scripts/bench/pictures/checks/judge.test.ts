/** The judge, judged on noise whose truth is known. */
import { describe, expect, it } from 'vitest'
import { judge, zScores } from '../../../../../scripts/bench/pictures/checks/judge.ts'
import { type Estimate, estimateOf } from '../../../../../scripts/bench/pictures/model/estimate.ts'
import { RandomStream } from '../../../../../scripts/bench/pictures/naive/random-stream.ts'
import type { Size } from '../../../../../shared/frame/rect.ts'

const SIZE: Size = [48, 32]

/** `levelAt`: the truth by pixel; `noise`: of one rendering, relative; `skewed`: rare bright samples, as of a small light. */
function noisy(
  seed: number,
  levelAt: (pixel: number) => number,
  { noise = 0.15, renderings = 16, skewed = false } = {},
): Estimate {
  const random = new RandomStream(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  // One in 16 samples sees a light; 64 samples.
  const found = () => {
    let sum = 0
    for (let sample = 0; sample < 64; sample++) sum += random.next() < 1 / 16 ? 16 : 0
    return sum / 64
  }
  const pictures = Array.from({ length: renderings }, () =>
    Float64Array.from({ length: SIZE[0] * SIZE[1] * 3 }, (_, i) => {
      const level = levelAt(Math.floor(i / 3))
      return skewed ? level * found() : level * (1 + noise * normal())
    }),
  )
  return estimateOf(SIZE, pictures)
}
const flat = () => 0.5
const failed = (checks: ReturnType<typeof judge>) => checks.filter(({ ok }) => !ok).map(({ name }) => name)

describe('the judge', () => {
  it('accepts two noisy pictures of the same thing, with any seed', () => {
    for (let seed = 0; seed < 8; seed++) {
      expect(failed(judge('same', noisy(seed, flat), noisy(100 + seed, flat)))).toEqual([])
    }
  })

  it('accepts skewed noise beside little noise', () => {
    for (let seed = 0; seed < 4; seed++) {
      const checks = judge('same', noisy(seed, flat, { noise: 0.01 }), noisy(100 + seed, flat, { skewed: true }), {
        resolution: 0.1,
      })
      expect(failed(checks)).toEqual([])
    }
  })

  it('rejects a picture that is one percent too bright', () => {
    for (let seed = 0; seed < 8; seed++) {
      const checks = judge(
        'bright',
        noisy(seed, () => 0.505),
        noisy(100 + seed, flat),
      )
      expect(failed(checks)).toContain('bright: total, standard errors')
    }
  })

  it('rejects light in the wrong place, though the whole is right', () => {
    const moved = (pixel: number) => 0.5 * (pixel % SIZE[0] < SIZE[0] / 2 ? 1.04 : 0.96)
    const checks = judge('moved', noisy(1, moved), noisy(2, flat))
    expect(failed(checks)).toContain('moved: areas, standard errors')
    expect(failed(checks)).not.toContain('moved: total, standard errors')
  })

  it('rejects single wrong pixels', () => {
    const speckled = (pixel: number) => (pixel % 40 === 0 ? 1 : 0.5)
    expect(failed(judge('speckled', noisy(1, speckled), noisy(2, flat)))).toContain(
      'speckled: outliers, share of pixels',
    )
  })

  it('does not acquit what it cannot see', () => {
    const [a, b] = [noisy(1, flat, { noise: 3 }), noisy(2, flat, { noise: 3 })]
    expect(failed(judge('dark room', a, b))).toEqual(['dark room: resolution, relative'])
  })

  it('compares pictures without noise', () => {
    const still = (level: number): Estimate => ({
      ...noisy(1, flat),
      mean: new Float64Array(SIZE[0] * SIZE[1] * 3).fill(level),
      variance: new Float64Array(SIZE[0] * SIZE[1] * 3),
    })
    expect(failed(judge('equal', still(1), still(1.0005)))).toEqual([])
    expect(failed(judge('unequal', still(1), still(1.002)))).toHaveLength(3)
  })

  it('refuses pictures of different sizes', () => {
    const other = { ...noisy(1, flat), size: [32, 48] as const }
    expect(() => judge('sizes', noisy(1, flat), other)).toThrow('48,32')
  })

  it('has normal scores, of few renderings too', () => {
    const scores = [...zScores(noisy(1, flat, { renderings: 4 }), noisy(2, flat, { renderings: 8 }), 0)]
    const share = (least: number) => scores.filter(z => Math.abs(z) > least).length / scores.length
    expect(share(1)).toBeCloseTo(0.317, 1)
    expect(share(2)).toBeCloseTo(0.0455, 1.5)
    expect(share(3)).toBeLessThan(0.008)
  })
})
