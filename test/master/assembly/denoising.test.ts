/** What a denoiser is told of a frame, and what becomes of its answer. */
import { describe, expect, it } from 'vitest'
import { type Denoise, denoisedRects, isSlowToDenoise, type NoisyPicture } from '../../../master/assembly/denoising.ts'
import { DirectAssembly } from '../../../master/assembly/direct-assembly.ts'
import { adaptivePasses } from '../../../master/frames/passes.ts'
import { NOISE_CELL } from '../../../shared/frame/cell-mask.ts'
import { type ChannelName, newPlane } from '../../../shared/frame/channels.ts'
import { inSecondHalf, secondHalf } from '../../../shared/frame/halves.ts'
import { type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import { frameRect, type Size } from '../../../shared/frame/rect.ts'
import { weightedFor } from '../../../shared/frame/sample-layout.ts'
import type { SampleRange } from '../../../shared/frame/view.ts'
import { sumScale } from '../../../shared/light/sum-scale.ts'
import { atOnce } from '../../../shared/time/steps.ts'
import { orderOf } from '../../support/assemblies.ts'

/** Sums over samples of which number n has light (n, 1, noise) / 64 and features n / 64: nothing is rounded. */
function tileOf(set: PixelSet, channels: readonly ChannelName[], range: SampleRange, sampling: object): Uint8Array {
  const samples = 64
  const numbers = (ranges: readonly SampleRange[]) =>
    ranges.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i))
  const [all, half] = [[range], secondHalf({ samples, ...sampling }, range)].map(numbers) as [number[], number[]]
  return Uint8Array.from(
    channels.flatMap(channel => {
      const plane = newPlane(channel, pixelCount(set)) as unknown as Float64Array
      const mine = channel.startsWith('half') ? half : all
      const components = plane.length / pixelCount(set)
      for (let i = 0; i < plane.length; i++) {
        const calm = i % components === 1
        const sum = mine.reduce((sum, n) => sum + (calm ? 1 : n / 64), 0)
        plane[i] = channel.endsWith('eatures') ? Math.round(sum * 65535) : sum / weightedFor({ samples, bounces: 2 })
      }
      return [...new Uint8Array(plane.buffer)]
    }),
  )
}

/** Takes the picture that it is told, and answers numbers of pixels. */
function listening() {
  const heard: NoisyPicture[] = []
  const denoise: Denoise = (picture, { x, y, w, h }, { light: out, errors }) => {
    heard.push(picture)
    for (let row = y; row < y + h; row++)
      for (let i = row * picture.size[0] + x; i < row * picture.size[0] + x + w; i++) {
        out.fill(i, i * 3, i * 3 + 3)
        errors?.fill(1e6, i, i + 1)
      }
  }
  return { heard, denoise }
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i)

describe('a frame that is denoised', () => {
  const quality = { samples: 64, ambientRays: 0, maxDepth: 0, bounces: 2 }

  it('is told as means over both halves of the samples, and delivered with both pictures', async () => {
    const size: Size = [20, 9]
    const { heard, denoise } = listening()
    const order = orderOf(size, { denoise: true, quality, channels: ['light', 'noisy'] })
    const assembly = new DirectAssembly(
      order,
      async steps => atOnce(steps),
      () => denoise,
    )
    const samples = { from: 0, to: 64 }
    const set = { rect: frameRect(size) }
    assembly.put(set, tileOf(set, assembly.channels, samples, {}))
    assembly.passDone(samples, false)
    const color = await assembly.color()
    const { light, noisy } = await assembly.planes()
    const [picture] = heard
    const halves = [mean(upTo(32)), mean(upTo(32).map(n => n + 32))].map(n => n / 64)
    for (const [k, half] of halves.entries()) {
      expect([...picture!.light[k]!.subarray(0, 3)]).toEqual([half, 1, half])
      expect(picture!.features[k]![0]).toBeCloseTo(half, 4)
      expect(picture!.features[k]![1]).toBe(1)
    }
    expect(new Set(picture!.samples)).toEqual(new Set([64]))
    expect(light).toEqual(Float32Array.from({ length: 540 }, (_, i) => Math.floor(i / 3)))
    expect([...noisy!.subarray(0, 3)]).toEqual([mean(upTo(64)) / 64, 1, mean(upTo(64)) / 64])
    // Black, and as bright as it gets.
    expect([...color.subarray(0, 3)]).toEqual([0, 0, 0])
    expect(color.at(-1)).toBeGreaterThan(250)
  })

  it('has as many samples in both halves of each pixel of an adaptive frame', async () => {
    const size: Size = [3 * NOISE_CELL, NOISE_CELL]
    const { heard, denoise } = listening()
    const order = orderOf(size, { denoise: true, quality, noise: 0.001 })
    const assembly = new DirectAssembly(
      order,
      async steps => atOnce(steps),
      () => denoise,
    )
    const isAdaptive = { isAdaptive: true }
    let cells: ReturnType<DirectAssembly['cells']> | undefined
    for (const { samples } of adaptivePasses(64, false)) {
      // The first cell is dark, and so without noise.
      const set: PixelSet = cells ? cells.within({ rect: frameRect(size) })! : { rect: frameRect(size) }
      const tile = tileOf(set, assembly.channels, samples, isAdaptive)
      if (pixelCount(set) === size[0] * size[1]) {
        const light = new Float64Array(tile.buffer, 0, size[0] * size[1] * 3)
        const half = new Float64Array(tile.buffer, light.byteLength, light.length)
        for (let y = 0; y < NOISE_CELL; y++)
          for (const plane of [light, half]) plane.fill(0, y * size[0] * 3, (y * size[0] + NOISE_CELL) * 3)
      }
      assembly.put(set, tile)
      assembly.passDone(samples, samples.to === 64 ? false : 'cells')
      if (samples.to === 64) break
      cells = assembly.cells()
      assembly.begin(cells)
    }
    await assembly.color()
    const { samples, light } = heard[0]!
    expect([samples[0], samples[NOISE_CELL]]).toEqual([32, 64])
    const whole = { from: 0, to: 64 }
    const second = secondHalf({ samples: 64, isAdaptive: true }, whole)
    expect(second.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(inSecondHalf(64))
    const numbers = second.flatMap(({ from, to }) => upTo(to - from).map(n => n + from))
    const others = upTo(64).filter(n => !numbers.includes(n))
    expect(light[1]![NOISE_CELL * 3]).toBeCloseTo(mean(numbers) / 64, 6)
    expect(light[0]![NOISE_CELL * 3]).toBeCloseTo(mean(others) / 64, 6)
    expect([light[0]![0], light[1]![0], light[0]![NOISE_CELL * 3 + 1]]).toEqual([0, 0, 1])
  })

  it('is as bright as it was where light is added up brighter than it is', async () => {
    const size: Size = [3, 2]
    const look = { exposure: 1024 }
    const order = orderOf(size, { denoise: true, quality, channels: ['light', 'noisy'] }, { look })
    const even: Denoise = ({ light }, _, out) => out.light.set(light[0])
    const assembly = new DirectAssembly(
      order,
      async steps => atOnce(steps),
      () => even,
    )
    const set = { rect: frameRect(size) }
    assembly.put(set, tileOf(set, assembly.channels, { from: 0, to: 64 }, {}))
    assembly.passDone({ from: 0, to: 64 }, false)
    const { light, noisy } = await assembly.planes()
    expect(sumScale(look)).toBeGreaterThan(1)
    expect([light![1], noisy![1]]).toEqual([1 / sumScale(look), 1 / sumScale(look)])
  })

  it('of a single sample is told as two equal halves', async () => {
    const size: Size = [2, 2]
    const { heard, denoise } = listening()
    const order = orderOf(size, { denoise: true, quality: { ...quality, samples: 1 } })
    const assembly = new DirectAssembly(
      order,
      async steps => atOnce(steps),
      () => denoise,
    )
    const set = { rect: frameRect(size) }
    assembly.put(set, tileOf(set, assembly.channels, { from: 0, to: 1 }, { samples: 1 }))
    assembly.passDone({ from: 0, to: 1 }, false)
    await assembly.color()
    const { light, features } = heard[0]!
    expect(light[0]).toEqual(light[1])
    expect(features[0]).toEqual(features[1])
    expect(features[0]![1]).toBe(1)
  })

  it('is worth a word if that takes a while', () => {
    expect(isSlowToDenoise({ denoise: true, size: [3840, 2160] })).toBe(true)
    expect(isSlowToDenoise({ denoise: true, size: [1280, 720] })).toBe(false)
    expect(isSlowToDenoise({ size: [3840, 2160] })).toBe(false)
  })

  it('is cut into rectangles that cover it once', () => {
    for (const size of [
      [1, 1],
      [257, 129],
      [1280, 720],
    ] as const) {
      const seen = new Uint8Array(size[0] * size[1])
      for (const { x, y, w, h } of denoisedRects(size))
        for (let row = y; row < y + h; row++) for (let i = x; i < x + w; i++) seen[row * size[0] + i]!++
      expect(seen.every(count => count === 1)).toBe(true)
    }
  })
})
