/** The bench of decisions asks every strategy and balancer. No figure is judged. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { strategyNames } from '../../../master/strategies/index.ts'
import { benchBalancers } from '../../../scripts/bench/balancers.ts'
import { runBench } from '../../support/program.ts'

const timing = z.object({ medianMs: z.number(), bestMs: z.number(), rounds: z.int().min(1) })
const resultSchema = z.object({
  host: z.object({ cpu: z.string(), cores: z.int(), node: z.string() }),
  strategies: z.array(z.object({ strategy: z.string(), workers: z.int(), first: timing, next: timing })),
  balancers: z.array(
    z.object({ balancer: z.string(), objects: z.int(), processors: z.int(), decide: timing, after: z.number() }),
  ),
})

describe('bench strategies', () => {
  it('times every strategy for 8, 64 and 512 workers, and the balancers at 10^5 objects', async () => {
    const { code, stdout, stderr } = await runBench(['strategies', '--rounds', '1', '--json'])
    expect(code, stderr).toBe(0)
    const { strategies, balancers } = resultSchema.parse(JSON.parse(stdout))
    for (const workers of [8, 64, 512]) {
      const names = strategies.filter(row => row.workers === workers).map(row => row.strategy)
      expect(names).toEqual(strategyNames)
    }
    expect(balancers.map(row => [row.balancer, row.objects, row.processors])).toEqual(
      ['greedy', 'refine', 'refine-swap'].map(name => [name, 1e5, 1e4]),
    )
  })

  it('has decided within the limits where the checked-in results come from', () => {
    const file = new URL('../../../../scripts/bench/results/strategies.json', import.meta.url)
    const { balancers } = resultSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    const limits: Readonly<Record<string, number>> = { greedy: 25, refine: 50, 'refine-swap': 60 }
    for (const { balancer, decide } of balancers) expect(decide.medianMs).toBeLessThanOrEqual(limits[balancer]!)
  })

  it('refuses rounds that are none', async () => {
    const { code, stderr } = await runBench(['strategies', '--rounds', '0'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/--rounds: expected a whole number from 1/)
  })
})

describe('benchBalancers', () => {
  it('gives every balancer the same problem, the same in every run', () => {
    const [a, b] = [benchBalancers(500, 40, 1), benchBalancers(500, 40, 1)]
    expect(new Set(a.map(({ before }) => before)).size).toBe(1)
    expect(a.map(({ after, decisions }) => [after, decisions])).toEqual(b.map(row => [row.after, row.decisions]))
    for (const { before, after } of a) expect(after).toBeLessThan(before)
  })
})
