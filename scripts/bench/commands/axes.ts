/** `bench axes`. */
import Table from 'cli-table3'
import { print } from '../../files/standard-output.ts'
import { wholeNumber } from '../../options/option-values.ts'
import { describeHost } from '../../run/host.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { type AxesBench, benchAxes, MAX_RATIO } from '../axes/bench-axes.ts'

export interface RawAxesOptions {
  readonly mesh: string
  readonly side: string
  readonly rounds: string
  readonly json?: boolean
}

/** Exit code 1 if a direction costs more than MAX_RATIO times what those beside it do. */
export async function axes(raw: RawAxesOptions): Promise<void> {
  const options = {
    mesh: raw.mesh,
    side: wholeNumber('--side', raw.side, 8, 1024),
    rounds: wholeNumber('--rounds', raw.rounds, 1, 1000),
  }
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  const result = await interruptible(signal => benchAxes(options, signal, say))
  await print(raw.json ? `${JSON.stringify({ host: describeHost(), ...result }, null, 2)}\n` : axesText(result))
  if (result.rows.some(({ ratio }) => ratio > MAX_RATIO)) process.exitCode = 1
}

function axesText({ mesh, triangles, side, rounds, rows }: AxesBench): string {
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: ['directions', 'rays', 'exactly, ns', 'beside, ns', 'ratio'],
  })
  for (const { directions, way, exactNs, besideNs, ratio } of rows)
    table.push([directions, way, exactNs.toFixed(0), besideNs.toFixed(0), ratio.toFixed(2)])
  const of = `${mesh}: ${triangles.toLocaleString('en')} triangles, ${side}x${side} parallel rays`
  return `${of}; CPU time of a ray, median of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}\n${table}\n`
}
