/** The bench of schedules plays whole frames. No figure is judged. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { strategyByName } from '../../../master/strategies/index.ts'
import { benchSchedule } from '../../../scripts/bench/schedule.ts'
import { runBench } from '../../support/program.ts'

const resultSchema = z.object({
  strategy: z.string(),
  areas: z.array(
    z.object({
      areas: z.int(),
      eventUs: z.number().positive(),
      frameMs: z.number().positive(),
      events: z.int().min(1),
    }),
  ),
})

describe('bench schedule', () => {
  it('times an event and a frame for each number of areas', async () => {
    const { code, stdout, stderr } = await runBench(['schedule', '--areas', '1,8', '--rounds', '1', '--json'])
    expect(code, stderr).toBe(0)
    const { strategy, areas } = resultSchema.parse(JSON.parse(stdout))
    expect(strategy).toBe('predictive')
    expect(areas.map(row => row.areas)).toEqual([1, 8])
    for (const { eventUs, frameMs, events } of areas) expect((eventUs * events) / 1000).toBeCloseTo(frameMs, 9)
  })

  it.each([
    [['--areas', '0'], '--areas: expected a whole number from 1'],
    [['--areas', '8,'], '--areas: expected a whole number from 1'],
    [['--strategy', 'best'], 'best'],
  ])('refuses %j', async (options, why) => {
    const { code, stderr } = await runBench(['schedule', ...options])
    expect(code).toBe(2)
    expect(stderr).toContain(why)
  })

  it.each(['demand-driven', 'work-stealing', 'static-blocks'])('plays a frame of %s to its end', name => {
    const [row] = benchSchedule(strategyByName(name), [4], 1)
    expect(row!.events).toBeGreaterThanOrEqual(4)
  })
})
