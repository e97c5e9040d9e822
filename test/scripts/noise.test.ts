/** Adaptive frames, typed as a user would: a limit that is not met is told of, and is no failure. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { summarySchema } from '../../shared/frame/summary.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { sortfirst } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const lent = lentCluster()

async function rendered(out: string, words: readonly string[]) {
  const picture = ['--size', '32x18', '--integrator', 'path', '--frames', '1', '--out', join(folder, out)]
  const { code, stderr } = await sortfirst(['render', 'corner', ...picture, ...words, ...lent()])
  expect(code, stderr).toBe(0)
  const summary = summarySchema.parse(JSON.parse(readFileSync(join(folder, out, 'summary.json'), 'utf8')))
  return { warnings: summary.warnings, frame: summary.strategies[0]!.frames[0]!, stderr }
}

describe('a noise limit', () => {
  it('that the samples did not suffice for is in a warning and in the summary', async () => {
    const { warnings, frame, stderr } = await rendered('noisy', ['--noise', '0.01', '--samples', '32'])
    const { limit, share, most, samples } = frame.noise!
    expect(limit).toBe(0.01)
    expect(share).toBeGreaterThan(0)
    expect(most).toBeGreaterThan(0.01)
    const advice = samples === undefined ? 'its worst part would need more than' : `--samples ${samples} would.`
    expect(warnings).toEqual([expect.stringContaining(advice)])
    expect(stderr.match(/did not reach --noise 0\.01/g)).toHaveLength(1)
  })

  it('that was met is not', async () => {
    const { warnings, frame, stderr } = await rendered('calm', ['--noise', '1', '--samples', '64'])
    expect(frame.noise).toEqual({ limit: 1, share: 0 })
    expect([warnings, stderr.includes('did not reach')]).toEqual([[], false])
  })
})
