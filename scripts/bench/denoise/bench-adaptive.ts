/** What judging adaptive frames by the denoised picture saves, and whether the picture is as clean as was asked. */

import { DARK } from '../../../master/assembly/cell-noise.ts'
import type { Denoise } from '../../../master/assembly/denoising.ts'
import { DirectAssembly } from '../../../master/assembly/direct-assembly.ts'
import { channelsFor } from '../../../master/assembly/finish-frame.ts'
import { loadDenoiser } from '../../../master/denoise/load-denoiser.ts'
import { adaptivePasses } from '../../../master/frames/passes.ts'
import type { CellMask } from '../../../shared/frame/cell-mask.ts'
import { NOISE_CELL } from '../../../shared/frame/cell-mask.ts'
import { bytesPerPixel, type ChannelName, planeAt } from '../../../shared/frame/channels.ts'
import { type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import { frameRect, type Size } from '../../../shared/frame/rect.ts'
import type { SampleRange, View } from '../../../shared/frame/view.ts'
import { atOnce } from '../../../shared/time/steps.ts'
import type { PixelBuffers, Tracer } from '../../../worker/engine/engine.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { lightOf, relativeError, SEEDS, withSamples } from './reference.ts'
import { openDenoised } from './scenes.ts'

export interface AdaptiveBenchOptions {
  readonly scenes: readonly string[]
  readonly size: Size
  /** The most that a pixel gets. */
  readonly samples: number
  readonly reference: number
  /** The limit of cells. */
  readonly noise: number
  readonly environment?: string
}

/** A frame that was sampled until it was clean enough. */
export interface AdaptiveFrame {
  /** Of a pixel, on average. */
  readonly samples: number
  /** Mean of (x − r)² / (r² + 0.01) over pixels and colours. */
  readonly error: number
  /** Of cells that were given no more samples because they were said to be clean enough. */
  readonly met: {
    readonly cells: number
    /** Root of the mean square of their true noise, over the limit; of no cell more than four limits. */
    readonly noise: number
    /** Share of them whose true noise is more than twice the limit. */
    readonly beyond: number
  }
}

export interface AdaptiveScene {
  readonly name: string
  readonly plain: AdaptiveFrame
  readonly denoised: AdaptiveFrame
}

export interface AdaptiveBench extends AdaptiveBenchOptions {
  readonly rows: readonly AdaptiveScene[]
}

const COLORS = 3

export async function benchAdaptive(
  options: AdaptiveBenchOptions,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<AdaptiveBench> {
  const engine = loadWasmEngine('wasm')
  const denoise = loadDenoiser()
  const rows: AdaptiveScene[] = []
  for (const given of options.scenes) {
    say(given)
    const { name, built, view } = await openDenoised(given, options.size, engine, options.environment)
    const tracer = engine.open(built, 0)
    const reference = await referenceOf(tracer, view, options.reference, signal)
    const made = async (denoiser?: Denoise) => {
      signal.throwIfAborted()
      const adaptive = { ...withSamples(view, options.samples, SEEDS.noisy), adaptive: true } as const
      return measured(await frameOf(tracer, adaptive, options.noise, denoiser), reference, view.size, options)
    }
    rows.push({ name, plain: await made(), denoised: await made(denoise) })
  }
  return { ...options, rows }
}

interface MadeFrame {
  readonly light: Float32Array
  readonly samples: Float32Array
}

interface Reference {
  readonly light: Float64Array
  /** Of its own. */
  readonly variance: Float64Array
}

/** The mean of two pictures of half as many samples. */
async function referenceOf(tracer: Tracer, view: View, samples: number, signal: AbortSignal): Promise<Reference> {
  const half = (seed: number) => lightOf(tracer, withSamples(view, Math.ceil(samples / 2), seed), signal)
  const [a, b] = [await half(SEEDS.reference), await half(SEEDS.reference + 1)]
  return { light: a.map((value, i) => (value + b[i]!) / 2), variance: a.map((value, i) => (value - b[i]!) ** 2 / 4) }
}

/** What a cell counts at most, in squares of the limit: light that only samples of the reference have met is not what noise says. */
const BOUND = 16

/** As a cluster makes it, in passes, of which each is one tile. */
async function frameOf(tracer: Tracer, view: View, noise: number, denoiser: Denoise | undefined): Promise<MadeFrame> {
  const { size, quality } = view
  const content = {
    channels: ['light', 'samples'] as const,
    passes: 1,
    noise,
    quality,
    ...(denoiser ? { denoise: true as const } : {}),
  }
  const order = { size, channels: channelsFor(content), content, look: { exposure: 1 }, limit: { noise, exposure: 1 } }
  const assembly = new DirectAssembly(
    order,
    async steps => atOnce(steps),
    () => denoiser!,
  )
  let cells: CellMask | undefined
  for (const { samples } of adaptivePasses(quality.samples, false)) {
    const whole: PixelSet = { rect: frameRect(size) }
    const set = cells ? cells.within(whole)! : whole
    assembly.put(set, tileOf(tracer, view, set, samples, assembly.channels))
    const isLast = samples.to === quality.samples
    assembly.passDone(samples, isLast ? false : 'cells')
    if (isLast) break
    cells = assembly.cells()
    assembly.begin(cells.isEmpty ? undefined : cells)
    if (cells.isEmpty) break
  }
  const { light, samples } = await assembly.planes()
  return { light: light!, samples: samples! }
}

/** Channel after channel. */
function tileOf(
  tracer: Tracer,
  view: View,
  set: PixelSet,
  samples: SampleRange,
  channels: readonly ChannelName[],
): Uint8Array {
  const pixels = pixelCount(set)
  const bytes = new Uint8Array(channels.reduce((sum, name) => sum + pixels * bytesPerPixel(name), 0))
  let at = 0
  const planes = channels.map(name => {
    const plane = planeAt(name, bytes.buffer, at, pixels)
    at += pixels * bytesPerPixel(name)
    return [name, plane] as const
  })
  tracer.trace(view, set, samples, Object.fromEntries(planes) as PixelBuffers)
  return bytes
}

function measured(
  { light, samples }: MadeFrame,
  reference: Reference,
  size: Size,
  { noise, samples: most }: AdaptiveBenchOptions,
): AdaptiveFrame {
  const cells = trueNoise(light, reference, size).filter(({ first }) => samples[first]! < most)
  const over = cells.map(({ square }) => Math.max(-BOUND, Math.min(BOUND, square / noise ** 2)))
  return {
    samples: samples.reduce((sum, taken) => sum + taken, 0) / samples.length,
    error: relativeError(light, reference.light),
    met: {
      cells: cells.length,
      noise: Math.sqrt(
        Math.max(
          0,
          over.reduce((sum, x) => sum + x, 0),
        ) / Math.max(1, cells.length),
      ),
      beyond: over.filter(x => x > 4).length / Math.max(1, cells.length),
    },
  }
}

/**
 * Of each cell: its first pixel, and the square of what its limit is about, had the truth been known. What is known of the reference's own noise is
 * subtracted: means over cells are right, but of a single one it may be below 0.
 */
function trueNoise(light: Float32Array, reference: Reference, [w, h]: Size): { first: number; square: number }[] {
  const cells: { first: number; square: number }[] = []
  for (let top = 0; top < h; top += NOISE_CELL)
    for (let left = 0; left < w; left += NOISE_CELL) {
      let squares = 0
      let sum = 0
      let count = 0
      for (let y = top; y < Math.min(h, top + NOISE_CELL); y++)
        for (let i = (y * w + left) * COLORS; i < (y * w + Math.min(w, left + NOISE_CELL)) * COLORS; i++) {
          const right = reference.light[i]!
          squares += (light[i]! - right) ** 2 - reference.variance[i]!
          sum += right
          count++
        }
      cells.push({ first: top * w + left, square: squares / count / (sum / count + DARK) ** 2 })
    }
  return cells
}

/** How much noisier than the limit cells that met it may be, as roots of mean squares: estimates of noise are noisy, and miss light that is rare. */
const MOST_OVER = 1.5

/** How many times the samples are taken without denoising, geometric mean. */
export const savedBy = ({ rows }: AdaptiveBench): number =>
  Math.exp(rows.reduce((sum, { plain, denoised }) => sum + Math.log(plain.samples / denoised.samples), 0) / rows.length)

/** Why judging by the denoised picture did not pay, or promised too much. */
export const failuresOf = (bench: AdaptiveBench): string[] => [
  ...(savedBy(bench) > 1 ? [] : ['no fewer samples than without denoising']),
  ...bench.rows.flatMap(({ name, plain, denoised }) => [
    ...(denoised.samples <= plain.samples ? [] : [`${name}: more samples than without denoising`]),
    ...(denoised.met.noise <= MOST_OVER
      ? []
      : [`${name}: cells that were said to be clean have ${denoised.met.noise.toFixed(2)} times the noise asked for`]),
  ]),
]
