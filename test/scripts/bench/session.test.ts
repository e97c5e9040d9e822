/** The session bench starts a master and workers, and says what those have who come back. No figure of time is judged. */
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { benchSession } from '../../../scripts/bench/session.ts'
import { silentLog } from '../../../shared/text/log.ts'
import { runBench } from '../../support/program.ts'

const mesh = fileURLToPath(new URL('../../../../test/support/tent.obj', import.meta.url))

describe('session bench', () => {
  it('measures renders that begin, a worker that comes back, and frames that are given up', async () => {
    const options = { scene: mesh, size: [160, 90], workers: 2, rounds: 2, slowFrameMs: 200 } as const
    const bench = await benchSession(options, new AbortController().signal, silentLog)
    expect(bench).toMatchObject({ scene: 'tent.obj', size: [160, 90], workers: 2, rounds: 2 })
    for (const ms of [bench.firstRenderMs, bench.secondRenderMs, bench.nextFrameMs, bench.abandonMs, bench.slowFrameMs])
      expect(ms).toBeGreaterThan(0)
    expect(bench.sceneBytes).toBeGreaterThan(100)
    expect(bench.reconnectBytes).toBe(0)
  })

  it('leaves nothing behind when it is interrupted', async () => {
    const options = { scene: mesh, size: [64, 36], workers: 1, rounds: 100 } as const
    const abort = new AbortController()
    const log = { ...silentLog, info: (text: string) => (text.startsWith('the first ') ? abort.abort() : undefined) }
    await expect(benchSession(options, abort.signal, log)).rejects.toThrow('aborted')
  })

  it('prints a table, or one JSON document', async () => {
    const args = ['session', '--scene', mesh, '--size', '64x36', '--workers', '1', '--rounds', '1']
    const [json, plain] = await Promise.all([runBench([...args, '--json']), runBench(args)])
    expect(json.code, json.stderr).toBe(0)
    expect(JSON.parse(json.stdout)).toMatchObject({
      host: { cores: expect.any(Number) },
      scene: 'tent.obj',
      secondRenderMs: expect.any(Number),
      reconnectBytes: 0,
      abandonMs: expect.any(Number),
    })
    expect(plain.code, plain.stderr).toBe(0)
    expect(plain.stdout).toContain('a second render starts')
    expect(plain.stdout).toContain('1 round')
  })

  it.each([
    [['--workers', '0'], /--workers: expected a whole number from 1/],
    [['--rounds', '0'], /--rounds: expected a whole number from 1/],
    [['--scene', 'nowhere.ply'], /nowhere\.ply/],
  ])('refuses %j', async (args, sentence) => {
    const { code, stdout, stderr } = await runBench(['session', ...args])
    expect(code).toBe(2)
    expect(stderr.trim().split('\n').at(-1)).toMatch(sentence)
    expect(stdout).toBe('')
  })
})
