/** `bench hybrid`. */
import Table from 'cli-table3'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { wholeNumber } from '../../options/option-values.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { benchHybrid, type HybridBench } from '../hybrid.ts'

export interface RawHybridOptions {
  readonly scene: string
  readonly size: string
  readonly accelerator: string
  readonly frames: string
  readonly json?: boolean
}

export async function hybrid(raw: RawHybridOptions): Promise<void> {
  const { scene, accelerator } = raw
  const options = {
    scene,
    accelerator,
    size: parseSize(raw.size),
    frames: wholeNumber('--frames', raw.frames, 3, 1000),
  }
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  const result = await interruptible(signal => benchHybrid(options, signal, { info: say, warn: say }))
  await print(raw.json ? `${JSON.stringify(result, null, 1)}\n` : hybridText(result))
}

function hybridText({ devices, together, flat, efficiency, adjustments, shareError, warnings }: HybridBench): string {
  const rate = (raysPerSecond: number) => `${(raysPerSecond / 1e6).toFixed(2)} Mrays/s`
  const table = new Table({ style: { head: [], border: [] } })
  table.push(
    ...devices.map(({ name, raysPerSecond }) => [`${name} alone`, rate(raysPerSecond)]),
    ['together, one worker', `${rate(together)}, ${(efficiency * 100).toFixed(1)} % of the sum`],
    ['flat, two workers', rate(flat)],
    ...Object.entries(adjustments).map(([from, count]) => [
      `adjustments ${from.replace(/(\d+)/, ' $1 %')}`,
      count === null ? 'not reached' : `${count}`,
    ]),
    ['share, beside the best', `${(shareError * 100).toFixed(1)} points off`],
  )
  return `${table.toString()}\n${warnings.map(warning => `warning: ${warning}\n`).join('')}`
}
