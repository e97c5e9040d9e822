/** A comparison that was interrupted goes on: what is complete is not made again, and what was made in another way is refused. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { summarySchema } from '../../shared/frame/summary.ts'
import { sortfirst, start } from '../support/program.ts'
import { framesIn } from '../support/report-frames.ts'

const mesh = fileURLToPath(new URL('../../../test/support/tent.obj', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const picture = ['--size', '64x36', '--samples', '1', '--ambient-rays', '1', '--workers', '2', '--worker-cores', 'off']
const args = (out: string, frames: number, ...more: string[]) => [
  ...['compare', mesh, ...picture, '--frames', `${frames}`, '--strategies', 'static-blocks,pbt'],
  ...['--out', join(folder, out), ...more],
]
const summaryIn = (text: string) => summarySchema.parse(JSON.parse(text))
/** So many that the second strategy is not done when it is interrupted after its first frames. */
const FRAMES = 150
/** Frames that a run has made, as it tells on standard error, where one that takes long has lines of its progress, too. */
const made = (stderr: string) => [...stderr.matchAll(/^(\S+) +frame +\d+ +\d+\/\d+ /gm)].map(([, name]) => name)

describe('an interrupted comparison', () => {
  it('goes on with the strategy that was not complete', async () => {
    const run = start(args('cut', FRAMES))
    await run.line(/^pbt +frame +1 /)
    expect(await run.stop('SIGINT')).toBe(130)
    await run.line(/^1 of 2 runs are complete in .*cut; --resume makes the others$/)
    const kept = statSync(join(folder, 'cut', 'static-blocks', 'run-1.json')).mtimeMs

    const again = await sortfirst(args('cut', FRAMES, '--resume', '--json'))
    expect(again.code, again.stderr).toBe(0)
    expect(again.stderr).toContain('1 of 2 runs exist already')
    expect(again.stderr).not.toContain('no comparison to go on with')
    expect(made(again.stderr)).toEqual(Array.from({ length: FRAMES }, () => 'pbt'))
    expect(statSync(join(folder, 'cut', 'static-blocks', 'run-1.json')).mtimeMs).toBe(kept)
    const [blocks, pbt] = summaryIn(again.stdout).strategies
    expect(blocks!.frameSha256).toEqual(pbt!.frameSha256)
    expect(readFileSync(join(folder, 'cut', 'report.html'), 'utf8')).toContain('One frame, worker by worker')
  })
})

it('a comparison of which there is nothing begins with its first run, and says so', async () => {
  const { code, stderr } = await sortfirst(args('nothing', 1, '--resume'))
  expect(code, stderr).toBe(0)
  expect(stderr).toContain(`${join(folder, 'nothing')} has no comparison to go on with: all runs are made`)
  expect(made(stderr)).toEqual(['static-blocks', 'pbt'])
})

describe('a complete comparison', () => {
  const out = join(folder, 'whole')
  let first: ReturnType<typeof summaryIn>
  beforeAll(async () => {
    const run = await sortfirst(args('whole', 3, '--json'))
    expect(run.code, run.stderr).toBe(0)
    first = summaryIn(run.stdout)
  })

  it('makes nothing again, and says the same, of each frame as well', async () => {
    const frames = framesIn(join(out, 'report.html'))
    expect(frames.runs.map(run => [run.name, run.frames.length])).toEqual([
      ['static-blocks', 3],
      ['pbt', 3],
    ])
    expect(frames.pictures.map(({ frame }) => frame)).toEqual([0, 1, 2])
    const { stdout, stderr, code } = await sortfirst(args('whole', 3, '--resume', '--json'))
    expect(code, stderr).toBe(0)
    expect(made(stderr)).toEqual([])
    expect(stderr).not.toMatch(/workers (on|are)/)
    expect(summaryIn(stdout)).toEqual(first)
    expect(framesIn(join(out, 'report.html'))).toEqual(frames)
  })

  it('is repeated by further rounds', async () => {
    const { stdout, stderr } = await sortfirst(args('whole', 3, '--resume', '--repeat', '2', '--json'))
    expect(stderr).toContain('2 of 4 runs exist already')
    expect(made(stderr)).toEqual(['static-blocks', 'static-blocks', 'static-blocks', 'pbt', 'pbt', 'pbt'])
    const { repeats, strategies } = summaryIn(stdout)
    expect(repeats).toBe(2)
    expect(strategies[0]!.rounds![0]!.frameMs).toEqual(first.strategies[0]!.frames.map(frame => frame.frameMs))
  })

  it('of an earlier release had no accelerators', async () => {
    const path = join(out, 'compare.json')
    const saved = readFileSync(path, 'utf8')
    const older = JSON.parse(saved)
    delete older.conditions.cluster.accelerators
    writeFileSync(path, JSON.stringify(older))
    const { stderr, code } = await sortfirst(args('whole', 3, '--resume'))
    writeFileSync(path, saved)
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('2 of 2 runs exist already')
  })

  it('makes a run again whose frames or numbers are not what they were', async () => {
    rmSync(join(out, 'static-blocks', '0001.png'))
    writeFileSync(join(out, 'pbt', 'run-1.json'), '{"version":1')
    const { code, stderr } = await sortfirst(args('whole', 3, '--resume'))
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('0 of 2 runs exist already')
    expect(made(stderr)).toHaveLength(6)
  })

  it.each<[string, string[], string]>([
    ['other samples', ['--samples', '2'], 'expected the --samples of the existing runs, 1, got 2; use the same'],
    ['another size', ['--size', '32x32'], 'expected the size of the existing runs, [64,36], got [32,32]'],
    ['other workers', ['--workers', '1'], 'expected the cluster of the existing runs'],
    ['an accelerator', ['--accelerator', 'simulated:2'], '"accelerators":["simulated:2"]'],
    ['other strategies', ['--strategies', 'pbt'], 'expected the strategies of the existing runs'],
    ['a trace, which would lack runs', ['--trace', join(folder, 'x.json')], '--trace cannot be combined with --resume'],
    ['a recording as well', ['--record', join(folder, 'x.ndjson')], '--record cannot be combined with --resume'],
  ])('refuses %s with a sentence', async (_, more, sentence) => {
    const { code, stdout, stderr } = await sortfirst(args('whole', 3, '--resume', ...more))
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.trim().split('\n').at(-1)).toContain(sentence)
    expect(stderr).not.toMatch(/^ +at /m)
  })

  it('begun afresh takes no run of the one before', async () => {
    const { stderr } = await sortfirst(args('whole', 3))
    expect(made(stderr)).toHaveLength(6)
  })
})
