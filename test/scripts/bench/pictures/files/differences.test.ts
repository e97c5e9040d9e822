/** How far pictures are apart, where noise and difference are known. */
import { describe, expect, it } from 'vitest'
import { differenceOf } from '../../../../../scripts/bench/pictures/files/differences.ts'
import { estimateOf } from '../../../../../scripts/bench/pictures/model/estimate.ts'
import { RandomStream } from '../../../../../scripts/bench/pictures/naive/random-stream.ts'
import type { Size } from '../../../../../shared/frame/rect.ts'

const SIZE: Size = [64, 48]
const RENDERINGS = 8

/** Several renderings around 1, 2, 3 in red, green and blue. */
function estimate(seed: number, deviation: number, change = (value: number, _index: number) => value) {
  const random = new RandomStream(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  const rendering = () =>
    Float64Array.from({ length: SIZE[0] * SIZE[1] * 3 }, (_, i) => change(1 + (i % 3), i) + deviation * normal())
  return estimateOf(SIZE, Array.from({ length: RENDERINGS }, rendering))
}

describe('the difference of two pictures', () => {
  it('is their noise if there is no other', () => {
    const { brightness, brightnessNoise, apart, noise, beyondNoise } = differenceOf(estimate(1, 0.3), estimate(2, 0.3))
    brightness.forEach((value, i) => {
      expect(Math.abs(value)).toBeLessThan(4 * brightnessNoise[i]!)
    })
    expect(apart / noise).toBeCloseTo(1, 1)
    expect(beyondNoise).toBeLessThan(0.35 * noise)
  })

  it('is told apart from noise', () => {
    const other = estimate(2, 0.1, (value, i) => value * (Math.floor(i / 3) % 2 ? 1.2 : 0.8))
    const { brightness, apart, beyondNoise } = differenceOf(estimate(1, 0.1), other)
    expect(Math.abs(brightness[0])).toBeLessThan(0.01)
    expect(apart).toBeGreaterThan(0.2)
    expect(beyondNoise).toBeCloseTo(0.2, 2)
  })

  it('tells the light of each channel, and the factor between pictures', () => {
    const { brightness, scale } = differenceOf(
      estimate(1, 0.01),
      estimate(2, 0.01, (value, i) => value * [2, 1, 1][i % 3]!),
    )
    brightness.forEach((value, i) => {
      expect(value).toBeCloseTo([-0.5, 0, 0][i]!, 2)
    })
    expect(
      differenceOf(
        estimate(1, 0.01),
        estimate(2, 0.01, value => 4 * value),
      ).scale,
    ).toBeCloseTo(4, 2)
    expect(scale).toBeGreaterThan(1)
  })

  it('counts pixels that show something', () => {
    const shown = Uint8Array.from({ length: SIZE[0] * SIZE[1] }, (_, pixel) => (pixel < 100 ? 1 : 0))
    const other = estimate(2, 0.01, (value, i) => (i < 300 ? value : 100))
    expect(differenceOf(estimate(1, 0.01), other, shown).beyondNoise).toBeLessThan(0.01)
  })
})
