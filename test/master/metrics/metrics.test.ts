/** What `GET /metrics` says, and that Prometheus can read it. */
import { spawnSync } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import type { AreaHealth } from '../../../master/cluster/area-health.ts'
import { counter, exposition, gauge, Histogram } from '../../../master/metrics/exposition.ts'
import { FrameMetrics } from '../../../master/metrics/frame-metrics.ts'
import { metricsText } from '../../../master/metrics/master-metrics.ts'
import { startMaster } from '../../../scripts/library/master.ts'
import { render } from '../../../scripts/library/render.ts'
import { startWorker } from '../../../scripts/library/worker.ts'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

/** Where there is none, of a machine's own, the variable PROMTOOL may name it. */
const PROMTOOL = process.env.PROMTOOL ?? 'promtool'
const hasPromtool = spawnSync(PROMTOOL, ['--version']).status === 0

/** The samples of a text, by name and labels. */
const samplesOf = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .trimEnd()
      .split('\n')
      .filter(line => !line.startsWith('#'))
      .map(line => {
        const at = line.lastIndexOf(' ')
        return [line.slice(0, at), Number(line.slice(at + 1))]
      }),
  )

/** A master with so many areas. */
const large = (count: number): string =>
  metricsText({
    frames: new FrameMetrics(),
    areas: () =>
      Array.from({ length: count }, (_, i): AreaHealth => {
        const state = i % 2 === 0 ? 'ready' : 'loading'
        return {
          id: `w${i}`,
          name: `a worker of some name ${i}`,
          engine: i < 2 ? 'webgpu' : 'wasm',
          ...(i < 2 ? { device: `webgpu:card${i === 0 ? ' (software)' : ''}` } : {}),
          threads: 8,
          speed: 1,
          cores: 7.5,
          state,
        }
      }),
    workersWanted: () => 5,
    sessions: () => 3,
    queues: () => ({ making: 2, waiting: 1 }),
    connections: () => count + 3,
    refused: () => ({ 'no-access': 7 }),
    traffic: () => ({ messages: 10, bytes: 2 ** 40 }),
    lateAnswers: () => 1,
    process: () => ({
      ...{ cpu: 1.5, resident: 3e8, heap: 1e8, buffers: 1e8, loopActive: 1, startedAt: 1.7e9 },
      loopLag: { most: 0.25, median: 0 },
    }),
  })

describe('the text format', () => {
  it('is that of Prometheus', () => {
    const text = exposition([
      counter('a_total', 'One \\ line\nor two.', 3),
      gauge('b_bytes', 'By name.', [
        [{ name: 'a "b" \\ c\nd' }, 0.5],
        [{ name: 'none', more: 'x' }, Number.POSITIVE_INFINITY],
      ]),
      gauge('c', 'Nothing yet.', []),
    ])
    expect(text).toBe(
      [
        ...['# HELP a_total One \\\\ line\\nor two.', '# TYPE a_total counter', 'a_total 3'],
        ...['# HELP b_bytes By name.', '# TYPE b_bytes gauge', 'b_bytes{name="a \\"b\\" \\\\ c\\nd"} 0.5'],
        ...['b_bytes{name="none",more="x"} +Inf', '# HELP c Nothing yet.', '# TYPE c gauge', ''],
      ].join('\n'),
    )
  })

  it('has histograms, whose buckets hold what is below their bounds', () => {
    const histogram = new Histogram([1, 2])
    for (const value of [0.5, 1, 1.5, 7]) histogram.observe(value)
    expect(Object.fromEntries(samplesOf(exposition([histogram.metric('h_seconds', 'Some.')])))).toEqual({
      'h_seconds_bucket{le="1"}': 2,
      'h_seconds_bucket{le="2"}': 3,
      'h_seconds_bucket{le="+Inf"}': 4,
      h_seconds_sum: 10,
      h_seconds_count: 4,
    })
  })
})

describe('metrics of a master', () => {
  it('are sums of what frames report', async () => {
    const master = await startMaster({ listen: '127.0.0.1:0' })
    opened.push(master)
    for (const name of ['a', 'b']) opened.push(startWorker({ master: master.url, name, threads: 2, cache: false }))
    const reports: FrameReport[] = []
    const film = { size: [64, 36], samples: 1, ambientRays: 1, frames: 3, wait: 240 } as const
    for await (const { report } of render('corner', { cluster: { ...master, workers: 2 }, ...film }))
      reports.push(report)
    const response = await fetch(`${master.url.replace('ws', 'http')}/metrics`)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const samples = samplesOf(await response.text())
    const sum = (of: (report: FrameReport) => number) => reports.reduce((total, report) => total + of(report), 0)
    const rows = (of: (row: FrameReport['ledger'][number]) => number) =>
      sum(({ ledger }) => ledger.reduce((total, row) => total + of(row), 0))
    expect(samples.get('sortfirst_frames_total{kind="film"}')).toBe(3)
    expect(samples.get('sortfirst_frames_total{kind="viewer"}')).toBe(0)
    expect(samples.get('sortfirst_frame_seconds_count')).toBe(3)
    expect(samples.get('sortfirst_frame_seconds_sum')).toBeCloseTo(sum(({ frameMs }) => frameMs) / 1000, 6)
    expect(samples.get('sortfirst_frame_imbalance_ratio_sum')).toBeCloseTo(
      sum(({ epsilonCpu }) => epsilonCpu),
      6,
    )
    for (const phase of ['render', 'idle'] as const)
      expect(samples.get(`sortfirst_worker_seconds_total{phase="${phase}"}`)).toBeCloseTo(
        rows(row => row[phase]) / 1000,
        6,
      )
    expect(samples.get('sortfirst_tracing_cpu_seconds_total')).toBeCloseTo(
      sum(({ tiles }) => tiles.reduce((total, { cpuMs }) => total + cpuMs, 0)) / 1000,
      6,
    )
    expect(samples.get('sortfirst_tiles_total')).toBe(sum(({ tiles }) => tiles.length))
    expect(samples.get('sortfirst_pixels_total')).toBe(3 * 64 * 36)
    expect(samples.get('sortfirst_stolen_tiles_total')).toBe(sum(({ stolen }) => stolen))
    expect(samples.get('sortfirst_workers')).toBe(2)
    // On a busy machine one may be quiet for a moment.
    expect(samples.get('sortfirst_areas{state="ready"}')! + samples.get('sortfirst_areas{state="quiet"}')!).toBe(2)
    expect(samples.get('sortfirst_sessions')).toBe(0)
    expect(samples.get('sortfirst_queued_frames{state="making"}')).toBe(0)
    // Both workers, and who asks.
    expect(samples.get('sortfirst_connections')).toBeGreaterThanOrEqual(3)
    expect(samples.get('sortfirst_worker_bytes_total')).toBeGreaterThan(sum(({ bytes }) => bytes) / 2)
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(2 ** 20)
    expect(samples.get('process_cpu_seconds_total')).toBeGreaterThan(0)
  })

  it('say how many areas are in each state, also of those that none is in', () => {
    const samples = samplesOf(large(5))
    expect(samples.get('sortfirst_workers')).toBe(5)
    expect(samples.get('sortfirst_engine_areas{engine="wasm",on="cpu"}')).toBe(3)
    expect(samples.get('sortfirst_engine_areas{engine="webgpu",on="device"}')).toBe(1)
    expect(samples.get('sortfirst_engine_areas{engine="webgpu",on="software"}')).toBe(1)
    expect(samples.get('sortfirst_areas{state="ready"}')).toBe(3)
    expect(samples.get('sortfirst_areas{state="loading"}')).toBe(2)
    expect(samples.get('sortfirst_areas{state="quarantined"}')).toBe(0)
    expect(samples.get('sortfirst_worker_cores')).toBe(37.5)
    expect(samples.get('sortfirst_refused_peers_total{reason="no-access"}')).toBe(7)
    expect(samples.get('sortfirst_queued_frames{state="waiting"}')).toBe(1)
    expect(samples.get('sortfirst_loop_lag_seconds{statistic="max"}')).toBe(0.25)
  })

  it('are as many with a thousand workers as with three', () => {
    const [few, thousand] = [large(3), large(1000)]
    expect(thousand.split('\n').length).toBe(few.split('\n').length)
    expect(Buffer.byteLength(thousand)).toBeLessThan(20_000)
  })

  it.skipIf(!hasPromtool)(
    `are in order for promtool${hasPromtool ? '' : ' (skipped: there is none; PROMTOOL may name it)'}`,
    () => {
      const { status, stdout, stderr } = spawnSync(PROMTOOL, ['check', 'metrics'], {
        input: large(3),
        encoding: 'utf8',
      })
      expect(`${stdout}${stderr}`).toBe('')
      expect(status).toBe(0)
    },
  )
})
