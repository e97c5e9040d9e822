import { expect, test } from 'vitest'
import { briefly } from '../../../../scripts/report/figures/frame-summary.ts'
import { headline } from '../../../../scripts/report/figures/headline.ts'
import { hostLine, pixelAgreement, wallTimeNote } from '../../../../scripts/report/figures/run-facts.ts'
import type { Summary } from '../../../../shared/frame/summary.ts'
import { alone, usual } from '../summaries.ts'

const run = (changes: Partial<Summary>): Summary => ({ ...usual(), ...changes })
const host = { cpu: 'Some CPU', cores: 2, node: 'v20.19.0' }

test('the host’s cores are always told', () => {
  expect(hostLine(run({ host }))).toBe(
    '8 workers, each limited to 0.2 of a core; host with 2 cores (Some CPU, Node.js v20.19.0)',
  )
  expect(hostLine(run({ host, pacing: null }))).toContain('8 workers, unpaced; host')
  expect(hostLine(run({ host, pacing: null, workers: usual().workers.slice(0, 1) }))).toMatch(/^1 worker; host/)
})

test('unequal pacing is listed', () => {
  expect(hostLine(run({ pacing: [0.2, 0.2, 0.1, 0.05, 0.2, 0.2, 0.2, 0.2] }))).toContain('limited to 0.2, 0.2, 0.1')
})

test('wall times are trusted as far as the cores went', () => {
  expect(wallTimeNote(run({ host }))).toContain('those of 8 slower machines, not of time slices')
  expect(wallTimeNote(run({ host, pacing: new Array(8).fill(0.5) }))).toContain(
    'asked for 4 cores, more than there are',
  )
  expect(wallTimeNote(run({ host, pacing: null }))).toMatch(/fewer cores than threads.*CPU clock/)
  expect(wallTimeNote(run({ host: { ...host, cores: 8 }, pacing: null }))).toContain('none had to wait for a core')
})

test('a host with other work is not said to have had a core for each', () => {
  const busy = run({ host: { ...host, cores: 8, otherCores: 1.6 }, pacing: null })
  expect(wallTimeNote(busy)).toContain('8 threads, but other work was on them, and nothing was paced')
  expect(wallTimeNote(run({ host: { ...host, cores: 8, otherCores: 0.1 }, pacing: null }))).toContain(
    'none had to wait',
  )
})

test('workers that were never there at once are not added up', () => {
  const summary = alone()
  const [only] = summary.strategies
  const frames = only!.frames.map((frame, i) => ({
    ...frame,
    ledger: i < 6 ? frame.ledger.slice(0, 2) : frame.ledger.slice(2),
  }))
  const changed = { ...summary, host, strategies: [{ ...only!, frames }] }
  expect(hostLine(changed)).toMatch(/^2 workers, unpaced; host/)
  expect(headline(changed)).toContain('on 2 workers')
  expect(wallTimeNote(changed)).toContain('2 cores for 2 workers and 2 threads: none had to wait')
  // Of very long films one row is kept for all.
  const brief = { ...only!, frames: only!.frames.map(briefly) }
  expect(hostLine({ ...summary, strategies: [brief] })).toMatch(/^3 workers/)
})

test('a cluster that changed during the run is told of', () => {
  const summary = usual()
  const [first, ...rest] = summary.strategies
  const frames = first!.frames.map((frame, i) => (i < 5 ? frame : { ...frame, ledger: frame.ledger.slice(0, 6) }))
  const changed = { ...summary, strategies: [{ ...first!, frames }, ...rest] }
  expect(wallTimeNote(changed)).toContain('Workers came or went during the run: frames were shared by 6 to 8 of them')
  expect(wallTimeNote(summary)).not.toContain('came or went')
})

test('frames with one hash everywhere are byte-identical', () => {
  expect(pixelAgreement(usual())).toEqual({
    identical: true,
    sentence: 'All 20 frames are byte-identical across the 2 strategies (SHA-256 of the raw pixels).',
  })
  expect(pixelAgreement(alone()).identical).toBeUndefined()
})

test('frames that differ are named', () => {
  const summary = usual()
  const frameSha256 = summary.strategies[1]!.frameSha256.map((hash, frame) => (frame % 7 === 3 ? 'f'.repeat(64) : hash))
  const strategies = [summary.strategies[0]!, { ...summary.strategies[1]!, frameSha256 }]
  const { identical, sentence } = pixelAgreement({ ...summary, strategies })
  expect(identical).toBe(false)
  expect(sentence).toMatch(/^3 frames of 20 differ between strategies: 3, 10, 17\./)
})
