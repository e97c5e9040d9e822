/**
 * The frames of one strategy, each reduced on arrival to what a summary keeps, because a film may have very many. For long
 * films even the per-worker data of each frame is dropped, so that memory per frame does not depend on the number of workers
 * and tiles. Pure.
 */
import type { FrameReport, WorkerInfo } from '../../../shared/frame/frame-report.ts'
import { SPAN_KINDS } from '../../../shared/frame/span-kinds.ts'
import type { DeviceUse, FrameSummary } from '../../../shared/frame/summary.ts'
import type { LedgerRow } from '../../../shared/metrics/ledger.ts'
import { DeviceUses } from './device-use.ts'
import { briefly, frameSummary } from './frame-summary.ts'

/** Workers × frames of a strategy above which only means over workers are kept. */
export const MAX_ROWS = 200_000

/** Totals over all frames; times in ms. */
export interface KeptTotals {
  /** Sum over the frames of the workers they were planned for. */
  readonly rows: number
  readonly idleMs: number
  /** Neither tracing nor waiting. */
  readonly overheadMs: number
  readonly stitchMs: number
  /** Wall time of all workers. */
  readonly workersWallMs: number
  /** CPU time of all tiles. */
  readonly tracingMs: number
  /** Of all workers, counted once per frame. */
  readonly cores: number
  /** Pixels traced twice, as a number of frames. */
  readonly repeated: number
  /** Sum of the frames' wall times. */
  readonly framesWallMs: number
  /** How that time divides for each frame's longest-tracing worker. */
  readonly slowest: SlowestTimes
  /** When the first frame began and the last one ended, on the master's clock; absent if a report does not say. */
  readonly beganAt: number | undefined
  readonly endedAt: number | undefined
}

/** Times of one worker; they add up to a frame's wall time. */
export interface SlowestTimes {
  /** Statistics and decision. */
  readonly prepareMs: number
  /** Orders and answers in transit, and stitching. */
  readonly transitMs: number
  readonly tracingMs: number
  readonly idleMs: number
}

const NO_TIME: SlowestTimes = { prepareMs: 0, transitMs: 0, tracingMs: 0, idleMs: 0 }

export class KeptFrames {
  readonly name: string
  readonly #frames: FrameSummary[] = []
  readonly #hashes: string[] = []
  readonly #workers = new Map<string, WorkerInfo>()
  readonly #devices = new DeviceUses()
  #brief = false
  #totals: KeptTotals = {
    rows: 0,
    idleMs: 0,
    overheadMs: 0,
    stitchMs: 0,
    workersWallMs: 0,
    tracingMs: 0,
    cores: 0,
    repeated: 0,
    slowest: NO_TIME,
    framesWallMs: 0,
    beganAt: Number.POSITIVE_INFINITY,
    endedAt: Number.NEGATIVE_INFINITY,
  }

  /**
   * @param name of the strategy
   * @param brief whether to omit per-worker data from the start, as for later rounds, which are not shown
   */
  constructor(name: string, brief = false) {
    this.name = name
    this.#brief = brief
  }

  /** Restores saved frames. */
  static of({
    name,
    frames,
    hashes,
    workers,
    devices,
    totals,
  }: Pick<KeptFrames, 'name' | 'frames' | 'hashes' | 'workers' | 'devices' | 'totals'>): KeptFrames {
    const kept = new KeptFrames(name)
    for (const frame of frames) kept.#frames.push(frame)
    for (const hash of hashes) kept.#hashes.push(hash)
    for (const worker of workers) kept.#workers.set(worker.id, worker)
    for (const device of devices) kept.#devices.add(device)
    kept.#totals = totals
    return kept
  }

  /** Adds the next frame, without keeping its report. */
  add(report: FrameReport): void {
    this.#totals = withFrame(this.#totals, report)
    for (const worker of report.workers) this.#workers.set(worker.id, worker)
    this.#devices.addFrame(report)
    if (!this.#brief && this.#totals.rows > MAX_ROWS) {
      this.#brief = true
      for (const [i, frame] of this.#frames.entries()) this.#frames[i] = briefly(frame)
    }
    const frame = frameSummary(report)
    this.#frames.push(this.#brief ? briefly(frame) : frame)
    this.#hashes.push(report.sha256)
  }

  get frames(): readonly FrameSummary[] {
    return this.#frames
  }

  /** SHA-256 of each frame's pixels. */
  get hashes(): readonly string[] {
    return this.#hashes
  }

  /** All workers that any frame was planned for, including those that joined late or left early. */
  get workers(): readonly WorkerInfo[] {
    return [...this.#workers.values()]
  }

  /** What the devices beside the CPUs did. */
  get devices(): readonly DeviceUse[] {
    return this.#devices.all
  }

  get totals(): KeptTotals {
    return this.#totals
  }
}

/** The frames of a run, from its complete reports. */
export function keptFrames(name: string, reports: Iterable<FrameReport>): KeptFrames {
  const kept = new KeptFrames(name)
  for (const report of reports) kept.add(report)
  return kept
}

function withFrame(totals: KeptTotals, report: FrameReport): KeptTotals {
  const { ledger, frameMs, size, beganAt, endedAt } = report
  const [w, h] = size
  return {
    rows: totals.rows + ledger.length,
    idleMs: totals.idleMs + total(ledger.map(row => row.idle)),
    overheadMs: totals.overheadMs + total(ledger.map(overhead)),
    stitchMs: totals.stitchMs + total(ledger.map(row => row.stitch)),
    workersWallMs: totals.workersWallMs + frameMs * ledger.length,
    tracingMs: totals.tracingMs + total(report.tiles.map(tile => tile.cpuMs)),
    cores: totals.cores + total(report.workers.map(({ cores, threads }) => cores ?? threads)),
    repeated: totals.repeated + report.redundantPx / (w * h),
    framesWallMs: totals.framesWallMs + frameMs,
    slowest: sumOf([totals.slowest, slowestOf(ledger)]),
    beganAt: both(totals.beganAt, beganAt, Math.min),
    endedAt: both(totals.endedAt, endedAt, Math.max),
  }
}

/** The worker that traced longest: even with balanced work, it also waits for everything else a frame needs. */
function slowestOf(ledger: readonly LedgerRow[]): SlowestTimes {
  if (ledger.length === 0) return NO_TIME
  const row = ledger.reduce((most, each) => (each.render > most.render ? each : most))
  const { stats, decide, dispatch, transmit, stitch, render, idle } = row
  return { prepareMs: stats + decide, transitMs: dispatch + transmit + stitch, tracingMs: render, idleMs: idle }
}

export const sumOf = (times: readonly SlowestTimes[]): SlowestTimes => ({
  prepareMs: total(times.map(each => each.prepareMs)),
  transitMs: total(times.map(each => each.transitMs)),
  tracingMs: total(times.map(each => each.tracingMs)),
  idleMs: total(times.map(each => each.idleMs)),
})

const both = (a: number | undefined, b: number | undefined, chosen: (a: number, b: number) => number) =>
  a === undefined || b === undefined ? undefined : chosen(a, b)

/** Time in a row that is neither tracing nor idle, ms. */
const overhead = (row: LedgerRow): number =>
  total(SPAN_KINDS.filter(kind => kind !== 'render' && kind !== 'idle').map(kind => row[kind]))

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
