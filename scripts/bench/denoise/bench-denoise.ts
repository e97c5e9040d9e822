/** What denoising gains: error of a noisy and of a denoised picture, both against many samples of another seed. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { denoisedRects } from '../../../master/assembly/denoising.ts'
import { denoiser } from '../../../master/denoise/denoiser.ts'
import { loadKernel } from '../../../master/denoise/load-denoiser.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { autoExposure } from '../../../shared/light/auto-exposure.ts'
import { ToneMap } from '../../../shared/light/tone-map.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { cpuMsOf } from '../cpu-time.ts'
import { noisyPicture } from '../pictures/kernel/noisy-picture.ts'
import { pngOf } from '../pictures/page.ts'
import { lightOf, relativeError, SEEDS, withSamples } from './reference.ts'
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

const COLORS = 3
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
    const { picture, denoised: out } = noisyPicture(tracer, withSamples(view, options.samples, SEEDS.noisy))
    const times = Array.from({ length: ROUNDS }, () =>
      cpuMsOf(() => {
        for (const rect of denoisedRects(picture.size)) denoise(picture, rect, out)
      }),
    )
    const reference = await lightOf(tracer, withSamples(view, options.reference, SEEDS.reference), signal)
    const denoised = out.light
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

const sumOf = (values: Float32Array): number => values.reduce((a, b) => a + b, 0)

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
