/** `bench denoise`. */
import Table from 'cli-table3'
import { MIN_ADAPTIVE_SAMPLES } from '../../../shared/frame/frame-limits.ts'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { number, wholeNumber } from '../../options/option-values.ts'
import { describeHost } from '../../run/host.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { type AdaptiveBench, benchAdaptive, failuresOf, savedBy } from '../denoise/bench-adaptive.ts'
import { benchDenoise, type DenoiseBench, type DenoiseBenchOptions } from '../denoise/bench-denoise.ts'
import { benchFilm, type FilmBench, flickerRatio, MORE, ratioOf } from '../denoise/bench-film.ts'
import { DENOISED_SCENES } from '../denoise/scenes.ts'

export interface RawDenoiseOptions {
  readonly scenes?: string
  readonly size: string
  readonly samples?: string
  readonly adaptive?: boolean
  readonly film?: boolean
  readonly noise: string
  readonly reference: string
  readonly environment?: string
  readonly out: string
  readonly json?: boolean
}

/** Two differences of each pixel. */
const FILM_FRAMES = 3
const HOW = ['still', 'moving'] as const

const say = (line: string) => void process.stderr.write(`${line}\n`)

/**
 * Exit code 1 if denoising has raised the error of a scene, or has not lowered it; of adaptive frames as `failuresOf` says; of
 * films if those that are denoised do not flicker less, over all scenes.
 */
export async function denoise(raw: RawDenoiseOptions): Promise<void> {
  const options = {
    scenes: raw.scenes?.split(',') ?? DENOISED_SCENES,
    size: parseSize(raw.size),
    reference: wholeNumber('--reference', raw.reference, 2, 16384),
    ...(raw.environment === undefined ? {} : { environment: raw.environment }),
  }
  if (raw.adaptive) await adaptive(raw, options)
  else if (raw.film) await film(raw, options)
  else await fixed(raw, options)
}

type CommonOptions = Pick<DenoiseBenchOptions, 'scenes' | 'size' | 'reference' | 'environment'>

async function adaptive(raw: RawDenoiseOptions, common: CommonOptions): Promise<void> {
  const samples = wholeNumber('--samples', raw.samples ?? '256', MIN_ADAPTIVE_SAMPLES, 16384)
  const options = { ...common, samples, noise: number('--noise', raw.noise, 0.001, 1) }
  const result = await interruptible(signal => benchAdaptive(options, signal, say))
  await print(raw.json ? `${JSON.stringify({ host: describeHost(), ...result }, null, 2)}\n` : adaptiveText(result))
  const failures = failuresOf(result)
  for (const failure of failures) say(failure)
  if (failures.length > 0) process.exitCode = 1
}

async function film(raw: RawDenoiseOptions, common: CommonOptions): Promise<void> {
  const options = { ...common, samples: wholeNumber('--samples', raw.samples ?? '16', 2, 4096), frames: FILM_FRAMES }
  const result = await interruptible(signal => benchFilm(options, signal, say))
  await print(raw.json ? `${JSON.stringify({ host: describeHost(), ...result }, null, 2)}\n` : filmText(result))
  if (!HOW.every(how => flickerRatio(result, how, 'denoised') < 1)) process.exitCode = 1
}

async function fixed(raw: RawDenoiseOptions, common: CommonOptions): Promise<void> {
  const options = { ...common, samples: wholeNumber('--samples', raw.samples ?? '16', 2, 16384), out: raw.out }
  const result = await interruptible(signal => benchDenoise(options, signal, say))
  await print(raw.json ? `${JSON.stringify({ host: describeHost(), ...result }, null, 2)}\n` : denoiseText(result))
  if (result.rows.some(({ gain }) => !(gain > 1))) process.exitCode = 1
}

function denoiseText({ size, samples, reference, rows, geometricMean, peakBytes, out }: DenoiseBench): string {
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: ['scene', 'noisy', 'denoised', 'gain', 'light kept', 'CPU ms per Mpx'],
  })
  for (const { name, noisy, denoised, gain, lightKept, cpuMsPerMegapixel } of rows)
    table.push([
      name,
      noisy.toExponential(2),
      denoised.toExponential(2),
      gain.toPrecision(3),
      `${(100 * lightKept).toFixed(1)} %`,
      cpuMsPerMegapixel.toFixed(0),
    ])
  const of = `${size.join('x')} px; relative square error at ${samples} samples against ${reference} of another seed`
  const sum = `gain, geometric mean: ${geometricMean.toPrecision(3)}; at most ${(peakBytes / 2 ** 20).toFixed(0)} MiB; pictures in ${out}`
  return `${of}\n${table}\n${sum}\n`
}

function adaptiveText(bench: AdaptiveBench): string {
  const { size, samples, reference, noise, rows } = bench
  const head = ['scene', 'samples', 'error', 'noise met', 'over 2×', 'samples', 'error', 'noise met', 'over 2×']
  const table = new Table({ style: { head: [], border: [], compact: true }, head })
  for (const { name, plain, denoised } of rows)
    table.push([
      name,
      ...[plain, denoised].flatMap(({ samples, error, met }) => [
        samples.toFixed(1),
        error.toExponential(2),
        met.cells === 0 ? '' : met.noise.toFixed(2),
        met.cells === 0 ? '' : `${(100 * met.beyond).toFixed(1)} %`,
      ]),
    ])
  const of = `${size.join('x')} px, --noise ${noise}, at most ${samples} samples, without and with --denoise on; error against ${reference} samples of another seed`
  const sum = `noise met: of cells that were left out as clean, true noise over what was asked; without denoising ${savedBy(bench).toPrecision(3)} times the samples, geometric mean`
  return `${of}\n${table}\n${sum}\n`
}

function filmText(bench: FilmBench): string {
  const { size, samples, reference, rows } = bench
  const head = ['scene', ...HOW.flatMap(how => [`${how}, noisy`, 'denoised', 'ratio', 'anew', 'ratio'])]
  const table = new Table({ style: { head: [], border: [], compact: true }, head })
  for (const row of rows)
    table.push([
      row.name,
      ...HOW.map(how => row[how]).flatMap(flicker => [
        flicker.noisy.toFixed(2),
        flicker.denoised.toFixed(2),
        ratioOf(flicker, 'denoised').toFixed(2),
        flicker.anew.toFixed(2),
        ratioOf(flicker, 'anew').toFixed(2),
      ]),
    ])
  const of = `${size.join('x')} px; flicker of denoised frames of ${samples} samples, and of frames of ${MORE * samples} that are not denoised: mean absolute change from frame to frame, of 255`
  const means = (['denoised', 'anew'] as const).map(
    compared => `${compared} ${HOW.map(how => `${how} ${flickerRatio(bench, how, compared).toFixed(2)}`).join(', ')}`,
  )
  return `${of}\n${table}\nmoving: less the changes of a film of ${reference} samples; anew: with --pattern frame; ratio, geometric mean: ${means.join('; ')}\n`
}
