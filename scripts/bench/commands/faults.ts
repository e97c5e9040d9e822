/** `bench faults`. */
import { randomInt } from 'node:crypto'
import Table from 'cli-table3'
import { print } from '../../files/standard-output.ts'
import { wholeNumber } from '../../options/option-values.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { benchFaults, expectNoLoss, type FaultsBench } from '../faults/bench-faults.ts'

export interface RawFaultsOptions {
  readonly scenarios: string
  readonly seed?: string
  readonly only?: string
  readonly lanes: string
  readonly json?: boolean
}

const LARGEST_SEED = 2 ** 32 - 1

export async function faults(raw: RawFaultsOptions): Promise<void> {
  const scenarios = wholeNumber('--scenarios', raw.scenarios, 1, 1e6)
  const lanes = wholeNumber('--lanes', raw.lanes, 1, 32)
  const seed = raw.seed === undefined ? randomInt(LARGEST_SEED) : wholeNumber('--seed', raw.seed, 0, LARGEST_SEED)
  const only = raw.only === undefined ? {} : { only: wholeNumber('--only', raw.only, 0, 1e6) }
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  say(`seed ${seed}`)
  const result = await interruptible(signal => benchFaults({ scenarios, seed, lanes, ...only }, signal, say))
  await print(raw.json ? `${JSON.stringify(result, null, 2)}\n` : text(result))
  expectNoLoss(result)
}

function text(result: FaultsBench): string {
  const { scenarios, seed, seconds, wrongBytes, lostFrames, hangs, unnoticed, noticedMs, noticedWorstMs } = result
  const { addedMs, slowedMs, unfired } = result
  const head = ['fault', 'strikes', 'noticed after ms', 'worst', 'later by ms', 'worst']
  const table = new Table({ style: { head: [], border: [], compact: true }, head })
  const pair = (spread: { median: number; worst: number } | null) => (spread ? [spread.median, spread.worst] : ['', ''])
  for (const [name, figures] of Object.entries(result.faults))
    table.push([name, figures.strikes, ...pair(figures.noticedMs), ...pair(figures.addedMs)])
  const lines = [
    `${scenarios} scenarios with seed ${seed} in ${seconds} s: ${wrongBytes} with wrong bytes, ${lostFrames} with lost frames, ${hangs} hang; ${unnoticed} unnoticed losses; ${unfired} faults did not strike`,
    `noticed (median, worst): closed ${noticedMs.closed ?? '-'}, ${noticedWorstMs.closed ?? '-'} ms; silent ${noticedMs.silent ?? '-'}, ${noticedWorstMs.silent ?? '-'} ms`,
    `later where a worker was lost: ${addedMs.p50 ?? '-'} ms at the median, ${addedMs.p99 ?? '-'} ms at p99`,
    `later where workers were slow: ${slowedMs.p50 ?? '-'} ms at the median, ${slowedMs.p99 ?? '-'} ms at p99`,
  ]
  return `${lines.join('\n')}\n${table}\n`
}
