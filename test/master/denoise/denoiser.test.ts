/** What a denoiser has to keep and to remove, on pictures whose light is known. */
import { describe, expect, it } from 'vitest'
import type { NoisyPicture } from '../../../master/assembly/denoising.ts'
import { loadDenoiser } from '../../../master/denoise/load-denoiser.ts'
import { frameRect, type Rect, type Size } from '../../../shared/frame/rect.ts'
import { randomNumbers } from '../../support/random-numbers.ts'

const COLORS = 3
const FEATURES = 7

interface Known {
  /** Radiance of a pixel, all colours alike. */
  readonly light: (x: number, y: number) => number
  /** Of the first feature; the others are the same everywhere. */
  readonly feature?: (x: number, y: number) => number
  /** Standard deviation of a half, as a share of its light. */
  readonly noise: (x: number, y: number) => number
}

const flat = (value: number) => () => value

function picture(size: Size, { light, feature = flat(0.5), noise }: Known, seed = 1): NoisyPicture {
  const [w, h] = size
  const random = randomNumbers(seed)
  // The sum of three uniform numbers, of variance 1/4.
  const deviate = () => (random() + random() + random() - 1.5) * 2
  const lights = [0, 1].map(() => new Float32Array(w * h * COLORS))
  const features = [0, 1].map(() => new Float32Array(w * h * FEATURES).fill(0.5))
  for (let i = 0; i < w * h; i++) {
    const [x, y] = [i % w, Math.floor(i / w)]
    for (const half of [0, 1]) {
      for (let c = 0; c < COLORS; c++)
        lights[half]![i * COLORS + c] = light(x, y) * Math.max(0, 1 + noise(x, y) * deviate())
      features[half]![i * FEATURES] = feature(x, y)
    }
  }
  return {
    size,
    light: lights as [Float32Array, Float32Array],
    features: features as [Float32Array, Float32Array],
    samples: new Uint32Array(w * h).fill(16),
  }
}

function denoised(of: NoisyPicture, rects: readonly Rect[] = [frameRect(of.size)]): Float32Array {
  const denoise = loadDenoiser()
  const out = new Float32Array(of.size[0] * of.size[1] * COLORS)
  for (const rect of rects) denoise(of, rect, out)
  return out
}

const meanOf = ({ light: [a, b] }: NoisyPicture): Float32Array => a.map((value, i) => (value + b[i]!) / 2)

/** Mean square error, relative to the light. */
function errorOf(values: Float32Array, [w]: Size, { light }: Known): number {
  const squares = [...values].map((value, i) => {
    const pixel = Math.floor(i / COLORS)
    const right = light(pixel % w, Math.floor(pixel / w))
    return ((value - right) / right) ** 2
  })
  return squares.reduce((a, b) => a + b, 0) / squares.length
}

const brightness = (values: Float32Array): number => values.reduce((a, b) => a + b, 0) / values.length

/** By how much the error is lowered. */
function gain(size: Size, known: Known, seed = 1): number {
  const noisy = picture(size, known, seed)
  return errorOf(meanOf(noisy), size, known) / errorOf(denoised(noisy), size, known)
}

const tiles = ([w, h]: Size, side: readonly [number, number]): Rect[] => {
  const rects: Rect[] = []
  for (let y = 0; y < h; y += side[1])
    for (let x = 0; x < w; x += side[0]) rects.push({ x, y, w: Math.min(side[0], w - x), h: Math.min(side[1], h - y) })
  return rects
}

/** Everything at once: edges with and without features, a hair, outliers, darkness, and pixels of few samples. */
function busy(size: Size): NoisyPicture {
  const made = picture(size, {
    light: (x, y) => (x === 23 ? 9 : y > 40 ? 0 : (x % 16 < 8 ? 0.2 : 0.8) * (y > 20 ? 0.1 : 1)),
    feature: x => (x % 16 < 8 ? 0.2 : 0.8),
    noise: (x, y) => (x > 60 ? 0 : 0.2 + (y % 7) / 10),
  })
  for (let i = 50; i < made.samples.length; i += 97) made.light[i % 2]![i * COLORS] = 1000
  for (let i = 0; i < made.samples.length; i++) made.samples[i] = 1 << (i % 6)
  return made
}

describe('a denoised picture', () => {
  it('has the same bytes however it is cut', () => {
    const size: Size = [101, 67]
    const of = busy(size)
    const whole = denoised(of)
    for (const side of [
      [64, 32],
      [13, 67],
      [101, 5],
      [29, 31],
    ] as const)
      expect(denoised(of, tiles(size, side).reverse())).toEqual(whole)
  })

  it('has the same bytes after pictures of other sizes', () => {
    const of = busy([40, 30])
    const denoise = loadDenoiser()
    const out = new Float32Array(40 * 30 * COLORS)
    denoise(busy([90, 70]), { x: 0, y: 0, w: 90, h: 70 }, new Float32Array(90 * 70 * COLORS))
    denoise(of, frameRect(of.size), out)
    expect(out).toEqual(denoised(of))
  })

  it('is the picture itself where both halves are the same', () => {
    const random = randomNumbers(3)
    const of = picture([50, 40], { light: () => random() * 5, noise: flat(0) })
    of.light[1].set(of.light[0])
    expect(denoised(of)).toEqual(of.light[0])
  })

  it('is black where there is no light', () => {
    const of = picture([33, 17], { light: flat(0), noise: flat(0) })
    expect(denoised(of)).toEqual(of.light[0])
  })

  it.each<Size>([
    [1, 1],
    [1, 40],
    [40, 1],
    [2, 2],
    [3, 5],
    [37, 41],
  ])('has only finite numbers from 0 on, of %i × %i pixels', (w, h) => {
    const random = randomNumbers(w * 100 + h)
    const values = [0, 1e-30, 1e-6, 1, 2 ** 20]
    const of = picture([w, h], { light: () => values[Math.floor(random() * values.length)]!, noise: flat(0.5) })
    const result = denoised(of)
    expect(result.every(value => Number.isFinite(value) && value >= 0)).toBe(true)
  })
})

describe('a denoiser', () => {
  const SIZE: Size = [80, 60]

  it('removes noise from a wall, and keeps its brightness', () => {
    const wall = { light: flat(0.7), noise: flat(0.5) }
    expect(gain(SIZE, wall)).toBeGreaterThan(20)
    const noisy = picture(SIZE, wall)
    expect(Math.abs(brightness(denoised(noisy)) / brightness(meanOf(noisy)) - 1)).toBeLessThan(0.01)
  })

  it('does so whatever the exposure', () => {
    const [dim, bright] = [2 ** -12, 2 ** 12].map(light => gain(SIZE, { light: flat(light), noise: flat(0.5) }))
    expect(dim! / bright!).toBeCloseTo(1, 2)
  })

  it('keeps textures that features explain', () => {
    // Stripes of one pixel, and a ramp.
    const texture = (x: number, y: number) => 0.2 + 0.4 * (x % 2) + y / 200
    expect(gain(SIZE, { light: (x, y) => 2 * texture(x, y), feature: texture, noise: flat(0.4) })).toBeGreaterThan(10)
  })

  it('keeps the edge of a shadow, which no feature knows', () => {
    const shadow = { light: (x: number) => (x < 40 ? 1 : 0.1), noise: flat(0.2) }
    const result = denoised(picture(SIZE, shadow))
    for (let y = 0; y < SIZE[1]; y++) {
      expect(result[(y * SIZE[0] + 39) * COLORS]).toBeGreaterThan(0.8)
      expect(result[(y * SIZE[0] + 40) * COLORS]).toBeLessThan(0.2)
    }
  })

  it('keeps a hair that is brighter than what is behind it', () => {
    const hair = { light: (x: number) => (x === 30 ? 3 : 0.3), noise: flat(0.2) }
    const result = denoised(picture(SIZE, hair))
    for (let y = 0; y < SIZE[1]; y++) {
      expect(result[(y * SIZE[0] + 30) * COLORS]).toBeGreaterThan(2.2)
      expect(result[(y * SIZE[0] + 32) * COLORS]).toBeLessThan(0.4)
    }
  })

  it('does not raise the error of light that neither features nor neighbours explain', () => {
    const random = randomNumbers(8)
    const grain = Array.from({ length: SIZE[0] * SIZE[1] }, () => 0.2 + random())
    for (const noise of [0.2, 0.05, 0.01, 0.001])
      expect(gain(SIZE, { light: (x, y) => grain[y * SIZE[0] + x]!, noise: flat(noise) })).toBeGreaterThan(0.98)
  })

  it('does not spread a pixel that has met a rare path', () => {
    const wall = { light: flat(0.5), noise: flat(0.1) }
    const [clean, hit] = [picture(SIZE, wall), picture(SIZE, wall)]
    const at = (30 * SIZE[0] + 40) * COLORS
    for (let c = 0; c < COLORS; c++) hit.light[0][at + c] = 1e4
    const [before, after] = [denoised(clean), denoised(hit)]
    expect(Math.max(...after.map((value, i) => Math.abs(value - before[i]!)))).toBeLessThan(0.1)
  })

  it('keeps light that both halves have, however small its spot', () => {
    const spot = { light: (x: number, y: number) => (x === 40 && y === 30 ? 100 : 0.5), noise: flat(0.1) }
    expect(denoised(picture(SIZE, spot))[(30 * SIZE[0] + 40) * COLORS]).toBeGreaterThan(80)
  })

  it('takes pixels of different numbers of samples together', () => {
    const wall = { light: flat(0.5), noise: (x: number) => (x < 40 ? 0.8 : 0.2) }
    const of = picture(SIZE, wall)
    for (let i = 0; i < of.samples.length; i++) of.samples[i] = i % SIZE[0] < 40 ? 4 : 64
    expect(errorOf(meanOf(of), SIZE, wall) / errorOf(denoised(of), SIZE, wall)).toBeGreaterThan(10)
  })
})
