import { describe, expect, it } from 'vitest'
import { Rehearsals } from '../../../master/sessions/rehearsals.ts'
import { strategyByName, strategyNames } from '../../../master/strategies/index.ts'
import type { Strategy } from '../../../master/strategies/strategy.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../../shared/session/strategy-options.ts'

const size: Size = [96, 54]
const settingsOf = (strategy: Strategy) =>
  ({ strategy, options: DEFAULT_STRATEGY_OPTIONS, size, clock: 'cpu', record: false }) as const
const running = new AbortController().signal

/** A strategy that is counted. */
function counted(): { strategy: Strategy; planned: () => number } {
  const own = strategyByName('predictive')
  let planned = 0
  const plan: Strategy['plan'] = input => {
    planned++
    return own.plan(input)
  }
  return { strategy: { ...own, plan }, planned: () => planned }
}

describe('a rehearsal', () => {
  it.each(strategyNames)('of %s plans frames whose tiles all come', async name => {
    await expect(new Rehearsals().of(settingsOf(strategyByName(name)), 3, running)).resolves.toBeUndefined()
  })

  it('is for the first session with a strategy', async () => {
    const { strategy, planned } = counted()
    const rehearsals = new Rehearsals()
    await rehearsals.of(settingsOf(strategy), 4, running)
    const first = planned()
    expect(first).toBeGreaterThan(2)
    await rehearsals.of(settingsOf(strategy), 4, running)
    expect(planned()).toBe(first)
  })

  it('takes another strategy of the same name for another', async () => {
    const [first, second] = [counted(), counted()]
    const rehearsals = new Rehearsals()
    await rehearsals.of(settingsOf(first.strategy), 4, running)
    await rehearsals.of(settingsOf(second.strategy), 4, running)
    expect(second.planned()).toBe(first.planned())
  })

  it.each(['demand-driven', 'scatter', 'greedy-lb', 'predictive'])(
    'of %s costs the same whatever a client asks for',
    async name => {
      const own = strategyByName(name)
      const seen: Parameters<Strategy['plan']>[0][] = []
      const plan: Strategy['plan'] = input => {
        seen.push(input)
        return own.plan(input)
      }
      const options = { ...DEFAULT_STRATEGY_OPTIONS, tile: 1, cell: 4 } as const
      const settings = { ...settingsOf({ ...own, plan }), options, size: [16384, 4096] as const }
      await new Rehearsals().of(settings, 2 ** 31, running)
      expect(seen.length).toBeGreaterThan(2)
      for (const { workers, options, size } of seen) {
        expect(workers.length).toBeLessThanOrEqual(32)
        expect(size[0] * size[1]).toBeLessThanOrEqual(640 * 360)
        expect(options.tile).toBeGreaterThanOrEqual(16)
        expect(options.cell).toBeGreaterThanOrEqual(8)
      }
    },
  )

  it('ends when nobody waits for the session any more', async () => {
    const { strategy, planned } = counted()
    const over = new AbortController()
    const rehearsed = new Rehearsals().of(settingsOf(strategy), 4, over.signal)
    over.abort()
    await rehearsed
    expect(planned()).toBe(1)
  })
})
