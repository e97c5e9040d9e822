/** `--log json`, typed as a user would: every line of standard error is an object of the schema. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type LogLine, logLineSchema } from '../../scripts/terminal/log-line.ts'
import { summarySchema } from '../../shared/frame/summary.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { sortfirst, start } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const lent = lentCluster()

const parsed = (lines: readonly string[]): LogLine[] => lines.map(line => logLineSchema.parse(JSON.parse(line)))
const linesOf = (text: string): string[] => text.trimEnd().split('\n')

describe('--log json', () => {
  it('of render has a line for the film, one for each frame, and messages', async () => {
    const words = ['--size', '32x18', '--frames', '2', '--out', join(folder, 'film'), '--log', 'json', '--json']
    const { code, stdout, stderr } = await sortfirst(['render', 'corner', ...words, ...lent()])
    expect(code, stderr).toBe(0)
    const lines = parsed(linesOf(stderr))
    expect(lines.filter(({ event }) => event === 'begin')).toHaveLength(1)
    const frames = lines.flatMap(line => (line.event === 'frame' ? [line] : []))
    expect(frames.map(({ frame, done, frames }) => [frame, done, frames])).toEqual([
      [0, 1, 2],
      [1, 2, 2],
    ])
    expect(lines.some(line => line.event === 'message' && line.text.startsWith('scene corner:'))).toBe(true)
    // What is printed stays as it is.
    expect(summarySchema.parse(JSON.parse(stdout)).frames).toBe(2)
  })

  it('of compare says which strategy frames are of', async () => {
    const words = ['--size', '32x18', '--frames', '1', '--workers', '2', '--strategies', 'pbt,scatter']
    const out = ['--out', join(folder, 'compared'), '--log', 'json']
    const { code, stderr } = await sortfirst(['compare', 'corner', ...words, ...out])
    expect(code, stderr).toBe(0)
    const frames = parsed(linesOf(stderr)).flatMap(line => (line.event === 'frame' ? [line.strategy] : []))
    expect(frames).toEqual(['pbt', 'scatter'])
  })

  it.each([
    [['render', 'no-such-scene', '--log', 'json']],
    [['render', 'corner', '--log', 'json', '--samples', 'many']],
    [['render', 'corner', '--log', 'json', '--no-such-option']],
  ])('%j ends with an error in JSON', async words => {
    const { code, stderr } = await sortfirst(words)
    const last = parsed(linesOf(stderr)).at(-1)!
    expect(last).toMatchObject({ event: 'error', level: 'error', exitCode: code })
    expect(code).toBe(2)
  })

  it('is text or json', async () => {
    const { code, stderr } = await sortfirst(['render', 'corner', '--log', 'xml'])
    expect([code, linesOf(stderr)]).toEqual([2, [expect.stringContaining("unknown form of the log 'xml'")]])
  })

  it('of a master and its worker has messages', async () => {
    const master = start(['master', '--listen', '127.0.0.1:0', '--log', 'json'])
    const [address] = /ws:\/\/[\w.:]+/.exec(await master.line(/ws:/))!
    const worker = start(['worker', address!, '--no-cache'], { SORTFIRST_LOG: 'json' })
    await worker.line(/joined|connected|registered/)
    await worker.stop('SIGTERM')
    await master.stop('SIGTERM')
    for (const { lines } of [master, worker]) {
      expect(lines.length).toBeGreaterThan(0)
      for (const { event } of parsed(lines)) expect(event).toBe('message')
    }
  })
})
