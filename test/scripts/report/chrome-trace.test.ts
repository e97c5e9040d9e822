import { describe, expect, test } from 'vitest'
import type { StrategyRun } from '../../../scripts/report/chrome-trace.ts'
import { chromeTrace, type TraceEvent, type TraceName, type TraceSlice } from '../../../scripts/report/chrome-trace.ts'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import type { Span } from '../../../shared/frame/span.ts'
import { manyWorkers, strategyRun } from './synthetic-run.ts'

const workers = manyWorkers(3)
const slicesOf = (events: readonly TraceEvent[]): TraceSlice[] => events.filter(event => event.ph === 'X')
const namesOf = (events: readonly TraceEvent[]): TraceName[] => events.filter(event => event.ph === 'M')

/** Threads by name, in a process. */
const threadsOf = (events: readonly TraceEvent[], pid: number): Map<string, number> =>
  new Map(
    namesOf(events).flatMap(({ name, args, ...event }) =>
      name === 'thread_name' && event.pid === pid && 'name' in args ? [[args.name, event.tid]] : [],
    ),
  )

const withSpans = (spans: readonly Span[]): StrategyRun => {
  const [report] = strategyRun('pbt', 'equal', workers, 1).reports
  return { name: 'pbt', reports: [{ ...(report as FrameReport), frameMs: 20, spans }] }
}

describe('a run of two strategies', () => {
  const runs = [strategyRun('static-blocks', 'equal', workers, 3), strategyRun('pbt', 'by-cost', workers, 3)]
  const events = chromeTrace(runs)
  const slices = slicesOf(events)

  test('has a named process for each, and a named thread for whatever happens', () => {
    const processes = namesOf(events).filter(({ name }) => name === 'process_name')
    expect(processes.map(({ args }) => 'name' in args && args.name)).toEqual(['static-blocks', 'pbt'])
    for (const pid of [1, 2]) {
      const threads = threadsOf(events, pid)
      expect([...threads.keys()]).toEqual(expect.arrayContaining(['frames', 'master', 'worker-0', 'worker-0, wire']))
      const used = new Set(slices.filter(slice => slice.pid === pid).map(slice => slice.tid))
      expect([...used].sort()).toEqual([...threads.values()].sort())
    }
  })

  test('has every span, and nothing that ends before it begins', () => {
    const spans = runs.flatMap(run => run.reports.flatMap(report => report.spans))
    expect(slices).toHaveLength(spans.length + 6)
    for (const { ts, dur } of slices) {
      expect(Number.isSafeInteger(ts) && Number.isSafeInteger(dur)).toBe(true)
      expect(ts).toBeGreaterThanOrEqual(0)
      expect(dur).toBeGreaterThanOrEqual(0)
    }
    const renders = slices.filter(({ name }) => name === 'render')
    for (const { args } of renders) expect(args.tile).toMatch(/^\d+,\d+ \d+x\d+$/)
    expect(new Set(renders.map(({ args }) => args.frame))).toEqual(new Set([0, 1, 2]))
  })

  test('is in order of time, strategy by strategy, with frames end to end', () => {
    for (const pid of [1, 2]) {
      const own = slices.filter(slice => slice.pid === pid)
      expect(own.map(({ ts }) => ts)).toEqual(own.map(({ ts }) => ts).toSorted((a, b) => a - b))
      const frames = own.filter(({ cat }) => cat === 'frame')
      expect(frames[0]?.ts).toBe(0)
      expect(frames.slice(1).map(({ ts }) => ts)).toEqual(frames.slice(0, -1).map(({ ts, dur }) => ts + dur))
    }
  })

  test('never lays two things over each other on one thread', () => {
    const until = new Map<string, number>()
    for (const { pid, tid, ts, dur } of slices) {
      expect(ts).toBeGreaterThanOrEqual(until.get(`${pid}/${tid}`) ?? 0)
      until.set(`${pid}/${tid}`, ts + dur)
    }
  })
})

test('what overlaps on the wire gets a thread more', () => {
  const wire = (start: number, end: number): Span => ({ kind: 'transmit', frame: 0, worker: 'id-1', start, end })
  const events = chromeTrace([withSpans([wire(100, 110), wire(104, 112), wire(110, 113)])])
  const threads = threadsOf(events, 1)
  expect([...threads.keys()]).toEqual(['frames', 'worker-1, wire', 'worker-1, wire 2'])
  const [, first, second, third] = slicesOf(events)
  expect([first, second, third].map(slice => [slice!.ts, slice!.dur])).toEqual([
    [0, 10_000],
    [4000, 8000],
    [10_000, 3000],
  ])
  expect(first?.tid).toBe(third?.tid)
})

test('a clock that stepped back makes no negative duration', () => {
  const events = chromeTrace([withSpans([{ kind: 'render', frame: 0, worker: 'id-0', start: 5, end: 4 }])])
  expect(slicesOf(events).map(({ dur }) => dur)).toEqual([20_000, 0])
})

test('a frame without spans is a frame all the same', () => {
  expect(slicesOf(chromeTrace([withSpans([])]))).toMatchObject([{ name: 'frame 0', ts: 0, dur: 20_000 }])
  expect(chromeTrace([])).toEqual([])
})
