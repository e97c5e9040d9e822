/** `bench wire`, and the processes that it starts. */
import Table from 'cli-table3'
import { strategyByName } from '../../../master/strategies/index.ts'
import { ENCODINGS, type Encoding } from '../../../shared/protocol/messages.ts'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { number, wholeNumber } from '../../options/option-values.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { benchWire, type Transfer, type WireBench } from '../wire/bench-wire.ts'
import { runFloorReceiver, runFloorSender } from '../wire/floor.ts'
import { runWireMaster } from '../wire/wire-master.ts'
import { runWireWorker } from '../wire/wire-worker.ts'

export interface RawWireOptions {
  readonly workers: string
  readonly megabytes: string
  readonly size: string
  readonly frames: string
  readonly strategy: string
  readonly pxPerMs: string
  readonly json?: boolean
}

export async function wire(raw: RawWireOptions): Promise<void> {
  const options = {
    workers: wholeNumber('--workers', raw.workers, 1, 64),
    megabytes: number('--megabytes', raw.megabytes, 0.1, 2000),
    size: parseSize(raw.size),
    frames: wholeNumber('--frames', raw.frames, 1, 10_000),
    strategy: strategyByName(raw.strategy).name,
    pxPerMs: number('--px-per-ms', raw.pxPerMs, 0.01, 1e9),
  }
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  const result = await interruptible(signal => benchWire(options, signal, say))
  await print(raw.json ? `${JSON.stringify(result, null, 2)}\n` : text(result))
}

function text({ workers, sceneMB, parts, largestPartMB, size, strategy, ...bench }: WireBench): string {
  const style = { style: { head: [], border: [], compact: true } }
  const head = [
    'the scene',
    'ms',
    'user ms',
    'system ms',
    'CPU ms per 100 MB',
    'of all copies',
    'timers late by ms',
    'of own work',
  ]
  const scene = new Table({ ...style, head })
  const add = (name: string, { ms, userMs, systemMs, lateMs, heldMs, ...per }: Partial<Transfer>) =>
    scene.push([name, ms, userMs, systemMs, per.cpuMsPer100MB ?? '', per.cpuMsPer100MBMoved ?? '', lateMs, heldMs])
  add('from client to master', bench.toMaster)
  add('validated', bench.checked)
  add(`from master to ${workers} workers`, bench.toWorkers)
  add(`a bare socket to ${workers} that hash`, bench.floor)
  const frames = new Table({
    ...style,
    head: ['pixels', 'user ms', 'system ms', 'timers late by ms', 'of own work', 'a second', 'on'],
  })
  for (const [encoding, costs] of Object.entries(bench.framesOf)) {
    const on = Object.entries(costs.shares).map(([what, share]) => `${what} ${(100 * share).toFixed(0)} %`)
    const most = on.slice(0, MOST_SHARES).join(', ')
    frames.push([encoding, costs.userMs, costs.systemMs, costs.lateMs, costs.heldMs, costs.framesPerSecond, most])
  }
  const what = `${sceneMB.toFixed(1)} MB in ${parts} parts, the largest of ${largestPartMB.toFixed(1)} MB`
  const ownCpu = `a worker uses ${bench.workerCpuMs} ms of CPU time for it`
  const each = `the master, for each frame of ${size.join('x')}, ${strategy}, ${workers} workers`
  return `${what}; ${ownCpu}\n${scene}\n${each}:\n${frames}\n`
}

const MOST_SHARES = 6

export async function wireMaster(encoding: string): Promise<void> {
  await runWireMaster(ENCODINGS.find(each => each === encoding) ?? ('raw' satisfies Encoding))
}

export async function wireWorker(master: string, name: string, size: string, pxPerMs: string): Promise<void> {
  await runWireWorker(master, name, parseSize(size), Number(pxPerMs))
}

export async function wireFloor(role: string, number: string, bytes: string): Promise<void> {
  await (role === 'sender' ? runFloorSender : runFloorReceiver)(Number(number), Number(bytes))
}
