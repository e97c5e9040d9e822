/** A small part of the hostile inputs of `bench fuzz`, with a new seed each time. */
import { describe, expect, it } from 'vitest'
import { benchFuzz, type FuzzBench } from '../../../scripts/bench/fuzz/bench-fuzz.ts'
import { sortfirst } from '../../support/program.ts'

const seed = Math.floor(Math.random() * 2 ** 32)

const fuzz = (options: { inputs: number; seed: number; only?: number }) =>
  benchFuzz(options, new AbortController().signal, () => {})

describe('hostile inputs', () => {
  it(`crash nobody, fill no memory and change no frame, seed ${seed}`, async () => {
    const { failures, crashes, answers, inputs } = await fuzz({ inputs: 4000, seed })
    expect(failures).toEqual([])
    expect(crashes).toBe(0)
    expect(inputs).toBe(4000)
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
    for (let only = 0; only < 12; only++) alone.push((await fuzz({ inputs: 1, seed: 7, only })).answers)
    const first = await fuzz({ inputs: 12, seed: 7 })
    const sum: Record<string, Record<string, number>> = {}
    for (const [target, counts] of alone.flatMap(answers => Object.entries(answers)))
      for (const [answer, count] of Object.entries(counts)) {
        sum[target] ??= {}
        sum[target][answer] = (sum[target][answer] ?? 0) + count
      }
    expect(sum).toEqual(first.answers)
  })

  it('are counted in a table, or in one JSON document', async () => {
    const plain = await sortfirst(['bench', 'fuzz', '--inputs', '50', '--seed', '3'])
    expect(plain.code, plain.stderr).toBe(0)
    expect(plain.stdout).toMatch(/50 inputs with seed 3: 0 failures; .* MiB at most/)
    const json = await sortfirst(['bench', 'fuzz', '--inputs', '50', '--json'])
    expect(json.stderr).toMatch(/seed \d+/)
    expect(JSON.parse(json.stdout)).toMatchObject({
      inputs: 50,
      crashes: 0,
      peakMiB: expect.any(Number),
      seed: expect.any(Number),
    })
    const wrong = await sortfirst(['bench', 'fuzz', '--inputs', 'many'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--inputs: expected a whole number')])
  })
})
