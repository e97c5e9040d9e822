import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellNoise, noiseAbove, noiseLeft } from '../../../master/assembly/cell-noise.ts'
import { DirectAssembly } from '../../../master/assembly/direct-assembly.ts'
import { noiseReport } from '../../../master/frames/noise-report.ts'
import { CellMask, NOISE_CELL } from '../../../shared/frame/cell-mask.ts'
import { noiseReportSchema } from '../../../shared/frame/frame-report.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import type { SampleRange } from '../../../shared/frame/view.ts'
import { hash32, unitOf } from '../../../shared/math/random.ts'

const MOST = 1024
const all = (size: Size) => new CellMask(size, NOISE_CELL, () => true)

type Limited = Parameters<typeof noiseAbove>
/** Of the cells of a picture, those that are noisier than a limit. */
const noisyCells = (halves: Limited[0], limit: Limited[1], open = all(halves.size)): CellMask => {
  const above = noiseAbove(halves, limit, open)
  return new CellMask(halves.size, NOISE_CELL, (column, row) => above[row * open.columns + column]! > 0)
}

/** Pixels whose samples are 0 or `peak`, with a mean of `light` each, as engines would sum them up. */
class NoisyPicture {
  readonly size: Size
  readonly sums: Float64Array
  readonly #light: (pixel: number) => number
  readonly #peak: number
  readonly #seed: number

  constructor(size: Size, light: (pixel: number) => number, seed: number, peak = 4) {
    this.size = size
    this.sums = new Float64Array(size[0] * size[1] * 3)
    this.#light = light
    this.#peak = peak
    this.#seed = seed
  }

  take({ from, to }: SampleRange, open = all(this.size)): void {
    for (let i = 0; i < this.sums.length; i++) {
      const pixel = Math.floor(i / 3)
      const [x, y] = [pixel % this.size[0], Math.floor(pixel / this.size[0])]
      if (!open.has(Math.floor(x / NOISE_CELL), Math.floor(y / NOISE_CELL))) continue
      for (let sample = from; sample < to; sample++)
        if (unitOf(hash32(this.#seed, i, sample)) < this.#light(pixel) / this.#peak) this.sums[i]! += this.#peak / MOST
    }
  }
}

/** A picture after so many samples, and after some of them. */
function halvesAfter(picture: NoisyPicture, samples: number, first = samples / 2) {
  picture.take({ from: 0, to: first })
  const before = picture.sums.slice()
  const range = { from: first, to: samples }
  picture.take(range)
  const newest = picture.sums.map((sum, i) => sum - before[i]!)
  return { size: picture.size, before, newest, range, most: MOST }
}

describe('the noise of a cell', () => {
  it.each([
    [32, 16],
    [128, 64],
    [512, 256],
    // The last pass of a frame with at most 80.
    [80, 64],
  ])('is its standard error after %i samples, of which %i were there before', (samples, first) => {
    const light = 0.5
    let squares = 0
    const cells = 36
    const halves = halvesAfter(new NoisyPicture([48, 48], () => light, samples), samples, first)
    for (let cell = 0; cell < cells; cell++) {
      const { error, mean } = cellNoise(halves, cell % 6, Math.floor(cell / 6))
      squares += error * error
      expect(mean).toBeCloseTo(light, 0)
    }
    // A sample is 4 with probability 1/8.
    const expected = Math.sqrt((light * (4 - light)) / samples)
    expect(Math.sqrt(squares / cells) / expected).toBeCloseTo(1, 1)
  })

  it('depends on nothing outside of it', () => {
    const size: Size = [29, 21]
    fc.assert(
      fc.property(fc.nat(3), fc.nat(2), fc.nat(1000), (column, row, seed) => {
        const halves = halvesAfter(new NoisyPicture(size, pixel => 0.1 + (pixel % 7) / 10, seed), 32)
        const inside = (i: number) => {
          const pixel = Math.floor(i / 3)
          return Math.floor((pixel % 29) / 8) === column && Math.floor(pixel / 29 / 8) === row
        }
        const otherwise = (values: Float64Array) => values.map((value, i) => (inside(i) ? value : 7 * value + 1))
        const changed = { ...halves, before: otherwise(halves.before), newest: otherwise(halves.newest) }
        expect(cellNoise(changed, column, row)).toEqual(cellNoise(halves, column, row))
      }),
      { numRuns: 20 },
    )
  })

  it('of black and of evenly lit cells is none', () => {
    const even = halvesAfter(new NoisyPicture([16, 8], pixel => (pixel % 16 < 8 ? 0 : 4), 1), 32)
    expect(cellNoise(even, 0, 0)).toEqual({ error: 0, mean: 0 })
    expect(cellNoise(even, 1, 0)).toEqual({ error: 0, mean: 4 })
    expect(noisyCells(even, { noise: 0.001, exposure: 1 }).isEmpty).toBe(true)
  })

  it('counts for less in the dark, and what is dark depends on the exposure', () => {
    const dim = halvesAfter(new NoisyPicture([32, 32], () => 0.002, 5, 0.02), 256)
    const { error, mean } = cellNoise(dim, 1, 1)
    expect(error / mean).toBeGreaterThan(0.1)
    expect(noisyCells(dim, { noise: 0.02, exposure: 1 }).isEmpty).toBe(true)
    expect(noisyCells(dim, { noise: 0.02, exposure: 50 }).pixels).toBe(32 * 32)
  })
})

describe('what keeps a picture from its limit', () => {
  it('is the share of its pixels in noisier cells, clipped at its edges, and the noise of the worst of them', () => {
    const size: Size = [20, 12]
    // Of 3 × 2 cells, those on the right are 4 px wide, those below 4 px high; the middle ones are calm.
    const halves = halvesAfter(new NoisyPicture(size, pixel => (pixel % 20 < 8 || pixel % 20 >= 16 ? 0.4 : 4), 7), 64)
    const limit = { noise: 0.05, exposure: 1 }
    const open = all(size)
    const above = noiseAbove(halves, limit, open)
    const left = noiseLeft(noisyCells(halves, limit), above)
    expect(left.share).toBe((8 + 4) / 20)
    const noise = [0, 2].flatMap(column => [0, 1].map(row => cellNoise(halves, column, row)))
    expect(left.most).toBe(Math.max(...noise.map(({ error, mean }) => error / (mean + 0.05))))
    expect([above[1], above[4]]).toEqual([0, 0])
    const calm = { noise: 10, exposure: 1 }
    expect(noiseLeft(noisyCells(halves, calm), noiseAbove(halves, calm, open))).toEqual({ share: 0, most: 0 })
  })

  it('is a number that a report may have, whatever a worker says', () => {
    fc.assert(
      fc.property(
        fc.float64Array({ minLength: 48, maxLength: 48 }),
        fc.constantFrom(5e-324, 0.02, 1),
        (sums, noise) => {
          const halves = { before: sums.slice(0, 24), newest: sums.slice(24), range: { from: 16, to: 32 }, most: MOST }
          const [size, limit] = [[8, 1] as const, { noise, exposure: 1 }]
          const above = noiseAbove({ size, ...halves }, limit, all(size))
          const { most } = noiseLeft(noisyCells({ size, ...halves }, limit), above)
          const { error, mean } = cellNoise({ size, ...halves }, 0, 0)
          expect(most > 0).toBe(error > noise * (mean + 0.05))
          const facts = { limit: noise, share: 1, most }
          if (most > 0) noiseReportSchema.parse(noiseReport(facts, 32))
        },
      ),
    )
  })

  it('has nothing of cells that were left out before', () => {
    const halves = halvesAfter(new NoisyPicture([16, 8], () => 0.4, 7), 64)
    const [limit, right] = [{ noise: 0.01, exposure: 1 }, new CellMask([16, 8], NOISE_CELL, column => column === 1)]
    expect(noiseAbove(halves, limit, right)).toEqual(new Float64Array([0, noiseAbove(halves, limit, all([16, 8]))[1]!]))
  })
})

describe('an adaptive picture', () => {
  /** Left half bright, right half dim and noisy. */
  const size: Size = [32, 16]
  const light = (pixel: number) => (pixel % 32 < 16 ? 2 : 0.1)

  function render(noise: number, seed: number) {
    const picture = new NoisyPicture(size, light, seed)
    const quality = { samples: MOST, ambientRays: 0, maxDepth: 0 }
    const content = { passes: 1, noise, quality }
    const limit = { noise, exposure: 1 }
    const assembly = new DirectAssembly({ size, channels: ['light'], content, look: { exposure: 1 }, limit })
    const taken = new Float64Array(size[0] * size[1])
    const opens: CellMask[] = []
    let open = all(size)
    for (let to = 16; to <= MOST && !open.isEmpty; to *= 2) {
      const range = { from: to === 16 ? 0 : to / 2, to }
      const before = picture.sums.slice()
      picture.take(range, open)
      for (const pixel of taken.keys()) {
        const [column, row] = [Math.floor((pixel % 32) / 8), Math.floor(pixel / 32 / 8)]
        if (open.has(column, row)) taken[pixel] = to
        else expect(picture.sums.slice(pixel * 3, pixel * 3 + 3)).toEqual(before.slice(pixel * 3, pixel * 3 + 3))
      }
      opens.push(open)
      open.forEachRun(rect => {
        const tile = new Float64Array(rect.w * rect.h * 3)
        for (let i = 0; i < tile.length; i++) {
          const pixel = Math.floor(i / 3)
          const at = ((rect.y + Math.floor(pixel / rect.w)) * size[0] + rect.x + (pixel % rect.w)) * 3 + (i % 3)
          tile[i] = picture.sums[at]! - before[at]!
        }
        assembly.put({ rect }, new Uint8Array(tile.buffer))
      })
      assembly.passDone(range, 'cells')
      open = assembly.cells()
      assembly.begin(open.isEmpty ? undefined : open)
    }
    return { means: picture.sums.map((sum, i) => (sum * MOST) / taken[Math.floor(i / 3)]!), taken, opens }
  }

  it('takes 32 samples of everything, and never returns to a cell that was left out', () => {
    const { opens, taken } = render(0.1, 3)
    expect(opens.length).toBeGreaterThan(3)
    expect(opens.slice(0, 2).map(({ pixels }) => pixels)).toEqual([32 * 16, 32 * 16])
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(32)
    for (const [i, open] of opens.entries())
      for (let row = 0; row < open.rows; row++)
        for (let column = 0; column < open.columns; column++)
          if (i > 0 && open.has(column, row)) expect(opens[i - 1]!.has(column, row)).toBe(true)
    const mean = (from: number) => taken.filter((_, pixel) => pixel % 32 >= from && pixel % 32 < from + 16)
    const sum = (values: Float64Array) => values.reduce((a, b) => a + b, 0)
    expect(sum(mean(16))).toBeGreaterThan(4 * sum(mean(0)))
  })

  it('has the light of one with a fixed number of samples, but for noise and a small bias', () => {
    let sum = 0
    const rounds = 8
    for (let seed = 0; seed < rounds; seed++) sum += render(0.1, seed).means.reduce((a, b) => a + b, 0)
    const mean = sum / (rounds * size[0] * size[1] * 3)
    // A cell that seems less noisy than it is stops early, and such cells are a little too dark: less than a percent here.
    expect(Math.abs(mean / 1.05 - 1)).toBeLessThan(0.01)
  })
})
