/** A small part of the hostile inputs of `bench fuzz`, with a new seed each time. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { benchFuzz, type FuzzBench } from '../../../scripts/bench/fuzz/bench-fuzz.ts'
import { Journal } from '../../../scripts/bench/fuzz/fuzz-process.ts'
import { type Outcome, survived } from '../../../scripts/bench/fuzz/survival.ts'
import { times } from '../../support/nightly.ts'
import { runBench } from '../../support/program.ts'

const seed = Math.floor(Math.random() * 2 ** 32)

const fuzz = (options: { inputs: number; seed: number; only?: number }) =>
  benchFuzz(options, new AbortController().signal, () => {})

describe('hostile inputs', () => {
  it(`crash nobody, fill no memory and change no frame, seed ${seed}`, async () => {
    const { failures, crashes, answers, inputs } = await fuzz({ inputs: times(1500), seed })
    expect(failures).toEqual([])
    expect(crashes).toBe(0)
    expect(inputs).toBe(times(1500))
    const targets = ['codec', 'worker to master', 'client to master', 'master to worker', 'master to client']
    expect(Object.keys(answers).sort()).toEqual([...targets, 'a real master', 'a real worker'].sort())
    // Some of everything gets through, so that it meets states that only honest peers reach.
    for (const target of targets)
      expect(answers[target]).toMatchObject({ taken: expect.any(Number), BAD_MESSAGE: expect.any(Number) })
  })

  it('can be made again, all or one alone', async () => {
    const some = await fuzz({ inputs: 60, seed: 7 })
    expect((await fuzz({ inputs: 60, seed: 7 })).answers).toEqual(some.answers)
    const alone: FuzzBench['answers'][] = []
    for (let only = 0; only < 6; only++) alone.push((await fuzz({ inputs: 1, seed: 7, only })).answers)
    const first = await fuzz({ inputs: 6, seed: 7 })
    const sum: Record<string, Record<string, number>> = {}
    for (const [target, counts] of alone.flatMap(answers => Object.entries(answers)))
      for (const [answer, count] of Object.entries(counts)) {
        sum[target] ??= {}
        sum[target][answer] = (sum[target][answer] ?? 0) + count
      }
    expect(sum).toEqual(first.answers)
  })

  it('are counted in a table, or in one JSON document', async () => {
    const plain = await runBench(['fuzz', '--inputs', '50', '--seed', '3'])
    expect(plain.code, plain.stderr).toBe(0)
    expect(plain.stdout).toMatch(/50 inputs with seed 3: 0 failures; .* MiB at most/)
    const json = await runBench(['fuzz', '--inputs', '50', '--json'])
    expect(json.stderr).toMatch(/seed \d+/)
    expect(JSON.parse(json.stdout)).toMatchObject({
      inputs: 50,
      crashes: 0,
      peakMiB: expect.any(Number),
      seed: expect.any(Number),
    })
    const wrong = await runBench(['fuzz', '--inputs', 'many'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--inputs: expected a whole number')])
  })
})

describe('inputs that end the process', () => {
  const found = (from: number): FuzzBench => ({
    inputs: 100 - from,
    seed: 7,
    crashes: 1,
    peakMiB: 90,
    baseMiB: 50,
    seconds: 1,
    answers: { codec: { taken: 100 - from } },
    failures: [{ input: 70, target: 'codec', what: 'wrong' }],
  })

  it('are failures, and the others are made behind them', async () => {
    const begun: number[] = []
    const said: string[] = []
    const make = async (from: number): Promise<Outcome> => {
      begun.push(from)
      return from <= 40 ? { input: from + 20, what: 'SIGSEGV' } : { found: found(from) }
    }
    const bench = await survived({ inputs: 100, seed: 7 }, make, line => said.push(line))
    expect(begun).toEqual([0, 21, 42])
    expect(bench).toMatchObject({ inputs: 100, seed: 7, crashes: 3, peakMiB: 90 })
    expect(bench.failures.map(({ input }) => input)).toEqual([20, 41, 70])
    expect(said).toEqual([
      'input 20: SIGSEGV\n  again: npm run bench -- fuzz --seed 7 --only 20',
      'input 41: SIGSEGV\n  again: npm run bench -- fuzz --seed 7 --only 41',
    ])
  })

  it('are not made for ever', async () => {
    const bench = await survived(
      { inputs: 1e6, seed: 7 },
      async input => ({ input, what: 'exit code 1' }),
      () => {},
    )
    expect(bench).toMatchObject({ inputs: 10, crashes: 10 })
  })

  it('are found by the number that the process noted last', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'sortfirst-')), 'input')
    const journal = new Journal(path)
    for (const input of [0, 1, 2 ** 31]) journal.note(input)
    journal.close()
    expect(readFileSync(path).readDoubleLE(0)).toBe(2 ** 31)
    rmSync(dirname(path), { recursive: true })
  })
})
