/** A short `bench soak`, and what judges a long one. */
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { benchSoak, expectNothingLost, type SoakBench } from '../../../scripts/bench/soak/bench-soak.ts'
import { Latencies } from '../../../scripts/bench/soak/latencies.ts'
import { isPainted, paint } from '../../../scripts/bench/soak/painting.ts'
import { growth } from '../../../scripts/bench/soak/resident.ts'
import { frameRect, type Size, splitRect } from '../../../shared/frame/rect.ts'
import { runBench } from '../../support/program.ts'

describe('bench soak', () => {
  it('renders on fake workers for several clients, and loses nothing', async () => {
    const args = [
      '--workers',
      '12',
      '--clients',
      '3',
      '--minutes',
      '0.03',
      '--size',
      '160x90',
      '--px-per-ms',
      '200',
      '--json',
    ]
    const { code, stdout, stderr } = await runBench(['soak', ...args])
    expect(code, stderr).toBe(0)
    const bench = JSON.parse(stdout) as SoakBench
    expect(bench).toMatchObject({ workers: 12, clients: 3, lost: 0, wrong: 0, drops: 0, problems: [] })
    expect(bench.frames).toBeGreaterThan(5)
    expect(bench.metrics.ms).toBeGreaterThan(0)
    // A thousand workers have no more lines than one.
    expect(bench.metrics.bytes).toBeGreaterThan(1000)
    expect(bench.metrics.bytes).toBeLessThan(100_000)
    expect(bench.dispatchMs.count).toBeGreaterThan(0)
    expect(bench.dispatchMs.p50).toBeLessThanOrEqual(bench.dispatchMs.p99!)
  })

  it('watches real workers, whose frames have the same bytes whenever they come again', async () => {
    const args = ['--real', '--workers', '2', '--frames', '40', '--size', '64x36', '--json']
    const { code, stdout, stderr } = await runBench(['soak', ...args])
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ real: true, frames: 48, lost: 0, wrong: 0, drops: null, problems: [] })
  })

  it.skipIf(process.platform === 'win32')('ends with its master, although its workers look on', async () => {
    const options = { workers: 300, minutes: 1, most: 1, real: false, clients: 1, pxPerMs: 10 }
    const size: Size = [64, 36]
    const bench = benchSoak({ ...options, size, strategy: 'demand-driven' }, new AbortController().signal, () => {})
    let isOver = false
    const over = () => {
      isOver = true
    }
    bench.then(over, over)
    const children = (what: string) =>
      `${execFileSync('ps', ['-o', 'pid=,args=', '--ppid', `${process.pid}`])}`
        .split('\n')
        .filter(line => line.includes(what))
        .map(line => Number.parseInt(line, 10))
    while (children(' fake-workers ').length === 0 && !isOver) await new Promise(resolve => setImmediate(resolve))
    for (const pid of children(' master ')) process.kill(pid, 'SIGKILL')
    await expect(bench).rejects.toThrow()
  })

  it('refuses what makes no sense', async () => {
    const wrong = await runBench(['soak', '--minutes', 'long'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--minutes')])
    const unknown = await runBench(['soak', '--strategy', 'hope'])
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('hope')])
  })

  it('fails with what was lost', () => {
    const bench = { lost: 2, frames: 5, problems: ['frame 3 has other pixels'] } as unknown as SoakBench
    expect(() => expectNothingLost(bench)).toThrow('2 of 7 frames were lost, expected none: frame 3 has other pixels')
  })
})

describe('painted frames', () => {
  const size: Size = [60, 34]

  it('are the same in tiles, and others are not taken for them', () => {
    const whole = new Uint8Array(60 * 34 * 3)
    for (const rect of splitRect(frameRect(size), 'y', 11)) whole.set(paint(7, { rect }), rect.y * 60 * 3)
    expect(isPainted(7, size, whole)).toBe(true)
    expect(isPainted(8, size, whole)).toBe(false)
    whole[1000]! ^= 1
    expect(isPainted(7, size, whole)).toBe(false)
    expect(isPainted(7, size, whole.subarray(3))).toBe(false)
  })
})

describe('latencies', () => {
  it('have quantiles to 1 %, also those of several processes', () => {
    const [one, all] = [new Latencies(), new Latencies()]
    for (let i = 1; i <= 1000; i++) (i % 2 === 0 ? one : all).add(i / 10)
    all.addAll(JSON.parse(JSON.stringify(one.counts)))
    expect(all.size).toBe(1000)
    for (const [at, ms] of [
      [0.5, 50],
      [0.99, 99],
      [1, 100],
    ] as const)
      expect(Math.abs(all.quantile(at)! / ms - 1)).toBeLessThan(0.015)
    expect(new Latencies().quantile(0.5)).toBeNull()
  })
})

describe('growth', () => {
  const over = (mib: (seconds: number) => number) =>
    growth(Array.from({ length: 101 }, (_, seconds) => ({ seconds, mib: mib(seconds) })))

  it('is what is added after warm-up', () => {
    expect(over(seconds => Math.min(200, 100 + 10 * seconds))).toBe(0)
    expect(over(seconds => (seconds === 70 ? 900 : 200))).toBe(0)
    // From 40 s to 90 s, at the middle of both parts.
    expect(over(seconds => 100 + seconds)).toBeCloseTo(190 / 140 - 1, 2)
  })

  it('is unknown after a moment', () => {
    expect(growth([])).toBeNull()
    expect(growth([{ seconds: 1, mib: 5 }])).toBeNull()
  })
})
