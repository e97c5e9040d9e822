/** `bench soak`, and the processes of fake workers that it starts. */
import Table from 'cli-table3'
import { strategyByName } from '../../../master/strategies/index.ts'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { number, wholeNumber } from '../../options/option-values.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { benchSoak, expectNothingLost, type SoakBench } from '../soak/bench-soak.ts'
import { ALL_JOINED } from '../soak/crews.ts'
import { runFakeWorkers } from '../soak/fake-worker.ts'

export interface RawSoakOptions {
  readonly workers: string
  readonly minutes: string
  readonly frames?: string
  readonly real?: boolean
  readonly clients: string
  readonly size: string
  readonly strategy: string
  readonly pxPerMs: string
  readonly json?: boolean
}

export async function soak(raw: RawSoakOptions): Promise<void> {
  const options = {
    workers: wholeNumber('--workers', raw.workers, 1, 4000),
    minutes: number('--minutes', raw.minutes, 0.01, 100_000),
    clients: wholeNumber('--clients', raw.clients, 1, 100),
    size: parseSize(raw.size),
    strategy: strategyByName(raw.strategy).name,
    pxPerMs: number('--px-per-ms', raw.pxPerMs, 0.01, 1e6),
    most: raw.frames === undefined ? Infinity : wholeNumber('--frames', raw.frames, 1, 1e9),
    real: raw.real === true,
  }
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  const result = await interruptible(signal => benchSoak(options, signal, say))
  await print(raw.json ? `${JSON.stringify(result, null, 2)}\n` : text(result))
  expectNothingLost(result)
}

function text({ workers, clients, size, strategy, seconds, rss, dispatchMs, ...result }: SoakBench): string {
  const table = new Table({ style: { head: [], border: [], compact: true } })
  const [first, last] = [rss.at(0)?.mib ?? '-', rss.at(-1)?.mib ?? '-']
  const share = (growth: number | null) => (growth === null ? '-' : `${(100 * growth).toFixed(1)} % more`)
  table.push(
    ['frames', `${result.frames}, ${result.framesPerSecond} a second`],
    ['lost', `${result.lost}, ${result.wrong} of them with wrong pixels`],
  )
  if (result.real) table.push(["the workers' resident size", `after warm-up ${share(result.workerRssGrowth)} at most`])
  else
    table.push(
      ['workers dropped', `${result.drops}`],
      ['orders and answers', `${result.messagesPerSecond} a second`],
      ['from a finished tile to the next order', `${dispatchMs.p50 ?? '-'} ms, p99 ${dispatchMs.p99 ?? '-'} ms`],
    )
  table.push([
    "the master's resident size",
    `${first} MiB, at the end ${last} MiB; after warm-up ${share(result.rssGrowth)}`,
  ])
  table.push(['GET /metrics', `${result.metrics.ms} ms, ${(result.metrics.bytes / 1000).toFixed(1)} kB`])
  const what = `${workers} workers, ${clients} ${clients === 1 ? 'client' : 'clients'}, ${size.join('x')}, ${strategy}`
  return `${what}: ${seconds} s\n${table}\n`
}

/** Ends with its standard input. */
export async function fakeWorkers(master: string, count: string, first: string, pxPerMs: string): Promise<void> {
  const stop = new AbortController()
  process.stdin.resume().once('end', () => stop.abort())
  const options = { master, count: Number(count), first: Number(first), pxPerMs: Number(pxPerMs) }
  const joined = () => void print(`${ALL_JOINED}\n`)
  await print(`${JSON.stringify(await runFakeWorkers(options, stop.signal, joined))}\n`)
  process.exit()
}
