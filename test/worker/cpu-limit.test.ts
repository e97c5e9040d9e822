import { describe, expect, it } from 'vitest'
import { cpuLimit, givenThreads } from '../../worker/cpu-limit.ts'

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

describe('threads of --threads auto', () => {
  it.each([
    ['all cores elsewhere', {}, 8, 8],
    ['whole cores of a quota', {}, 2.7, 2],
    ['one at least', {}, 0.2, 1],
    ['what a task of Slurm was given', { SLURM_CPUS_PER_TASK: '3', SLURM_CPUS_ON_NODE: '6' }, 8, 3],
    ['or else its job on this node', { SLURM_CPUS_ON_NODE: '6' }, 8, 6],
    ['no more than it is held to', { SLURM_CPUS_PER_TASK: '16' }, 4, 4],
    ['nothing of what cannot be read', { SLURM_CPUS_PER_TASK: '', SLURM_CPUS_ON_NODE: '2(x3)' }, 4, 4],
  ])('are %s', (_, env, cores, threads) => {
    expect(givenThreads(env, cores)).toBe(threads)
  })
})
