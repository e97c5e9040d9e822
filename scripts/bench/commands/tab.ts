/** `bench tab`. */
import Table from 'cli-table3'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { wholeNumber } from '../../options/option-values.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { BenchError } from '../bench-error.ts'
import { benchTab, type TabBench } from '../tab/bench-tab.ts'
import { PLAIN, printJson, progress } from './output.ts'

export interface RawTabOptions {
  readonly scene: string
  readonly size: string
  readonly samples: string
  readonly frames: string
  readonly cores: string
  readonly rounds: string
  readonly json?: boolean
}

export async function tab(raw: RawTabOptions): Promise<void> {
  const options = {
    scene: raw.scene,
    size: parseSize(raw.size),
    samples: wholeNumber('--samples', raw.samples, 1, 65_536),
    frames: wholeNumber('--frames', raw.frames, 2, 10_000),
    cores: wholeNumber('--cores', raw.cores, 1, 64),
    rounds: wholeNumber('--rounds', raw.rounds, 1, 100),
  }
  const result = await interruptible(signal => benchTab(options, signal, progress))
  if (raw.json) await printJson(result)
  else await print(text(result))
  if (result.wrong > 0) throw new BenchError(`${result.wrong} frames of the tab have other bytes, expected none`)
}

function text({ scene, size, frames, cores, browser, cpuSpeed, ...result }: TabBench): string {
  const ms = (value: number) => `${value.toFixed(0)} ms`
  const cpu = (value: number | null) => (value === null ? '' : ` (${ms(value)} of CPU time)`)
  const table = new Table({ style: PLAIN })
  table.push(
    ['first tile after the link is opened', `${ms(result.firstTileMs)} (to reach: 5000)`],
    ['first frame', `${ms(result.firstFrameMs)}${cpu(result.firstFrameCpuMs)}`],
    ['of a worker on Node.js', `${ms(result.nodeFirstFrameMs)}${cpu(result.nodeFirstFrameCpuMs)}`],
    ['speed by CPU time', cpuSpeed === null ? '-' : `${cpuSpeed.toFixed(2)} x a worker on Node.js (to reach: 0.8)`],
    ['speed by the clock on the wall', `${result.wallSpeed.toFixed(2)} x`],
    ['frames with other bytes', `${result.wrong}`],
  )
  const threads = `${cores} ${cores === 1 ? 'thread' : 'threads'}`
  return `${browser}, ${threads}, ${frames} frames of ${scene}, ${size.join('x')}\n${table}\n`
}
