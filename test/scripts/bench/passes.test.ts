/** A short `bench passes`, and what judges a long one. */
import { describe, expect, it } from 'vitest'
import { expectPreviews, type PassesBench } from '../../../scripts/bench/passes/bench-passes.ts'
import { NoisyLight } from '../../../scripts/bench/passes/noisy-light.ts'
import { runBench } from '../../support/program.ts'

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await runBench(['passes', '--size', '160x96', ...args, '--json'])
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as PassesBench
}

describe('bench passes', () => {
  it('says how long workers wait between passes, and that previews came', async () => {
    const bench = await run('--passes', '3', '--progressive', '--frames', '2')
    expect(bench).toMatchObject({ workers: 2, frames: 2, passes: 3, adaptive: false, previews: 4 })
    expect(bench.betweenMs.all).toHaveLength(4)
    expect(bench.betweenMs.median).toBeLessThanOrEqual(bench.betweenMs.max)
    for (const list of [bench.finishMs, bench.frameMs, bench.sha256]) expect(list).toHaveLength(2)
    expect(bench.lateMs.p99).toBeLessThanOrEqual(bench.lateMs.max)
    // It is a function of place and samples, whatever the frame.
    expect(new Set(bench.sha256).size).toBe(1)
  })

  it('has adaptive frames go on with half of the picture', async () => {
    const bench = await run('--passes', '3', '--adaptive')
    expect(bench).toMatchObject({ adaptive: true, progressive: false, previews: 0 })
    expect(bench.betweenMs.all).toHaveLength(2)
  })

  it('refuses what makes no sense', async () => {
    for (const [option, value] of [
      ['--passes', '1'],
      ['--size', 'large'],
    ] as const) {
      const wrong = await runBench(['passes', option, value])
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining(option)])
    }
  })

  it('fails if a preview was asked for and none came', () => {
    expect(() => expectPreviews({ progressive: true, previews: 0 } as PassesBench)).toThrow('no preview came')
    expect(() => expectPreviews({ progressive: true, previews: 1 } as PassesBench)).not.toThrow()
    expect(() => expectPreviews({ progressive: false, previews: 0 } as PassesBench)).not.toThrow()
  })
})

it('light of the bench is the same in whatever tiles it is drawn, calm on the left, and different in every range of samples', () => {
  const light = new NoisyLight([40, 20], 8)
  const range = { from: 2, to: 4 }
  const whole = light.draw({ rect: { x: 0, y: 0, w: 40, h: 20 } }, range)
  const part = new NoisyLight([40, 20], 8).draw({ rect: { x: 17, y: 5, w: 9, h: 3 } }, range)
  for (let row = 0; row < 3; row++)
    expect(part.subarray(row * 27, row * 27 + 27)).toEqual(
      whole.subarray(((5 + row) * 40 + 17) * 3, ((5 + row) * 40 + 26) * 3),
    )
  expect(new Set(whole.subarray(0, 60)).size).toBe(1)
  expect(new Set(whole.subarray(60, 120)).size).toBe(60)
  expect(light.draw({ rect: { x: 0, y: 0, w: 40, h: 20 } }, { from: 4, to: 6 })).not.toEqual(whole)
})
