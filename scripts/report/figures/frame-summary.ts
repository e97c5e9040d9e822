/** The part of a frame report that a summary keeps. Pure. */
import { haveCpuClocks } from '../../../shared/frame/cpu-clocks.ts'
import {
  type FrameReport,
  frameReportSchema,
  type PassReport,
  type TileReport,
} from '../../../shared/frame/frame-report.ts'
import { SPAN_KINDS, type SpanKind } from '../../../shared/frame/span-kinds.ts'
import { type FrameSummary, frameSummarySchema, MAX_LISTED_TILES } from '../../../shared/frame/summary.ts'
import type { LedgerRow } from '../../../shared/metrics/ledger.ts'

/** What is rounded, and lists that may be long. */
type Listed = 'passes' | 'ledger' | 'tiles' | 'tileCount' | 'loads'

/** Figures that a report and its summary both have. */
const COMMON = Object.keys(frameSummarySchema.omit({ passes: true, ledger: true, tiles: true }).shape).filter(
  name => name in frameReportSchema.shape,
) as (keyof FrameReport)[]

/** Figures are kept as they are, but for what is rounded, and long lists. */
export const frameSummary = (report: FrameReport): FrameSummary => ({
  ...commonOf(report),
  ...(haveCpuClocks(report.workers) ? {} : { clock: 'wall' as const }),
  // Sums of rounded milliseconds may fall below zero by an ulp, which the schema would reject.
  epsilonCpu: Math.max(0, report.epsilonCpu),
  epsilonWall: Math.max(0, report.epsilonWall),
  ...(report.passes ? { passes: report.passes.map(roundedPass) } : {}),
  ledger: report.ledger.map(roundedRow),
  tiles: listedTiles(report.tiles),
  tileCount: report.tiles.length,
  loads: loadsOf(report),
})

const commonOf = (report: FrameReport): Omit<FrameSummary, Listed> =>
  Object.fromEntries(COMMON.flatMap(name => (report[name] === undefined ? [] : [[name, report[name]]]))) as Omit<
    FrameSummary,
    Listed
  >

const roundedPass = (pass: PassReport): PassReport => ({
  ...pass,
  ms: toTenths(pass.ms),
  criticalMs: toTenths(pass.criticalMs),
  meanMs: toTenths(pass.meanMs),
  epsilonCpu: Math.max(0, pass.epsilonCpu),
  epsilonWall: Math.max(0, pass.epsilonWall),
})

/** The same frame without per-worker data, if there is too much of it: one row for the mean of all workers. */
export const briefly = (frame: FrameSummary): FrameSummary => ({
  ...frame,
  ledger: frame.ledger.length === 0 ? [] : [meanRow(frame.ledger)],
  tiles: [],
  loads: [],
})

const EVERYONE = 'everyone'

const meanRow = (rows: readonly LedgerRow[]): LedgerRow =>
  rowOf(EVERYONE, kind => rows.reduce((sum, row) => sum + row[kind], 0) / rows.length)

const roundedRow = (row: LedgerRow): LedgerRow => rowOf(row.worker, kind => row[kind])

function rowOf(worker: string, ms: (kind: SpanKind) => number): LedgerRow {
  const phases = Object.fromEntries(SPAN_KINDS.map(kind => [kind, toTenths(ms(kind))])) as Record<SpanKind, number>
  return { worker, ...phases }
}

/** The tiles, or an empty list if there are too many. */
function listedTiles(tiles: readonly TileReport[]): FrameSummary['tiles'] {
  const entries = tiles.reduce(
    (sum, { pattern }) =>
      sum + 1 + (pattern?.kind === 'cells' ? pattern.cells.length : pattern?.kind === 'mask' ? pattern.bits.length : 0),
    0,
  )
  if (entries > MAX_LISTED_TILES) return []
  return tiles.map(({ rect, pattern, worker, cpuMs, wallMs }) => ({
    rect: { ...rect },
    ...(pattern ? { pattern } : {}),
    worker,
    cpuMs: toTenths(cpuMs),
    wallMs: toTenths(wallMs),
  }))
}

/** Load per worker, in ledger order; workers without a ledger row follow. */
function loadsOf({ ledger, tiles }: FrameReport): FrameSummary['loads'] {
  const loads = new Map(ledger.map(({ worker }) => [worker, { worker, tiles: 0, cpuMs: 0, wallMs: 0 }]))
  for (const { worker, cpuMs, wallMs } of tiles) {
    const load = loads.get(worker) ?? { worker, tiles: 0, cpuMs: 0, wallMs: 0 }
    loads.set(worker, { worker, tiles: load.tiles + 1, cpuMs: load.cpuMs + cpuMs, wallMs: load.wallMs + wallMs })
  }
  return [...loads.values()].map(load => ({ ...load, cpuMs: toTenths(load.cpuMs), wallMs: toTenths(load.wallMs) }))
}

/** Rounds to tenths of a microsecond, the resolution of clocks, to keep a file of many numbers small. */
const toTenths = (ms: number): number => Math.round(ms * 1e4) / 1e4
