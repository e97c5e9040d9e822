/** The cluster bench has real clusters render the same frames, and says what each took. No figure is judged. */
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { benchCluster, type TeamFigures } from '../../../scripts/bench/cluster.ts'
import { silentLog } from '../../../shared/text/log.ts'
import { runBench } from '../../support/program.ts'

const mesh = fileURLToPath(new URL('../../../../test/support/tent.obj', import.meta.url))

function expectFigures(figures: TeamFigures, workers: number, threads: number): void {
  expect(figures).toMatchObject({ workers, threads })
  expect(figures.cpuMs).toBeGreaterThan(0)
  expect(figures.frameMs).toBeGreaterThan(0)
}

describe('cluster bench', () => {
  it('measures workers of one thread, one worker with a thread per core, and the counts between', async () => {
    const options = { scene: mesh, size: [64, 36], frames: 3, workers: 2, cores: 3 } as const
    const bench = await benchCluster(options, new AbortController().signal, silentLog)
    expect(bench).toMatchObject({ scene: 'tent.obj', size: [64, 36], frames: 2 })
    expectFigures(bench.shared, 2, 1)
    expectFigures(bench.alone, 1, 3)
    expect(bench.cpuRatio).toBeGreaterThan(0)
    expect(bench.scaling.map(row => row.threads)).toEqual([1, 2, 3])
    for (const row of bench.scaling) expectFigures(row, 1, row.threads)
    expect(bench.scaling[0]?.speedup).toBe(1)
  })

  it('leaves no worker behind when it is interrupted', async () => {
    const options = { scene: mesh, size: [64, 36], frames: 200, workers: 1, cores: 1 } as const
    const abort = new AbortController()
    const log = { ...silentLog, info: (text: string) => (text.startsWith('frame 1 ') ? abort.abort() : undefined) }
    await expect(benchCluster(options, abort.signal, log)).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it('prints two tables, or one JSON document', async () => {
    const args = ['cluster', '--scene', mesh, '--size', '32x18', '--frames', '2', '--workers', '2']
    const plain = await runBench(args)
    expect(plain.code, plain.stderr).toBe(0)
    expect(plain.stdout).toContain('tent.obj')
    expect(plain.stdout).toContain('over one worker')
    expect(plain.stdout).toContain('speed-up')
    const json = await runBench([...args, '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({
      host: { cores: expect.any(Number) },
      scene: 'tent.obj',
      shared: { workers: 2, threads: 1 },
      cpuRatio: expect.any(Number),
    })
  })

  it.each([
    [['--frames', '1'], /--frames: expected a whole number from 2/],
    [['--workers', '0'], /--workers: expected a whole number from 1/],
    [['--scene', 'nowhere.ply'], /nowhere\.ply/],
  ])('refuses %j', async (args, sentence) => {
    const { code, stdout, stderr } = await runBench(['cluster', ...args])
    expect(code).toBe(2)
    expect(stderr.trim().split('\n').at(-1)).toMatch(sentence)
    expect(stdout).toBe('')
  })
})
