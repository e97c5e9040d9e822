/** `bench half`. */
import Table from 'cli-table3'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { wholeNumber } from '../../options/option-values.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { benchHalf, expectHalfIsEnough, type HalfBench } from '../faults/half.ts'

export interface RawHalfOptions {
  readonly scene: string
  readonly size: string
  readonly samples: string
  readonly frames: string
  readonly workers: string
  readonly rounds: string
  readonly json?: boolean
}

/** To reach. */
const MOST_MORE_CPU = 0.1

export async function half(raw: RawHalfOptions): Promise<void> {
  const options = {
    scene: raw.scene,
    size: parseSize(raw.size),
    samples: wholeNumber('--samples', raw.samples, 1, 65_536),
    frames: wholeNumber('--frames', raw.frames, 2, 10_000),
    workers: wholeNumber('--workers', raw.workers, 2, 64),
    rounds: wholeNumber('--rounds', raw.rounds, 1, 100),
  }
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  const result = await interruptible(signal => benchHalf(options, signal, say))
  await print(raw.json ? `${JSON.stringify(result, null, 2)}\n` : text(result))
  expectHalfIsEnough(result, MOST_MORE_CPU)
}

function text({ scene, size, samples, frames, workers, rounds, cpuSeconds, partings }: HalfBench): string {
  const head = ['half of the workers', 'frames lost', 'other bytes', 'CPU time', 'pixels traced again', 'time']
  const table = new Table({ style: { head: [], border: [], compact: true }, head })
  for (const [parting, { lost, wrong, cpuRatio, redundantShare, wallRatio }] of Object.entries(partings))
    table.push([
      parting === 'left' ? 'left and came again' : 'were killed and came again',
      lost,
      wrong,
      cpuRatio === null ? '-' : `${cpuRatio.toFixed(3)} x`,
      `${(100 * redundantShare).toFixed(2)} %`,
      `${wallRatio.toFixed(2)} x`,
    ])
  const what = `${frames} frames of ${scene}, ${size.join('x')}, ${samples} samples, ${workers} workers, ${rounds} rounds`
  return `${what}: ${cpuSeconds ?? '-'} s of CPU time undisturbed\n${table}\n`
}
