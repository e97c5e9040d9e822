/** What is said in JSON of a run, on a clock that is advanced by hand; and when that is asked for. */
import { describe, expect, it } from 'vitest'
import { asksForJson, jsonLog, logLine } from '../../../scripts/terminal/json-log.ts'
import { logLineSchema } from '../../../scripts/terminal/log-line.ts'
import { jsonProgress } from '../../../scripts/terminal/progress.ts'

const NOW = new Date('2026-11-24T18:00:00.125Z')
const TIME = NOW.toISOString()
const PART = { frame: 3, elapsedMs: 10_000, pass: 2, passes: 7, samples: 16, mostSamples: 512 }

function lines() {
  const written: string[] = []
  let now = 0
  const progress = jsonProgress(
    text => written.push(text),
    () => now,
    () => NOW,
  )
  const said = () => written.splice(0).map(text => logLineSchema.parse(JSON.parse(text)))
  return { said, written, progress, at: (time: number) => (now = time) }
}

describe('progress in JSON', () => {
  it('has the fields of onProgress, the percent that are done, and the time to go', () => {
    const { said, progress } = lines()
    progress.begin('', 1)
    const adaptive = { ...PART, least: 0.2, most: 0.5, settled: 0.31 }
    progress.within(adaptive)
    progress.within({ ...PART, least: 0.299, most: 0.299 })
    expect(said()).toEqual([
      { time: TIME, level: 'info', event: 'begin', frames: 1 },
      {
        ...{ time: TIME, level: 'info', event: 'progress', ...adaptive, percent: 20 },
        secondsToGo: { least: 10, most: 40 },
      },
      {
        ...{ time: TIME, level: 'info', event: 'progress', ...PART, least: 0.299, most: 0.299, percent: 29 },
        secondsToGo: { least: expect.closeTo(23.4, 1), most: expect.closeTo(23.4, 1) },
      },
    ])
  })

  it('counts complete frames, and tells of balance only where there is one', () => {
    const { said, progress, at } = lines()
    const figures = { epsilonCpu: 0.125, epsilonWall: 0.25, workers: [] } as const
    const report = { frame: 0, frameMs: 1000, ...figures, size: [16, 9], endedBy: 'time' } as const
    progress.begin('pbt', 2)
    at(1000)
    progress.frame(report)
    progress.end()
    progress.begin('', 1)
    progress.frame({ ...report, frame: 7 })
    expect(said()).toEqual([
      { time: TIME, level: 'info', event: 'begin', strategy: 'pbt', frames: 2 },
      {
        ...{ time: TIME, level: 'info', event: 'frame', strategy: 'pbt', frame: 0, done: 1, frames: 2 },
        ...{ frameMs: 1000, epsilonCpu: 0.125, endedBy: 'time', secondsToGo: { least: 1, most: 1 } },
      },
      { time: TIME, level: 'info', event: 'begin', frames: 1 },
      {
        ...{ time: TIME, level: 'info', event: 'frame', frame: 7, done: 1, frames: 1 },
        ...{ frameMs: 1000, endedBy: 'time' },
      },
    ])
  })

  it('says everything else in messages, one a line, whatever is in them', () => {
    const { said, written, progress } = lines()
    progress.info('a\nb')
    expect(written[0]).not.toContain('\n')
    progress.warn('c "d"')
    expect(said()).toEqual([
      { time: TIME, level: 'info', event: 'message', text: 'a\nb' },
      { time: TIME, level: 'warning', event: 'message', text: 'c "d"' },
    ])
    jsonLog(
      text => written.push(text),
      () => NOW,
    ).info('e')
    expect(written).toEqual([logLine({ event: 'message', text: 'e' }, NOW)])
  })
})

it.each<[words: string[], env: NodeJS.ProcessEnv, expected: boolean]>([
  [['render', 'corner', '--log', 'json'], {}, true],
  [['render', 'corner', '--log=json'], {}, true],
  [['render', 'corner', '--log', 'json', '--log', 'text'], {}, false],
  [['render', 'corner'], { SORTFIRST_LOG: 'json' }, true],
  [['render', 'corner', '--log', 'text'], { SORTFIRST_LOG: 'json' }, false],
  [['render', 'corner', '--log'], {}, false],
  [['render', 'json'], {}, false],
])('%j with %j asks for JSON: %s', (words, env, expected) => {
  expect(asksForJson(words, env)).toBe(expected)
})
