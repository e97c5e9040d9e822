import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chromeTrace } from '../../../scripts/report/chrome-trace.ts'
import { withTraceFile } from '../../../scripts/run/trace-file.ts'
import { manyWorkers, strategyRun } from '../report/synthetic-run.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = strategyRun('pbt', 'by-cost', manyWorkers(2), 2)

test('holds what came in, as one JSON document, in a folder made for it', async () => {
  const path = join(folder, 'new', 'trace.json')
  const answer = await withTraceFile(path, async trace => {
    await trace?.begin(run.name)
    for (const report of run.reports) await trace?.frame(report)
    expect(readdirSync(join(folder, 'new'))).toEqual([expect.stringMatching(/^\.trace\.json\..*\.part$/)])
    return 42
  })
  expect(answer).toBe(42)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ displayTimeUnit: 'ms', traceEvents: chromeTrace([run]) })
  expect(readdirSync(join(folder, 'new'))).toEqual(['trace.json'])
})

test('is whole if two runs write it at once: that of the last one to finish', async () => {
  const path = join(folder, 'trace.json')
  const write = (name: string, meanwhile: () => Promise<void>) =>
    withTraceFile(path, async trace => {
      await trace?.begin(name)
      await meanwhile()
      for (const report of run.reports) await trace?.frame(report)
    })
  await write('first', () => write('second', async () => {}))
  expect(readFileSync(path, 'utf8')).toContain('first')
  expect(() => JSON.parse(readFileSync(path, 'utf8'))).not.toThrow()
  // One that fails takes nothing with it.
  await write('third', async () => {
    const failing = write('fourth', () => Promise.reject(new Error('on fire')))
    await expect(failing).rejects.toThrow('on fire')
  })
  expect(JSON.parse(readFileSync(path, 'utf8')).traceEvents.length).toBeGreaterThan(0)
  expect(readdirSync(folder)).toEqual(['trace.json'])
})

test('is absent when the run failed, and an older one stays when nothing was traced', async () => {
  const path = join(folder, 'trace.json')
  writeFileSync(path, 'older')
  const failing = withTraceFile(path, async trace => {
    await trace?.begin('pbt')
    throw new Error('on fire')
  })
  await expect(failing).rejects.toThrow('on fire')
  await withTraceFile(path, async () => {})
  expect(readFileSync(path, 'utf8')).toBe('older')
  expect(readdirSync(folder)).toEqual(['trace.json'])
})

test('says before anything else that it cannot be written', async () => {
  let begun = false
  const work = async () => {
    begun = true
  }
  writeFileSync(join(folder, 'file'), '')
  await expect(withTraceFile(folder, work)).rejects.toThrow(/^--trace .*: expected a writable file, got a folder$/)
  await expect(withTraceFile(join(folder, 'file', 'below.json'), work)).rejects.toThrow(
    /^--trace .*below\.json: expected a writable file/,
  )
  expect(begun).toBe(false)
})

test('is not wanted by everybody', async () => {
  expect(await withTraceFile(undefined, async trace => trace)).toBeUndefined()
})
