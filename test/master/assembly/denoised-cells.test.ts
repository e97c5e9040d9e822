/** Adaptive frames that are denoised: which of their cells get more samples. */
import { describe, expect, it } from 'vitest'
import { denoisedNoise, noiseAbove } from '../../../master/assembly/cell-noise.ts'
import type { Denoise } from '../../../master/assembly/denoising.ts'
import { DirectAssembly } from '../../../master/assembly/direct-assembly.ts'
import { loadDenoiser } from '../../../master/denoise/load-denoiser.ts'
import { adaptivePasses } from '../../../master/frames/passes.ts'
import { CellMask, NOISE_CELL } from '../../../shared/frame/cell-mask.ts'
import { type ChannelName, newPlane } from '../../../shared/frame/channels.ts'
import { secondHalf } from '../../../shared/frame/halves.ts'
import { forEachRun, type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import { frameRect, type Size } from '../../../shared/frame/rect.ts'
import type { SampleRange } from '../../../shared/frame/view.ts'
import { hash32, unitOf } from '../../../shared/math/random.ts'
import { atOnce } from '../../../shared/time/steps.ts'
import { orderOf } from '../../support/assemblies.ts'

const SIZE: Size = [96, 48]
const MOST = 256
const LIMIT = 0.07

/** The left half is a wall, the right half has grain of its own in every pixel, which no feature knows. */
const lightAt = (x: number, y: number) => (x < SIZE[0] / 2 ? 0.5 : 0.2 + 0.6 * unitOf(hash32(x, y, 77)))

/** Samples are none or four times the light. */
function sampled(x: number, y: number, ranges: readonly SampleRange[]): number {
  let sum = 0
  for (const { from, to } of ranges)
    for (let sample = from; sample < to; sample++) if (unitOf(hash32(x, y, sample)) < 1 / 4) sum += 4 * lightAt(x, y)
  return sum
}

function tileOf(set: PixelSet, channels: readonly ChannelName[], range: SampleRange): Uint8Array {
  const half = secondHalf({ samples: MOST, isAdaptive: true }, range)
  return Uint8Array.from(
    channels.flatMap(channel => {
      const plane = newPlane(channel, pixelCount(set)) as unknown as Float64Array
      if (channel === 'light' || channel === 'halfLight') {
        let at = 0
        forEachRun(set, (x, y, length) => {
          for (let i = 0; i < length; i++, at += 3)
            plane.fill(sampled(x + i, y, channel === 'light' ? [range] : half) / MOST, at, at + 3)
        })
      }
      return [...new Uint8Array(plane.buffer)]
    }),
  )
}

/** The samples of each pixel, and what was said of the noise. */
async function frameOf(changes: object, denoise: Denoise, limit = LIMIT) {
  const quality = { samples: MOST, ambientRays: 0, maxDepth: 0, bounces: 2 }
  const order = orderOf(SIZE, { quality, noise: limit, channels: ['samples'], ...changes })
  const assembly = new DirectAssembly(
    order,
    async steps => atOnce(steps),
    () => denoise,
  )
  let cells: CellMask | undefined
  for (const { samples } of adaptivePasses(MOST, false)) {
    const whole: PixelSet = { rect: frameRect(SIZE) }
    const set = cells ? cells.within(whole)! : whole
    assembly.put(set, tileOf(set, assembly.channels, samples))
    const isLast = samples.to === MOST
    assembly.passDone(samples, isLast ? false : 'cells')
    if (isLast) break
    cells = assembly.cells()
    assembly.begin(cells.isEmpty ? undefined : cells)
    if (cells.isEmpty) break
  }
  const { samples } = await assembly.planes()
  return { samples: samples!, noise: assembly.noise! }
}

const meanOf = (samples: Float32Array, isWall: boolean) => {
  const half = samples.filter((_, i) => i % SIZE[0] < SIZE[0] / 2 === isWall)
  return half.reduce((sum, taken) => sum + taken, 0) / half.length
}

describe('the cells of an adaptive frame that is denoised', () => {
  it('are left out sooner where the denoiser removes the noise, and not where it cannot', async () => {
    const denoise = loadDenoiser()
    const [plain, denoised] = [await frameOf({}, denoise), await frameOf({ denoise: true }, denoise)]
    // Of noise as large as the light times √3, 0.07 of both takes more than 256 samples.
    expect([meanOf(plain.samples, true), meanOf(plain.samples, false)]).toEqual([MOST, MOST])
    expect(meanOf(denoised.samples, true)).toBeLessThan(MOST * 0.6)
    expect(meanOf(denoised.samples, false)).toBeGreaterThan(MOST * 0.95)
    expect(denoised.samples.every((taken, i) => taken <= plain.samples[i]!)).toBe(true)
    // What is left is the grain, and it is not noisier than before.
    expect(plain.noise.share).toBe(1)
    expect(denoised.noise.share).toBeLessThan(0.6)
    expect(denoised.noise.share).toBeGreaterThan(0.1)
    expect(denoised.noise.most).toBeLessThan(plain.noise.most)
  })

  it('are all judged by what the denoiser says of its errors, after the last pass, too', async () => {
    const of =
      (error: number): Denoise =>
      (_, { x, y, w, h }, { light, errors }) => {
        for (let row = y; row < y + h; row++)
          for (let i = row * SIZE[0] + x; i < row * SIZE[0] + x + w; i++) {
            light.fill(0.95, 3 * i, 3 * i + 3)
            errors!.fill(error, i, i + 1)
          }
      }
    const clean = await frameOf({ denoise: true }, of(0.069 ** 2))
    expect(new Set(clean.samples)).toEqual(new Set([32]))
    expect(clean.noise).toEqual({ share: 0, most: 0 })
    const dirty = await frameOf({ denoise: true }, of(0.2 ** 2))
    expect(new Set(dirty.samples)).toEqual(new Set([MOST]))
    expect(dirty.noise.share).toBe(1)
    expect(dirty.noise.most).toBeCloseTo(0.2, 4)
    // Clean only in the end.
    let calls = 0
    const late: Denoise = (...given) => of(++calls < 4 ? 1 : 0)(...given)
    const last = await frameOf({ denoise: true }, late)
    expect(new Set(last.samples)).toEqual(new Set([MOST]))
    expect(last.noise).toEqual({ share: 0, most: 0 })
  })

  it('have the noise that is estimated of their own pixels, over their own light', () => {
    const size: Size = [19, 11]
    const light = new Float32Array(size[0] * size[1] * 3).fill(0.4)
    const errors = new Float32Array(size[0] * size[1])
    // The cell at the right edge, 3 px wide, and below it the one in the corner.
    for (let i = 0; i < errors.length; i++) if (i % size[0] >= 16) errors[i] = i < 8 * size[0] ? 0.04 : 0.01
    light[(10 * size[0] + 18) * 3] = 9.4
    const picture = { size, light, errors }
    expect(denoisedNoise(picture, 0, 0)).toEqual({ error: 0, mean: expect.closeTo(0.4, 6) })
    expect(denoisedNoise(picture, 2, 0)).toEqual({ error: expect.closeTo(0.2, 6), mean: expect.closeTo(0.4, 6) })
    expect(denoisedNoise(picture, 2, 1)).toEqual({
      error: expect.closeTo(0.1, 6),
      mean: expect.closeTo(0.4 + 9 / 27, 6),
    })
    const above = noiseAbove(picture, { noise: 0.3, exposure: 1 }, new CellMask(size, NOISE_CELL, () => true))
    expect([...above].map(noise => noise > 0)).toEqual([false, false, true, false, false, false])
    expect(above[2]).toBeCloseTo(0.2 / 0.45, 5)
  })
})
