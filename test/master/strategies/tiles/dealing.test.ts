import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { weightedRoundRobin } from '../../../../master/strategies/tiles/dealing.ts'
import { team } from '../../../support/strategy-run.ts'

const turnsOf = (speeds: readonly number[]): string => {
  const workers = team(speeds)
  return weightedRoundRobin(workers)
    .map(worker => workers.indexOf(worker))
    .join('')
}

describe('weightedRoundRobin', () => {
  it('gives equals one turn each, in their order', () => {
    expect(turnsOf([1, 1, 1])).toBe('012')
    expect(turnsOf([0.25])).toBe('0')
  })

  it('gives the fast more turns and spreads them', () => {
    expect(turnsOf([1, 0.5, 0.5])).toBe('0120')
    expect(turnsOf([3, 1])).toHaveLength(4)
    expect(turnsOf([1, 1, 0.7])).toHaveLength(27)
  })

  it('gives nothing to who is too slow for a turn in the longest round', () => {
    expect(turnsOf([1, 1, 1e-6])).not.toContain('2')
  })

  it('has nobody more than an eighth above a fair share among speeds that are not worlds apart', () => {
    const speeds = fc.array(fc.double({ min: 0.25, max: 2, noNaN: true }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(speeds, speeds => {
        const workers = team(speeds)
        const turns = weightedRoundRobin(workers)
        const total = speeds.reduce((sum, speed) => sum + speed, 0)
        return workers.every(worker => {
          const got = turns.filter(turn => turn === worker).length / turns.length
          return got / (worker.speed / total) <= 1.125
        })
      }),
    )
  })
})
