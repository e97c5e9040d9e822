import { describe, expect, test } from 'vitest'
import { framesCsv } from '../../../../scripts/report/tables/frames-csv.ts'
import { everySummary, field, usual, weird, withTab } from '../summaries.ts'

const parse = (csv: string): Record<string, string>[] => {
  const [header, ...lines] = csv.trimEnd().split('\n')
  const names = header!.split(',')
  return lines.map(line => Object.fromEntries(line.split(',').map((field, index) => [names[index], field])))
}

describe.each(everySummary)('%s', (_, make) => {
  test('every row has every column, and numbers read back', () => {
    const summary = make()
    const csv = [...framesCsv(summary)].join('')
    const widths = new Set(
      csv
        .trimEnd()
        .split('\n')
        .map(line => line.split(',').length),
    )
    expect(widths.size).toBe(1)
    const rows = parse(csv)
    const frames = summary.strategies.flatMap(strategy => strategy.frames)
    expect(rows).toHaveLength(frames.length)
    rows.forEach((row, index) => {
      const frame = frames[index]!
      expect(Number(row.frame)).toBe(frame.frame)
      expect(Number(row.frame_ms)).toBeCloseTo(frame.frameMs, 5)
      expect(Number(row.critical_cpu_ms)).toBeCloseTo(frame.criticalMs, 5)
      expect(Number(row.epsilon_cpu_ratio)).toBeCloseTo(frame.epsilonCpu, 5)
      expect(Number(row.traffic_bytes)).toBe(frame.bytes)
      expect(row.pixels_sha256).toMatch(/^sha256:[0-9a-f]{64}$/)
    })
  })

  test('no field holds a separator, a quote, an exponent or a formula', () => {
    for (const field of [...framesCsv(make())].join('').split(/[,\n]/)) {
      expect(field).not.toMatch(/[";'\t\r]|^[=+@]/)
      expect(field).not.toMatch(/^-?[\d.]+e[+-]?\d+$/i)
    }
  })
})

test('figures by the CPU clock are empty where a worker has none', () => {
  for (const row of parse([...framesCsv(withTab())].join(''))) {
    expect([row.critical_cpu_ms, row.mean_cpu_ms, row.epsilon_cpu_ratio]).toEqual(['', '', ''])
    expect(Number(row.epsilon_wall_ratio)).toBeGreaterThanOrEqual(0)
  }
})

test('phases of a row add up to its frame’s time', () => {
  for (const row of parse([...framesCsv(usual())].join(''))) {
    const phases = Object.entries(row).filter(([name]) => name.endsWith('_ms_per_worker'))
    expect(phases).toHaveLength(7)
    const sum = phases.reduce((total, [, ms]) => total + Number(ms), 0)
    expect(sum).toBeCloseTo(Number(row.frame_ms), 3)
  }
})

test('what was stolen, probed and predicted has its columns; what was not predicted is left empty', () => {
  const rows = parse([...framesCsv(field())].join('')).filter(row => row.strategy === 'predictive')
  expect(Number(rows[0]!.probe_ms)).toBeGreaterThan(0)
  expect(rows[0]!.prediction_error_ratio).toBe('')
  expect(Number(rows[1]!.prediction_error_ratio)).toBeGreaterThan(0)
  expect(rows.map(row => Number(row.stolen_count))).toContain(3)
  expect(rows.slice(0, 4).map(row => row.duplicated_count)).toEqual(['0', '1', '0', '1'])
  expect(Number(rows[3]!.repeated_px)).toBe(640)
})

test('what traced a frame is said where its bytes depend on that', () => {
  const [strategy] = usual().strategies
  const [first, ...others] = strategy!.frames
  const tracedBy = 'wasm mixed with webgpu:llvmpipe (software)'
  const frames = [{ ...first!, tracedBy }, ...others]
  const rows = parse([...framesCsv({ ...usual(), strategies: [{ ...strategy!, frames }] })].join(''))
  expect(rows.map(row => row.traced_by)).toEqual([tracedBy, ...others.map(() => '')])
})

test('hostile names stay recognisable', () => {
  const names = new Set(parse([...framesCsv(weird())].join('')).map(row => row.strategy))
  expect([...names]).toEqual(['_=<b onload= x >&nbsp pbt s best no 1%</b>', '../../etc'])
})
