/** The migration bench traces what it says, and tells. No figure is judged. */
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { benchMigration } from '../../../scripts/bench/migration.ts'
import { silentLog } from '../../../shared/log.ts'
import { sortfirst } from '../../support/program.ts'

const mesh = fileURLToPath(new URL('../../../../test/support/tent.obj', import.meta.url))

describe('bench migration', () => {
  it('compares objects that stayed with those that came, and with cold caches', async () => {
    const options = { scene: mesh, size: [128, 96], workers: 3, rounds: 2 } as const
    const bench = await benchMigration(options, new AbortController().signal, silentLog)
    expect(bench).toMatchObject({ scene: 'tent.obj', workers: 3, rounds: 2 })
    expect(bench.placements.map(({ placement }) => placement)).toEqual(['in contiguous blocks', 'dealt over the frame'])
    for (const { objects, cases } of bench.placements) {
      // 4 x 3 objects of 32 px would be too few for three workers.
      expect(objects).toBe(8 * 6)
      expect(cases.map(row => row.case)).toEqual(['kept', 'moved', 'cold'])
      expect(cases[0]).toMatchObject({ ratio: 1, quartiles: [1, 1], msPerObject: 0 })
      for (const { frameMs } of cases) expect(frameMs).toBeGreaterThan(0)
    }
  })

  it('ends when it is interrupted', async () => {
    const options = { scene: mesh, size: [64, 32], workers: 2, rounds: 1 } as const
    await expect(benchMigration(options, AbortSignal.abort(), silentLog)).rejects.toThrow()
  })

  it('prints a table, or one JSON document', async () => {
    const args = ['bench', 'migration', '--scene', mesh, '--size', '64x48', '--workers', '2', '--rounds', '1']
    const [plain, json] = await Promise.all([sortfirst(args), sortfirst([...args, '--json'])])
    expect(plain.code, plain.stderr).toBe(0)
    expect(plain.stdout).toContain('another worker’s objects')
    expect(JSON.parse(json.stdout)).toMatchObject({ host: { cores: expect.any(Number) }, workers: 2, rounds: 1 })
  })

  it.each([
    [['--workers', '1'], /--workers: expected a whole number from 2/],
    [['--rounds', 'many'], /--rounds: expected a whole number from 1/],
  ])('refuses %j', async (args, sentence) => {
    const { code, stderr } = await sortfirst(['bench', 'migration', ...args])
    expect(code).toBe(2)
    expect(stderr).toMatch(sentence)
  })
})
