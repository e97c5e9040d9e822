/** Frames with only so much time, typed as a user would: why they ended, whatever the machine is like. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { summarySchema } from '../../shared/frame/summary.ts'
import { saidIn } from '../support/complaint.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { sortfirst } from '../support/program.ts'
import { readExr } from '../support/read-exr.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const lent = lentCluster()

const FRAME = ['--size', '32x18', '--frames', '1']
/** No frame is made in this time: it takes a message to a worker and back. */
const [AT_ONCE, EVER] = ['0.001ms', '10h']

async function rendered(out: string, words: readonly string[], cluster = lent()) {
  const into = join(folder, out)
  const { code, stderr } = await sortfirst(['render', 'corner', ...FRAME, '--out', into, ...words, ...cluster])
  expect(code, stderr).toBe(0)
  const summary = summarySchema.parse(JSON.parse(readFileSync(join(into, 'summary.json'), 'utf8')))
  const { frameSha256, frames } = summary.strategies[0]!
  return { summary, sha256: frameSha256[0]!, frame: frames[0]!, into, stderr }
}

describe('--time', () => {
  it('that suffices for all samples leaves frames as they are', async () => {
    const samples = ['--integrator', 'path', '--samples', '21']
    const plain = await rendered('plain', samples)
    const timed = await rendered('timed', ['--time', EVER, ...samples])
    expect(timed.sha256).toBe(plain.sha256)
    expect(timed.frame.endedBy).toBe('samples')
    expect(timed.frame.passes!.map(({ to }) => to)).toEqual([1, 2, 4, 8, 16, 21])
    expect([timed.summary.timeMs, plain.summary.timeMs, plain.frame.endedBy]).toEqual([36e6, undefined, undefined])
    const shared = await rendered('shared', ['--time', EVER, ...samples, '--workers', '2', '--threads', '1'], [])
    expect([shared.sha256, shared.frame.endedBy]).toEqual([plain.sha256, 'samples'])
  })

  it('that suffices for the noise does, too', async () => {
    const { frame } = await rendered('calm', ['--time', EVER, '--noise', '1', '--samples', '128'])
    expect([frame.endedBy, frame.noise]).toEqual(['noise', { limit: 1, share: 0 }])
  })

  it('that is up at once leaves a sample in every pixel, and says so', async () => {
    const files = ['--output', 'png,exr', '--aov', 'samples', '--denoise', 'on']
    const { frame, into, summary, stderr } = await rendered('hasty', ['--time', AT_ONCE, '--noise', '0.01', ...files])
    expect(frame.endedBy).toBe('time')
    expect(frame.noise).toEqual({ limit: 0.01, share: 1, denoised: true })
    expect(summary.warnings).toEqual([expect.stringContaining('did not reach --noise 0.01: --time was up.')])
    expect(stderr).toContain('--time was up.')
    const { channels } = readExr(readFileSync(join(into, '0000.samples.exr')))
    expect(new Set(channels.R)).toEqual(new Set([1]))
    expect(
      readFileSync(join(into, 'frames.csv'), 'utf8')
        .trim()
        .split('\n')
        .map(line => line.split(',').slice(-2)),
    ).toEqual([
      ['ended_by', 'traced_by'],
      ['time', ''],
    ])
  })

  it('leaves frames that are complete, and are not made again', async () => {
    const { into } = await rendered('kept', ['--time', AT_ONCE, '--samples', '4'])
    const resume = (words: readonly string[]) =>
      sortfirst(['render', 'corner', ...FRAME, '--out', into, '--resume', ...words, ...lent()])
    const { code, stderr } = await resume(['--integrator', 'path', '--samples', '4', '--time', '1h'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('1 of 1 frame is complete already')])
  })

  it.each([
    [['--time', 'soon'], "--time: expected a time such as 90s, 10m or 1.5h, above 0 and at most 720 h, got 'soon'"],
    [['--time', '0s'], "got '0s'"],
    [['--time', '-3s'], "got '-3s'"],
    [['--time', '1m', '--shutter', '0.5'], '--time cannot be combined with --shutter'],
    [['--time', '1m', '--passes', '2'], '--time cannot be combined with --passes'],
    [['--time', '1m', '--record', 'a.jsonl'], '--time cannot be combined with --record'],
    [['--time', '1m', '--integrator', 'ambient'], '--time needs --integrator path'],
  ])('%j is refused in a sentence', async (words, says) => {
    const { code, stderr } = await sortfirst(['render', 'corner', ...words])
    expect([code, saidIn(stderr)]).toEqual([2, [expect.stringContaining(says)]])
  })

  it('is none of comparisons, whose frames are to be the same', async () => {
    const { code, stderr } = await sortfirst(['compare', 'corner', '--time', '1m'])
    expect([code, saidIn(stderr)]).toEqual([2, [expect.stringContaining('--time')]])
  })
})
