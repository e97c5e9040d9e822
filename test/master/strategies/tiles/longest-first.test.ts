import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longestFirst } from '../../../../master/strategies/tiles/longest-first.ts'
import { team } from '../../../support/strategy-run.ts'

describe('longestFirst', () => {
  it('gives the longest to whoever is through with it soonest', () => {
    const given = longestFirst([{ cost: 1 }, { cost: 4 }, { cost: 2 }, { cost: 2 }], team([1, 1]))
    expect(given.map(({ cost, worker }) => `${worker}:${cost}`)).toEqual(['w1:4', 'w2:2', 'w2:2', 'w1:1'])
    expect(longestFirst([{ cost: 4 }, { cost: 1 }], team([0.25, 1])).map(task => task.worker)).toEqual(['w2', 'w1'])
  })

  it('stays within 4/3 of the best there can be among equals (Graham 1969)', () => {
    const anyCosts = fc.array(fc.nat(100), { minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(anyCosts, fc.integer({ min: 2, max: 3 }), (costs, count) => {
        const tasks = costs.map(cost => ({ cost }))
        const given = longestFirst(tasks, team(Array(count).fill(1)))
        const loads = new Map<string, number>()
        for (const { worker, cost } of given) loads.set(worker, (loads.get(worker) ?? 0) + cost)
        return Math.max(...loads.values()) <= (4 / 3) * shortest(costs, count) + 1e-9
      }),
    )
  })
})

/** The least that the most loaded of `count` can have, by trying everything. */
function shortest(costs: readonly number[], count: number): number {
  const loads = Array<number>(count).fill(0)
  const place = (task: number): number => {
    if (task === costs.length) return Math.max(...loads)
    return Math.min(
      ...loads.map((_, i) => {
        loads[i]! += costs[task]!
        const most = place(task + 1)
        loads[i]! -= costs[task]!
        return most
      }),
    )
  }
  return place(0)
}
