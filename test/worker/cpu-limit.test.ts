import { describe, expect, it } from 'vitest'
import { cpuLimit } from '../../worker/cpu-limit.ts'

const files = (content: Record<string, string>) => (path: string) => content[path.replace('/sys/fs/cgroup/', '')]

describe('the CPU limit', () => {
  it.each([
    ['cgroup v2 with a quota', { 'cpu.max': '20000 100000\n' }, 0.2],
    ['cgroup v2 without', { 'cpu.max': 'max 100000\n' }, undefined],
    ['cgroup v1 with a quota', { 'cpu/cpu.cfs_quota_us': '150000\n', 'cpu/cpu.cfs_period_us': '100000\n' }, 1.5],
    ['cgroup v1 without', { 'cpu/cpu.cfs_quota_us': '-1\n', 'cpu/cpu.cfs_period_us': '100000\n' }, undefined],
    ['no control groups', {}, undefined],
  ])('is read from %s', (_, content, expected) => {
    expect(cpuLimit(files(content as Record<string, string>))).toBe(expected)
  })
})
