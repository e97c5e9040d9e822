/** The balance bench on a tiny scene: everybody in every situation, and figures that can be right. */
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { strategyNames } from '../../../master/strategies/index.ts'
import { type BalanceBench, benchBalance } from '../../../scripts/bench/balance/bench-balance.ts'
import { situations } from '../../../scripts/bench/balance/situations.ts'
import { balanceText } from '../../../scripts/bench/balance/table.ts'
import { WITHIN_NAMES } from '../../../shared/session/strategy-words.ts'
import { silentLog } from '../../../shared/text/log.ts'

const tent = fileURLToPath(new URL('../../../../test/support/tent.obj', import.meta.url))

describe('bench balance', () => {
  let bench: BalanceBench
  beforeAll(async () => {
    bench = await benchBalance({ scene: tent, size: [96, 54], frames: 4 }, new AbortController().signal, silentLog)
  })

  it('has every strategy but single workers in every situation, and predictive without each of its parts', () => {
    expect(bench.strategies.map(table => table.situation)).toEqual(situations.map(({ name }) => name))
    for (const { rows } of bench.strategies)
      expect(rows.map(({ name }) => name)).toEqual(strategyNames.filter(name => name !== 'single-worker'))
    for (const { rows } of bench.ingredients) {
      const [all, ...without] = rows
      expect(all?.name).toBe('all of it')
      expect(without.length).toBeGreaterThan(8)
    }
  })

  it('has no frame that is shorter than a perfect share', () => {
    for (const { rows } of [...bench.within, ...bench.withinPbt])
      expect(rows.map(({ name }) => name)).toEqual([...WITHIN_NAMES])
    for (const { rows } of [...bench.strategies, ...bench.ingredients])
      for (const { overIdeal, epsilon, messagesPerWorker } of rows) {
        expect(overIdeal).toBeGreaterThan(0.98)
        expect(epsilon.steady).toBeGreaterThanOrEqual(0)
        expect(messagesPerWorker).toBeGreaterThan(0)
      }
  })

  it('is printed with a line for each strategy', () => {
    const text = balanceText(bench)
    for (const name of strategyNames.filter(each => each !== 'single-worker')) expect(text).toContain(name)
    for (const { name } of situations) expect(text).toContain(name)
  })
})
