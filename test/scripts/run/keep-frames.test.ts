import { describe, expect, it } from 'vitest'
import { strategyByName } from '../../../master/strategies/index.ts'
import type { RunGiven } from '../../../scripts/options/groups/index.ts'
import { type RunOptions, resolveRunOptions } from '../../../scripts/options/run.ts'
import { checkpointEvery, keptPasses, keptPassesOf } from '../../../scripts/run/keep-frames.ts'

const resolved = (given: RunGiven): RunOptions =>
  resolveRunOptions(
    'dragon',
    { integrator: 'path', ...given },
    { command: 'render', cores: 2, chosen: [strategyByName('predictive')] },
  )

describe('frames are kept', () => {
  it('every minute, as often as wanted, or not at all', () => {
    expect(checkpointEvery(resolved({}))).toBe(60)
    expect(checkpointEvery(resolved({ checkpoint: 5 }))).toBe(5)
    expect(checkpointEvery(resolved({ checkpoint: 0 }))).toBeUndefined()
    expect(checkpointEvery(resolved({ verify: 0.1, workers: 2 }))).toBeUndefined()
    expect(checkpointEvery(resolved({ time: 60 }))).toBeUndefined()
    expect(checkpointEvery(resolved({ master: 'ws://there:7411' }))).toBe(60)
  })
})

describe('a long still', () => {
  const still = { size: [1920, 1080], samples: 1024, frames: { firstFrame: 0, frames: 1 } } as const

  it('of one worker has passes, of so few samples that eight rows are soon traced', () => {
    const { passes } = keptPasses(resolved(still))
    expect(passes).toBe(keptPassesOf([1920, 1080], 1024))
    expect((1920 * 8 * 1024) / passes).toBeLessThanOrEqual(2 ** 21)
    expect((1920 * 8 * 1024) / passes).toBeGreaterThan(2 ** 20)
  })

  it.each<[string, RunGiven]>([
    ['that nobody keeps', { checkpoint: 0 }],
    ['of several workers', { workers: 2 }],
    ['with passes of its own', { passes: 3 }],
    ['with a noise limit', { noise: 0.02 }],
    ['with motion blur', { shutter: 0.5 }],
    ['that is recorded', { record: 'costs' }],
    ['that is none', { samples: 1 }],
  ])('%s has those that it had', (_, given) => {
    const options = resolved({ ...still, ...given })
    expect(keptPasses(options)).toBe(options)
  })
})
