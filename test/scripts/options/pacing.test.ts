import { describe, expect, it } from 'vitest'
import { describePacing, resolvePacing } from '../../../scripts/options/groups/pacing.ts'

const base = { count: 8, threads: 1, cores: 2, shares: 'auto' as const }

describe('pacing', () => {
  it('holds workers to an equal share when they outnumber the cores, and leaves some for the master', () => {
    const pacing = resolvePacing(base)
    expect(pacing.shares).toEqual(Array(8).fill(0.2))
    expect(pacing.speeds).toEqual(Array(8).fill(1))
    expect(describePacing(pacing, 8, 1, 2)).toContain('8 workers on 2 cores, each limited to 0.2 of a core')
  })

  it('lets workers run freely where there are cores enough, or when told to', () => {
    expect(resolvePacing({ ...base, cores: 8 }).shares).toBeNull()
    expect(resolvePacing({ ...base, shares: 'off' }).shares).toBeNull()
    expect(resolvePacing({ ...base, cores: 8, threads: 2 }).shares).not.toBeNull()
    expect(describePacing(resolvePacing({ ...base, count: 1 }), 1, 1, 2)).toBe('1 worker on 2 cores')
  })

  it('takes unequal shares and says how fast each worker is beside the fastest', () => {
    const pacing = resolvePacing({ ...base, count: 4, shares: [0.2, 0.2, 0.1, 0.05] })
    expect(pacing).toEqual({ shares: [0.2, 0.2, 0.1, 0.05], speeds: [1, 1, 0.5, 0.25] })
    expect(resolvePacing({ ...base, count: 3, shares: [0.3] }).shares).toEqual([0.3, 0.3, 0.3])
  })

  it('refuses shares that do not match the workers', () => {
    expect(() => resolvePacing({ ...base, shares: [0.2, 0.1] })).toThrow(
      '--worker-cores: expected one share, or one for each of the 8 workers, got 2 shares',
    )
  })
})
