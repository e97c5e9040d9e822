/** Turns the timings of a traced frame into its report: spans, ledger, T, T_min and ε by both clocks. Pure. */

import {
  type FrameReport,
  MAX_TRACED_BY,
  type PassReport,
  type TileReport,
  type WorkerInfo,
} from '../../shared/frame/frame-report.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Span } from '../../shared/frame/span.ts'
import { tracedBy } from '../../shared/frame/traced-by.ts'
import type { LeaseId } from '../../shared/ids.ts'
import { imbalance } from '../../shared/metrics/imbalance.ts'
import { ledger } from '../../shared/metrics/ledger.ts'
import type { Traffic } from '../../shared/protocol/channel.ts'
import { shortened } from '../../shared/text/printable.ts'
import type { FrameFacts } from './frame-facts.ts'
import { type LeaseRecord, tileReport } from './lease-record.ts'
import { type NoiseFacts, noiseReport } from './noise-report.ts'

/** The facts recorded while a frame was made, and the workers that made it. */
export interface FrameTimes extends FrameFacts {
  readonly frame: number
  readonly strategy: string
  readonly size: Size
  readonly workers: readonly WorkerInfo[]
  readonly traffic: Traffic
  /** Share of the pixels whose area differs from the previous frame's (`ownedTiles`). */
  readonly migrationShare: number
  /** Of an adaptive frame. */
  readonly noise?: NoiseFacts
}

/** Tiles by the areas that their pixels belong to: those that had them first. */
export const ownedTiles = ({ records, passes }: Pick<FrameFacts, 'records' | 'passes'>): TileReport[] =>
  leaseReports(records.slice(0, passes[0]?.records))

/** The report of a frame, except for the hash of its pixels. */
export function frameReport(times: FrameTimes): Omit<FrameReport, 'sha256'> {
  const { frame, strategy, size, workers, records, beganAt, plannedAt, endedAt } = times
  const tiles = withExpected(leaseReports(records), records, workers)
  const { cpu, wall } = imbalances(tiles, workers)
  const spans = spansOf(times)
  const traced = tracedBy(workers, tiles)
  return {
    frame,
    strategy,
    size,
    workers,
    tiles,
    ...(traced === undefined ? {} : { tracedBy: shortened(traced, MAX_TRACED_BY) }),
    beganAt,
    endedAt,
    frameMs: endedAt - beganAt,
    preparationMs: plannedAt - beganAt,
    statsMs: spentOn('stats', times),
    decideMs: spentOn('decide', times),
    criticalMs: cpu.criticalMs,
    meanMs: cpu.meanMs,
    epsilonCpu: cpu.epsilon,
    epsilonWall: wall.epsilon,
    ledger: ledger(
      spans,
      workers.map(worker => worker.id),
      beganAt,
      endedAt,
    ),
    messages: times.traffic.messages,
    bytes: times.traffic.bytes,
    migrationShare: times.migrationShare,
    rescued: times.rescued,
    stolen: times.stolen,
    ...(times.steals.length > 0 ? { steals: times.steals } : {}),
    duplicated: times.duplicated,
    redundantPx: times.redundantPx,
    probeMs: times.probeMs,
    decisions: times.decisions,
    ...(times.passes.length > 1 || times.noise || times.endedBy ? { passes: passReports(times) } : {}),
    ...(times.endedBy ? { endedBy: times.endedBy } : {}),
    ...(times.noise ? { noise: noiseReport(times.noise, times.passes.at(-1)!.samples.to) } : {}),
    spans,
  }
}

/** How evenly tiles were shared, by both clocks. */
function imbalances(tiles: readonly TileReport[], workers: readonly WorkerInfo[]) {
  const cpuMs = sumsOf(tiles, tile => tile.cpuMs)
  const tileMs = sumsOf(tiles, tile => tile.wallMs)
  return {
    cpu: imbalance(workers.map(({ id, speed }) => ({ speed, work: cpuMs.get(id) ?? 0 }))),
    wall: imbalance(workers.map(({ id, speed }) => ({ speed, work: (tileMs.get(id) ?? 0) * speed }))),
  }
}

/** Each pass as if it were a frame: it ends when its last worker does, and the next begins then. */
const passReports = ({ passes, records, workers, beganAt }: FrameTimes): PassReport[] =>
  passes.map(({ samples, pixels, records: to, endedAt }, i) => {
    const before = passes[i - 1]
    const { cpu, wall } = imbalances(leaseReports(records.slice(before?.records ?? 0, to)), workers)
    return {
      ...samples,
      pixels,
      ms: endedAt - (before?.endedAt ?? beganAt),
      criticalMs: cpu.criticalMs,
      meanMs: cpu.meanMs,
      epsilonCpu: cpu.epsilon,
      epsilonWall: wall.epsilon,
    }
  })

/** One reported tile per lease, regardless of how many parts it arrived in. */
function leaseReports(records: readonly LeaseRecord[]): TileReport[] {
  const tiles = new Map<LeaseId, TileReport>()
  for (const record of records) {
    const part = tileReport(record)
    const before = tiles.get(record.lease)
    tiles.set(record.lease, before ? joined(before, part) : part)
  }
  return [...tiles.values()]
}

/** What its tiles should have taken: predictions, scaled to what all of them took. */
function withExpected(
  tiles: readonly TileReport[],
  records: readonly LeaseRecord[],
  workers: readonly WorkerInfo[],
): readonly TileReport[] {
  const predicted = new Map<LeaseId, number>()
  for (const record of records) {
    if (record.predicted === undefined) return tiles
    predicted.set(record.lease, (predicted.get(record.lease) ?? 0) + record.predicted)
  }
  const speeds = new Map<string, number>(workers.map(({ id, speed }) => [id, speed]))
  const speedOf = ({ worker }: TileReport) => speeds.get(worker) ?? 1
  const work = tiles.reduce((sum, tile) => sum + tile.cpuMs * speedOf(tile), 0)
  const costs = [...predicted.values()]
  const all = costs.reduce((sum, cost) => sum + cost, 0)
  if (!(all > 0)) return tiles
  return tiles.map((tile, number) => ({
    ...tile,
    expectedMs: speedOf(tile) > 0 ? (costs[number]! * work) / all / speedOf(tile) : 0,
  }))
}

/** Joins a tile with the rows below it that arrived later. */
const joined = (above: TileReport, below: TileReport): TileReport => ({
  ...above,
  rect: { ...above.rect, h: below.rect.y + below.rect.h - above.rect.y },
  cpuMs: above.cpuMs + below.cpuMs,
  wallMs: above.wallMs + below.wallMs,
  ...(above.work === undefined || below.work === undefined ? {} : { work: above.work + below.work }),
})

/** Time the master spent on it, ms. */
const spentOn = (kind: Span['kind'], { spans }: FrameFacts): number =>
  spans.reduce((sum, span) => sum + (span.kind === kind ? span.end - span.start : 0), 0)

function spansOf({ frame, records, spans: shared, dispatchAt }: FrameTimes): Span[] {
  const dispatched = new Set<string>()
  const own = records
    .toSorted((a, b) => a.sentAt - b.sentAt)
    .flatMap((record): Span[] => {
      const first = !dispatched.has(record.worker)
      dispatched.add(record.worker)
      const dispatch: Span = { kind: 'dispatch', frame, worker: record.worker, start: dispatchAt, end: record.sentAt }
      return [...(first ? [dispatch] : []), ...leaseSpans(frame, record)]
    })
  return [...shared, ...own]
}

/**
 * A worker's clock differs from the master's, so only its durations are used: the remainder of the round trip was spent
 * on the wire, half of it each way (as NTP assumes).
 */
function leaseSpans(frame: number, { worker, tile, sentAt, arrivedAt, stitchedAt, times }: LeaseRecord): Span[] {
  const inside = times.waitMs + times.wallMs + times.encodeMs
  const oneWay = Math.max(0, arrivedAt - sentAt - inside) / 2
  const renderAt = sentAt + oneWay + times.waitMs
  const renderedAt = Math.min(arrivedAt, renderAt + times.wallMs)
  const span = (kind: Span['kind'], start: number, end: number): Span => ({
    kind,
    frame,
    worker,
    tile: tile.rect,
    start,
    end,
  })
  return [
    span('transmit', sentAt, renderAt),
    span('render', renderAt, renderedAt),
    span('transmit', renderedAt, arrivedAt),
    span('stitch', arrivedAt, stitchedAt),
  ]
}

/** Sums over the tiles of each worker that has any. */
function sumsOf(tiles: readonly TileReport[], value: (tile: TileReport) => number): Map<string, number> {
  const sums = new Map<string, number>()
  for (const tile of tiles) sums.set(tile.worker, (sums.get(tile.worker) ?? 0) + value(tile))
  return sums
}
