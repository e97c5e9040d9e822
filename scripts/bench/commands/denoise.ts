/** `bench denoise`. */
import Table from 'cli-table3'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { wholeNumber } from '../../options/option-values.ts'
import { describeHost } from '../../run/host.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { benchDenoise, type DenoiseBench } from '../denoise/bench-denoise.ts'
import { DENOISED_SCENES } from '../denoise/scenes.ts'

export interface RawDenoiseOptions {
  readonly scenes?: string
  readonly size: string
  readonly samples: string
  readonly reference: string
  readonly environment?: string
  readonly out: string
  readonly json?: boolean
}

/** Exit code 1 if denoising has raised the error of a scene, or has not lowered it. */
export async function denoise(raw: RawDenoiseOptions): Promise<void> {
  const options = {
    scenes: raw.scenes?.split(',') ?? DENOISED_SCENES,
    size: parseSize(raw.size),
    samples: wholeNumber('--samples', raw.samples, 2, 16384),
    reference: wholeNumber('--reference', raw.reference, 2, 16384),
    out: raw.out,
    ...(raw.environment === undefined ? {} : { environment: raw.environment }),
  }
  const say = (line: string) => void process.stderr.write(`${line}\n`)
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
