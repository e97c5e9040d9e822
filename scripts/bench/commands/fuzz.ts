/** `bench fuzz`. */
import { randomInt } from 'node:crypto'
import Table from 'cli-table3'
import { print } from '../../files/standard-output.ts'
import { wholeNumber } from '../../options/option-values.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { benchFuzz, expectNoCrash, type FuzzBench } from '../fuzz/bench-fuzz.ts'
import { fuzzProcess, Journal } from '../fuzz/fuzz-process.ts'
import { survived } from '../fuzz/survival.ts'

export interface RawFuzzOptions {
  readonly inputs: string
  readonly seed?: string
  readonly only?: string
  readonly json?: boolean
}

const LARGEST_SEED = 2 ** 32 - 1

export async function fuzz(raw: RawFuzzOptions): Promise<void> {
  const inputs = wholeNumber('--inputs', raw.inputs, 1, 1e9)
  const seed = raw.seed === undefined ? randomInt(LARGEST_SEED) : wholeNumber('--seed', raw.seed, 0, LARGEST_SEED)
  const only = raw.only === undefined ? {} : { only: wholeNumber('--only', raw.only, 0, 1e9) }
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  say(`seed ${seed}`)
  const result = await interruptible(signal =>
    // One alone is made here, where a debugger sees it.
    raw.only === undefined
      ? survived({ inputs, seed }, from => fuzzProcess(inputs, seed, from, signal), say)
      : benchFuzz({ inputs, seed, ...only }, signal, say),
  )
  await print(raw.json ? `${JSON.stringify(result, null, 2)}\n` : text(result))
  expectNoCrash(result)
}

/** The process of `fuzzProcess`. It ends with its standard input. */
export async function fuzzPart(inputs: string, seed: string, from: string, path: string): Promise<void> {
  process.stdin.resume().once('end', () => process.exit(1))
  const journal = new Journal(path)
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  const options = { inputs: Number(inputs), seed: Number(seed), from: Number(from) }
  const found = await benchFuzz({ ...options, begun: input => journal.note(input) }, new AbortController().signal, say)
  journal.close()
  await print(`${JSON.stringify(found)}\n`)
  process.exit()
}

function text({ inputs, seed, crashes, peakMiB, baseMiB, seconds, answers }: FuzzBench): string {
  const table = new Table({ style: { head: [], border: [], compact: true }, head: ['input to', 'inputs', 'answers'] })
  for (const [target, counts] of Object.entries(answers)) {
    const all = Object.entries(counts).sort(([, a], [, b]) => b - a)
    const total = all.reduce((sum, [, count]) => sum + count, 0)
    table.push([target, total, all.map(([answer, count]) => `${answer} ${count}`).join(', ')])
  }
  const rate = `${seconds.toFixed(1)} s, ${Math.round(inputs / seconds)} a second`
  return `${inputs} inputs with seed ${seed}: ${crashes} failures; ${rate}; ${peakMiB} MiB at most, ${baseMiB} before\n${table}\n`
}
