/** What a denoiser has to keep and to remove, on pictures whose light is known. */
import { describe, expect, it } from 'vitest'
import type { DenoisedPicture, NoisyPicture } from '../../../master/assembly/denoising.ts'
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
  /** Standard deviation of a half of the first feature. @default 0 */
  readonly featureNoise?: number
}

const flat = (value: number) => () => value

function picture(size: Size, { light, feature = flat(0.5), noise, featureNoise = 0 }: Known, seed = 1): NoisyPicture {
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
      features[half]![i * FEATURES] = feature(x, y) + (featureNoise > 0 ? featureNoise * deviate() : 0)
    }
  }
  return {
    size,
    light: lights as [Float32Array, Float32Array],
    features: features as [Float32Array, Float32Array],
    samples: new Uint32Array(w * h).fill(16),
  }
}

function judged(of: NoisyPicture, rects: readonly Rect[] = [frameRect(of.size)]): Required<DenoisedPicture> {
  const denoise = loadDenoiser()
  const pixels = of.size[0] * of.size[1]
  const out = { light: new Float32Array(pixels * COLORS), errors: new Float32Array(pixels) }
  for (const rect of rects) denoise(of, rect, out)
  return out
}

const denoised = (of: NoisyPicture): Float32Array => judged(of).light

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
    const whole = judged(of)
    for (const side of [
      [64, 32],
      [13, 67],
      [101, 5],
      [29, 31],
    ] as const)
      expect(judged(of, tiles(size, side).reverse())).toEqual(whole)
  })

  it('has the same bytes after pictures of other sizes', () => {
    const of = busy([40, 30])
    const denoise = loadDenoiser()
    const out = new Float32Array(40 * 30 * COLORS)
    denoise(busy([90, 70]), { x: 0, y: 0, w: 90, h: 70 }, { light: new Float32Array(90 * 70 * COLORS) })
    denoise(of, frameRect(of.size), { light: out })
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
    const { light, errors } = judged(of)
    for (const plane of [light, errors]) expect(plane.every(value => Number.isFinite(value) && value >= 0)).toBe(true)
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

  it('does not take the noise of features for differences of light', () => {
    // Colours that are seen through something: they vary from pixel to pixel by chance, and light with them only at the edges of stripes.
    const texture = (x: number) => (x % 20 < 10 ? 0.2 : 0.8)
    const known = { light: (x: number) => 1 + texture(x), feature: texture, noise: flat(0.3), featureNoise: 0.15 }
    expect(gain(SIZE, known)).toBeGreaterThan(0.6 * gain(SIZE, { ...known, featureNoise: 0 }))
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

describe('the error that a denoiser estimates', () => {
  const SIZE: Size = [80, 64]
  const CELL = 8
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length

  /** Roots of mean squares, cell by cell: what is estimated, what is true, and what is true of the noisy picture. */
  function cellsOf(of: NoisyPicture, { light }: Pick<Known, 'light'>) {
    const [w, h] = of.size
    const result = judged(of)
    const noisy = meanOf(of)
    return Array.from({ length: (w / CELL) * (h / CELL) }, (_, cell) => {
      const squares = { estimated: 0, right: 0, noisy: 0 }
      for (let i = 0; i < CELL * CELL; i++) {
        const x = (cell % (w / CELL)) * CELL + (i % CELL)
        const y = Math.floor(cell / (w / CELL)) * CELL + Math.floor(i / CELL)
        squares.estimated += result.errors[y * w + x]!
        for (let at = (y * w + x) * COLORS; at < (y * w + x + 1) * COLORS; at++) {
          squares.right += (result.light[at]! - light(x, y)) ** 2 / COLORS
          squares.noisy += (noisy[at]! - light(x, y)) ** 2 / COLORS
        }
      }
      const root = (sum: number) => Math.sqrt(sum / CELL ** 2)
      return { estimated: root(squares.estimated), right: root(squares.right), noisy: root(squares.noisy) }
    })
  }

  const random = randomNumbers(8)
  const grain = Array.from({ length: SIZE[0] * SIZE[1] }, () => 0.2 + random())
  const ofGrain = (x: number, y: number) => grain[y * SIZE[0] + x]!

  it('is a fraction of the noise of a wall, but no less than can be told', () => {
    const wall = { light: flat(0.7), noise: flat(0.3) }
    for (const { estimated, right, noisy } of cellsOf(picture(SIZE, wall), wall)) {
      expect(estimated).toBeLessThan(0.75 * noisy)
      expect(estimated).toBeGreaterThan(0.2 * noisy)
      expect(estimated).toBeGreaterThan(right)
    }
  })

  it.each<[string, Known]>([
    ['grain that nothing explains', { light: ofGrain, noise: flat(0.1) }],
    ['grain that is fainter than noise', { light: (x, y) => 1 + 0.1 * ofGrain(x, y), noise: flat(0.1) }],
    ['thin stripes that no feature knows', { light: x => (x % 3 === 0 ? 1 : 0.5), noise: flat(0.3) }],
  ])('is about that of %s', (_, known) => {
    const cells = cellsOf(picture(SIZE, known), known)
    const ratio = mean(cells.map(({ estimated }) => estimated ** 2)) / mean(cells.map(({ right }) => right ** 2))
    expect(ratio).toBeGreaterThan(0.7)
    expect(ratio).toBeLessThan(2)
    for (const { estimated, right } of cells) expect(estimated).toBeGreaterThan(0.5 * right)
  })

  it('is what is left of the noise where halves complement each other, and pixels are hardly moved', () => {
    const [w] = SIZE
    const of = picture(SIZE, { light: (_, y) => (y === 30 ? 5 : 0.3), noise: flat(0.15) })
    // What is too much in one half of a bright line is missing in the other, as samples divide an edge.
    for (let i = 30 * w * COLORS; i < 31 * w * COLORS; i++) {
      of.light[0][i] = 5 + 3 * (of.light[0][i]! - 5)
      of.light[1][i] = 10 - of.light[0][i]!
    }
    const { light, errors } = judged(of)
    const root = (squares: Iterable<number>) => Math.sqrt(mean([...squares]))
    const noise = root(of.light[0].map((a, i) => (a - of.light[1][i]!) ** 2 / 4))
    const moved = root(meanOf(of).map((value, i) => (light[i]! - value) ** 2))
    expect(noise / moved).toBeGreaterThan(2)
    expect(root(errors)).toBeGreaterThan(0.9 * (noise - moved))
  })

  it('is its noise where it is left as it is, because there is hardly any', () => {
    const wall = { light: flat(1), noise: flat(0.004) }
    const cells = cellsOf(picture(SIZE, wall), wall)
    const [estimated, noisy] = [cells.map(cell => cell.estimated), cells.map(cell => cell.noisy)].map(mean)
    expect(estimated! / noisy!).toBeGreaterThan(0.9)
    expect(estimated! / noisy!).toBeLessThan(1.1)
  })

  it('has the light that was cut off as an outlier, around it', () => {
    const wall = { light: flat(0.5), noise: flat(0.1) }
    const hit = picture(SIZE, wall)
    for (let c = 0; c < COLORS; c++) hit.light[0][(28 * SIZE[0] + 44) * COLORS + c] = 1000
    const before = judged(picture(SIZE, wall)).errors
    const after = judged(hit).errors
    // 500 of the pixel's mean, over 81 px.
    expect(Math.sqrt(after[28 * SIZE[0] + 44]!)).toBeGreaterThan(5)
    expect(Math.sqrt(after[32 * SIZE[0] + 40]!)).toBeGreaterThan(5)
    expect(after[28 * SIZE[0] + 60]).toBeCloseTo(before[28 * SIZE[0] + 60]!, 6)
  })
})
