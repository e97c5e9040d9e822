/** What denoising gains: error of a noisy and of a denoised picture, both against many samples of another seed. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { denoisedRects } from '../../../master/assembly/denoising.ts'
import { denoiser } from '../../../master/denoise/denoiser.ts'
import { loadKernel } from '../../../master/denoise/load-denoiser.ts'
import { frameRect, type Size } from '../../../shared/frame/rect.ts'
import type { View } from '../../../shared/frame/view.ts'
import { autoExposure } from '../../../shared/light/auto-exposure.ts'
import { ToneMap } from '../../../shared/light/tone-map.ts'
import type { Tracer } from '../../../worker/engine/engine.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { cpuMsOf } from '../cpu-time.ts'
import { noisyPicture } from '../pictures/kernel/noisy-picture.ts'
import { pngOf } from '../pictures/page.ts'
import { openDenoised } from './scenes.ts'

export interface DenoiseBenchOptions {
  /** Names, or paths of files. */
  readonly scenes: readonly string[]
  readonly size: Size
  readonly samples: number
  /** Samples of the reference. */
  readonly reference: number
  /** Path of a panorama, for scenes that are loaded. */
  readonly environment?: string
  /** Folder for the pictures. */
  readonly out: string
}

export interface DenoisedScene {
  readonly name: string
  /** Mean of (x − r)² / (r² + 0.01) over pixels and colours. */
  readonly noisy: number
  readonly denoised: number
  /** Of `noisy` over `denoised`. */
  readonly gain: number
  /** Share of the noisy picture's light that is kept. */
  readonly lightKept: number
  readonly cpuMsPerMegapixel: number
  /** Noisy, denoised and reference side by side. */
  readonly picture: string
}

export interface DenoiseBench extends DenoiseBenchOptions {
  readonly rows: readonly DenoisedScene[]
  readonly geometricMean: number
  /** Of the picture and of one kernel, of the largest scene. */
  readonly peakBytes: number
}

/** In r² + DARK: errors of what is darker than its root count less. */
const DARK = 0.01
const COLORS = 3
/** Samples that are traced between two looks at the signal. */
const SAMPLES_AT_ONCE = 64
const SEEDS = { noisy: 1, reference: 2 } as const
const ROUNDS = 3

export async function benchDenoise(
  options: DenoiseBenchOptions,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<DenoiseBench> {
  const engine = loadWasmEngine('wasm')
  const kernel = loadKernel()
  const denoise = denoiser(kernel)
  await mkdir(options.out, { recursive: true })
  const rows: DenoisedScene[] = []
  let peakBytes = 0
  for (const given of options.scenes) {
    say(given)
    const { name, built, view } = await openDenoised(given, options.size, engine, options.environment)
    const tracer = engine.open(built, 0)
    signal.throwIfAborted()
    const { picture, denoised } = noisyPicture(tracer, withSamples(view, options.samples, SEEDS.noisy))
    const times = Array.from({ length: ROUNDS }, () =>
      cpuMsOf(() => {
        for (const rect of denoisedRects(picture.size)) denoise(picture, rect, denoised)
      }),
    )
    const reference = await lightOf(tracer, withSamples(view, options.reference, SEEDS.reference), signal)
    const mean = picture.light[0].map((value, i) => (value + picture.light[1][i]!) / 2)
    const [before, after] = [mean, denoised].map(values => relativeError(values, reference)) as [number, number]
    const path = join(options.out, `${name.replace(/[^\w.-]+/g, '-').slice(-60)}.png`)
    await writeFile(path, await sideBySide(picture.size, [mean, denoised, Float32Array.from(reference)]))
    const bytes = picture.light[0].length * (2 + 1) + picture.features[0].length * 2 + picture.samples.length
    peakBytes = Math.max(peakBytes, bytes * Float32Array.BYTES_PER_ELEMENT + kernel.memory.buffer.byteLength)
    rows.push({
      name,
      noisy: before,
      denoised: after,
      gain: before / after,
      lightKept: sumOf(denoised) / sumOf(mean),
      cpuMsPerMegapixel: (Math.min(...times) * 1e6) / picture.samples.length,
      picture: path,
    })
  }
  const geometricMean = Math.exp(rows.reduce((sum, { gain }) => sum + Math.log(gain), 0) / rows.length)
  return { ...options, rows, geometricMean, peakBytes }
}

const withSamples = (view: View, samples: number, seed: number): View => ({
  ...view,
  quality: { ...view.quality, samples, seed },
})

const sumOf = (values: Float32Array): number => values.reduce((a, b) => a + b, 0)

async function lightOf(tracer: Tracer, view: View, signal: AbortSignal): Promise<Float64Array> {
  const { samples } = view.quality
  const light = new Float64Array(view.size[0] * view.size[1] * COLORS)
  const part = new Float64Array(light.length)
  for (let from = 0; from < samples; from += SAMPLES_AT_ONCE) {
    await setImmediate()
    signal.throwIfAborted()
    const to = Math.min(samples, from + SAMPLES_AT_ONCE)
    tracer.trace(view, { rect: frameRect(view.size) }, { from, to }, { light: part.fill(0) })
    for (let i = 0; i < light.length; i++) light[i]! += part[i]!
  }
  return light
}

function relativeError(values: Float32Array, reference: Float64Array): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += (values[i]! - reference[i]!) ** 2 / (reference[i]! ** 2 + DARK)
  return sum / values.length
}

/** At the exposure that suits the last of them. */
function sideBySide([w, h]: Size, pictures: readonly Float32Array[]): Promise<Buffer> {
  const look = new ToneMap({ exposure: autoExposure(pictures.slice(-1)) ?? 1 })
  const bytes = new Uint8Array(w * h * COLORS * pictures.length)
  for (const [column, light] of pictures.entries())
    for (let i = 0; i < w * h; i++) {
      const to = (Math.floor(i / w) * pictures.length + column) * w + (i % w)
      look.write(light[i * COLORS]!, light[i * COLORS + 1]!, light[i * COLORS + 2]!, bytes, to * COLORS)
    }
  return pngOf([w * pictures.length, h], bytes)
}
