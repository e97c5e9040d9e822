/** The motion bench as text. */
import Table from 'cli-table3'
import type { MomentsBenchOptions, MomentsRow } from './bench-moments.ts'
import type { MotionBench } from './bench-motion.ts'

const PLAIN = { head: [], border: [], compact: true }

/** A row per scene, a column per strategy. */
export function motionText({ size, frames, workers, tables }: MotionBench): string {
  const names = tables[0]?.rows.map(({ name }) => name) ?? []
  const section = (
    title: string,
    value: (row: MotionBench['tables'][number]['rows'][number]) => number | undefined,
  ) => {
    const keys = names.map((name, i) => `${i + 1}  ${name}`).join(' · ')
    const table = new Table({ style: PLAIN, head: ['', '', ...names.map((_, i) => `${i + 1}`)] })
    for (const { scene, integrator, rows } of tables)
      table.push([scene, integrator, ...rows.map(row => percent(value(row)))])
    return `${title}\n${table}\n${keys}\n`
  }
  const scenes = new Map(tables.map(({ scene, what }) => [scene, what]))
  return [
    `films at ${size.join('x')}, ${frames} frames, ${workers} workers, simulated; means over the frames after the first\n`,
    section('ε by CPU time, %', ({ epsilon }) => epsilon),
    section('what predicted costs per cell were off by, %', ({ predictionError }) => predictionError),
    ...[...scenes].map(([scene, what]) => `${scene}: ${what}`),
    '',
  ].join('\n')
}

/** A row per file. */
export function momentsText(rows: readonly MomentsRow[], { size, frames, workers }: MomentsBenchOptions): string {
  const head = ['', 'triangles', 'make, ms', 'new MB', 'of MB', 'join, ms', 'build, ms']
  const table = new Table({
    style: PLAIN,
    head: [...head, 'ambient, ms', 'join and build, %', 'path 64, ms', 'join and build, %'],
  })
  for (const { scene, triangles, makeMs, freshBytes, bytes, joinMs, buildMs, tracing } of rows) {
    const { ambientMs, pathMs } = tracing
    table.push([
      ...[scene, triangles.toLocaleString('en'), makeMs.toFixed(1), megabytes(freshBytes), megabytes(bytes)],
      ...[joinMs.toFixed(1), buildMs.toFixed(1)],
      ...[ambientMs.toFixed(0), percent((joinMs + buildMs) / ambientMs)],
      ...[pathMs.toFixed(0), percent((joinMs + buildMs) / pathMs)],
    ])
  }
  const what = `medians of ${frames - 1} frames at ${size.join('x')}; tracing is a share of one of ${workers} workers; CPU time of one thread`
  return `${what}\n${table}\n`
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(2)

const percent = (share: number | undefined): string =>
  share === undefined ? '' : (share * 100).toFixed(share < 0.0995 ? 1 : 0)
