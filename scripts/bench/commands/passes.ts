/** `bench passes`, and the processes that it starts. */
import Table from 'cli-table3'
import { strategyByName } from '../../../master/strategies/index.ts'
import { ENCODINGS, type Encoding } from '../../../shared/protocol/messages.ts'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { number, wholeNumber } from '../../options/option-values.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { benchPasses, expectPreviews, type PassesBench } from '../passes/bench-passes.ts'
import { runPassesMaster } from '../passes/passes-master.ts'
import { runPassesWorker } from '../passes/passes-worker.ts'

export interface RawPassesOptions {
  readonly size: string
  readonly passes: string
  readonly progressive?: boolean
  readonly adaptive?: boolean
  readonly frames: string
  readonly workers: string
  readonly strategy: string
  readonly lz4?: boolean
  readonly pxPerMs: string
  readonly profile?: boolean
  readonly json?: boolean
}

export async function passes(raw: RawPassesOptions): Promise<void> {
  const { progressive = false, adaptive = false, lz4 = false, profile = false } = raw
  const options = {
    size: parseSize(raw.size),
    passes: wholeNumber('--passes', raw.passes, 2, adaptive ? 8 : 1024),
    progressive,
    adaptive,
    profile,
    encoding: lz4 ? ('lz4' as const) : ('raw' as const),
    frames: wholeNumber('--frames', raw.frames, 1, 1000),
    workers: wholeNumber('--workers', raw.workers, 1, 64),
    strategy: strategyByName(raw.strategy).name,
    pxPerMs: number('--px-per-ms', raw.pxPerMs, 0.01, 1e9),
  }
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  const result = await interruptible(signal => benchPasses(options, signal, say))
  await print(raw.json ? `${JSON.stringify(result, null, 2)}\n` : text(result))
  expectPreviews(result)
}

function text({ size, passes, workers, encoding, betweenMs, lateMs, ...bench }: PassesBench): string {
  const how = [...(bench.progressive ? ['progressive'] : []), ...(bench.adaptive ? ['adaptive'] : []), encoding]
  const table = new Table({ style: { head: [], border: [], compact: true }, head: ['', 'ms'] })
  table.push(
    ['between passes, median and most', `${betweenMs.median}, ${betweenMs.max}`],
    ['a frame, of which after its last answer', `${bench.frameMs.join(', ')}; ${bench.finishMs.join(', ')}`],
    [`${bench.previews} previews, after the last answer of their pass`, bench.previewMs.join(', ')],
    ['timers of the master late by, p99 and most', `${lateMs.p99}, ${lateMs.max}`],
    ['of its own work', lateMs.held],
  )
  const busy = Object.entries(bench.shares ?? {}).map(([what, share]) => `${what} ${(100 * share).toFixed(0)} %`)
  const rest = busy.length > 0 ? `its event loop was busy with ${busy.join(', ')}\n` : ''
  const what = `${size.join('x')}, ${passes} passes, ${how.join(', ')}, ${workers} workers`
  return `${what}\n${table}\nat most ${lateMs.rssMiB} MiB\n${rest}`
}

export async function passesMaster(encoding: string): Promise<void> {
  await runPassesMaster(ENCODINGS.find(each => each === encoding) ?? ('raw' satisfies Encoding))
}

export async function passesWorker(master: string, name: string, pxPerMs: string): Promise<void> {
  await runPassesWorker(master, name, Number(pxPerMs))
}
