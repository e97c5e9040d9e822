/**
 * From the frame reports of a run to its summary: one record per strategy, with the frames kept below it. Pure; what
 * leaves here has been checked against the schema that readers of `summary.json` rely on.
 */
import { invariant } from '../../shared/errors.ts'
import type { Clock, FrameReport, TileReport } from '../../shared/frame-report.ts'
import type { LedgerRow } from '../../shared/metrics/ledger.ts'
import { mean, statistics } from '../../shared/metrics/statistics.ts'
import { SPAN_KINDS, type SpanKind } from '../../shared/span.ts'
import {
  type FrameSummary,
  MOST_LISTED_TILES,
  type StrategySummary,
  SUMMARY_VERSION,
  type Summary,
  summarySchema,
} from '../../shared/summary.ts'

/** What holds for the whole run, whichever strategy it used. */
export type RunFacts = Pick<Summary, 'scene' | 'size' | 'quality' | 'camera' | 'host' | 'workers' | 'pacing'>

/** The frames one strategy rendered, in frame order. */
export interface StrategyRun {
  readonly name: string
  readonly reports: readonly FrameReport[]
}

/**
 * The summary of a run. `runs` are kept in the order given; a run that was cut short counts with the frames it has,
 * and `frames` is what every strategy rendered.
 *
 * @param clock what `epsilon` of each strategy is taken from; the frames carry both
 * @throws InvariantError without a strategy, or for a strategy without a frame
 */
export function summarize(facts: RunFacts, runs: readonly StrategyRun[], clock: Clock = 'cpu'): Summary {
  invariant(runs.length > 0, 'a summary needs at least one strategy')
  for (const run of runs) invariant(run.reports.length > 0, `strategy '${run.name}' rendered no frame`)
  return summarySchema.parse({
    version: SUMMARY_VERSION,
    scene: facts.scene,
    size: facts.size,
    frames: Math.min(...runs.map(run => run.reports.length)),
    quality: facts.quality,
    camera: facts.camera,
    host: facts.host,
    workers: facts.workers,
    pacing: facts.pacing,
    strategies: runs.map(run => strategySummary(run, clock)),
  })
}

function strategySummary({ name, reports }: StrategyRun, clock: Clock): StrategySummary {
  const epsilons = reports.map(report => atLeastZero(clock === 'cpu' ? report.epsilonCpu : report.epsilonWall))
  const rows = reports.flatMap(report => report.ledger)
  // Every row of a frame adds up to the frame's wall time, so a share of all rows is a share of the workers' wall time.
  const workersWallMs = total(reports.map(report => report.wallMs * report.ledger.length))
  const idleMs = total(rows.map(row => row.idle))
  const overheadMs = total(rows.map(overhead))
  const errors = reports.flatMap(({ predictionError }) => (predictionError === undefined ? [] : [predictionError]))
  return {
    name,
    frameMs: statistics(reports.map(report => report.frameMs)),
    epsilon: { clock, mean: mean(epsilons), first: epsilons[0]!, last: epsilons.at(-1)! },
    efficiency: mean(reports.map(efficiency)),
    decideMs: mean(reports.map(report => report.decideMs)),
    idleShare: toShare(idleMs, workersWallMs),
    overheadShare: toShare(overheadMs, workersWallMs),
    messagesPerFrame: mean(reports.map(report => report.messages)),
    messagesPerWorker: ratioOf(total(reports.map(report => report.messages)), rows.length),
    bytesPerFrame: mean(reports.map(report => report.bytes)),
    // The first frame has no predecessor to migrate from; counting its 0 would flatter short runs.
    migrationShare: toShare(total(reports.slice(1).map(report => report.migrationShare)), reports.length - 1),
    tilesPerFrame: mean(reports.map(report => report.tiles.length)),
    stolenPerFrame: mean(reports.map(report => report.stolen)),
    repeatedShare: mean(reports.map(({ repeatedPx, size: [w, h] }) => repeatedPx / (w * h))),
    stitchMs: ratioOf(total(rows.map(row => row.stitch)), reports.length),
    decisions: meanDecisions(reports),
    ...(errors.length > 0 ? { predictionError: mean(errors) } : {}),
    frameSha256: reports.map(report => report.sha256),
    frames: reports.map(frameSummary),
  }
}

const frameSummary = (report: FrameReport): FrameSummary => ({
  frame: report.frame,
  frameMs: report.frameMs,
  wallMs: report.wallMs,
  statsMs: report.statsMs,
  decideMs: report.decideMs,
  criticalMs: report.criticalMs,
  meanMs: report.meanMs,
  epsilonCpu: atLeastZero(report.epsilonCpu),
  epsilonWall: atLeastZero(report.epsilonWall),
  messages: report.messages,
  bytes: report.bytes,
  migrationShare: report.migrationShare,
  rescued: report.rescued,
  stolen: report.stolen,
  repeatedPx: report.repeatedPx,
  probeMs: report.probeMs,
  decisions: { ...report.decisions },
  ...(report.predictionError === undefined ? {} : { predictionError: report.predictionError }),
  ledger: report.ledger.map(roundedRow),
  tiles: listedTiles(report.tiles),
  tileCount: report.tiles.length,
  loads: loadsOf(report),
})

function roundedRow(row: LedgerRow): LedgerRow {
  const phases = Object.fromEntries(SPAN_KINDS.map(kind => [kind, toTenths(row[kind])])) as Record<SpanKind, number>
  return { worker: row.worker, ...phases }
}

/** The tiles, or none where there are too many to list. */
function listedTiles(tiles: readonly TileReport[]): FrameSummary['tiles'] {
  const entries = total(tiles.map(({ pattern }) => 1 + (pattern?.kind === 'cells' ? pattern.cells.length : 0)))
  if (entries > MOST_LISTED_TILES) return []
  return tiles.map(({ rect, pattern, worker, cpuMs, wallMs }) => ({
    rect: { ...rect },
    ...(pattern ? { pattern } : {}),
    worker,
    cpuMs: toTenths(cpuMs),
    wallMs: toTenths(wallMs),
  }))
}

/** What each worker did, in the ledger's order; who has no row there follows. */
function loadsOf({ ledger, tiles }: FrameReport): FrameSummary['loads'] {
  const loads = new Map(ledger.map(({ worker }) => [worker, { worker, tiles: 0, cpuMs: 0, wallMs: 0 }]))
  for (const { worker, cpuMs, wallMs } of tiles) {
    const load = loads.get(worker) ?? { worker, tiles: 0, cpuMs: 0, wallMs: 0 }
    loads.set(worker, { worker, tiles: load.tiles + 1, cpuMs: load.cpuMs + cpuMs, wallMs: load.wallMs + wallMs })
  }
  return [...loads.values()].map(load => ({ ...load, cpuMs: toTenths(load.cpuMs), wallMs: toTenths(load.wallMs) }))
}

/** Mean over all frames of each decision that any of them names. */
function meanDecisions(reports: readonly FrameReport[]): Record<string, number> {
  const names = new Set(reports.flatMap(({ decisions }) => Object.keys(decisions)))
  return Object.fromEntries([...names].map(name => [name, mean(reports.map(({ decisions }) => decisions[name] ?? 0))]))
}

/** T_min / T of one frame, 0 to 1; a frame without work is perfectly shared. */
const efficiency = ({ criticalMs, meanMs }: FrameReport): number => (criticalMs > 0 ? toShare(meanMs, criticalMs) : 1)

/** Milliseconds of a row that are neither tracing nor waiting. */
const overhead = (row: LedgerRow): number =>
  total(SPAN_KINDS.filter(kind => kind !== 'render' && kind !== 'idle').map(kind => row[kind]))

// Sums of rounded milliseconds may pass their own limits by an ulp, which the schema would refuse.
const toShare = (part: number, whole: number): number => (whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0)
const atLeastZero = (value: number): number => Math.max(0, value)

const ratioOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)

/** Tenths of a microsecond: what clocks tell, and no more digits than that in a file with a great many numbers. */
const toTenths = (ms: number): number => Math.round(ms * 1e4) / 1e4

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
