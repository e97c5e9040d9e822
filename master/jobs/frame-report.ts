/** Turns the times of a traced frame into its report: spans, ledger, T, T_min and ε by both clocks. Pure. */
import type { FrameReport, TileReport, WorkerInfo } from '../../shared/frame-report.ts'
import { imbalance } from '../../shared/metrics/imbalance.ts'
import { ledger } from '../../shared/metrics/ledger.ts'
import { migrationShare } from '../../shared/metrics/migration.ts'
import type { Traffic } from '../../shared/protocol/channel.ts'
import type { Size } from '../../shared/rect.ts'
import type { Span } from '../../shared/span.ts'
import type { LeaseRecord } from './trace-frame.ts'

/** What was noted while a frame was made; times in ms on the master's clock. */
export interface FrameTimes {
  readonly frame: number
  readonly strategy: string
  readonly size: Size
  readonly workers: readonly WorkerInfo[]
  readonly records: readonly LeaseRecord[]
  /** Statistics began, decision began, first dispatch, last pixel in place. */
  readonly beganAt: number
  readonly decideAt: number
  readonly dispatchAt: number
  readonly endedAt: number
  readonly traffic: Traffic
  readonly rescued: number
  readonly previousTiles: readonly TileReport[] | undefined
}

/** The report of a frame, all but the hash of its pixels. */
export function frameReport(times: FrameTimes): Omit<FrameReport, 'sha256'> {
  const { frame, strategy, size, workers, records, beganAt, decideAt, dispatchAt, endedAt } = times
  const tiles = records.map(
    ({ rect, worker, times: { cpuMs, renderMs } }): TileReport => ({ rect, worker, cpuMs, wallMs: renderMs }),
  )
  const cpu = imbalance(workers.map(({ id, speed }) => ({ speed, work: sumOf(tiles, id, tile => tile.cpuMs) })))
  const wall = imbalance(
    workers.map(({ id, speed }) => ({ speed, work: sumOf(tiles, id, tile => tile.wallMs * speed) })),
  )
  const spans = spansOf(times)
  return {
    frame,
    strategy,
    size,
    workers,
    tiles,
    frameMs: endedAt - dispatchAt,
    wallMs: endedAt - beganAt,
    statsMs: decideAt - beganAt,
    decideMs: dispatchAt - decideAt,
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
    migrationShare: migrationShare(times.previousTiles, tiles),
    rescued: times.rescued,
    spans,
  }
}

function spansOf({ frame, records, beganAt, decideAt, dispatchAt }: FrameTimes): Span[] {
  const shared: Span[] = [
    { kind: 'stats', frame, start: beganAt, end: decideAt },
    { kind: 'decide', frame, start: decideAt, end: dispatchAt },
  ]
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
 * A worker's clock is not the master's, so only its durations are used: what the round trip took beyond them was spent
 * on the wire, half of it either way (as NTP assumes).
 */
function leaseSpans(frame: number, { worker, rect, sentAt, arrivedAt, stitchedAt, times }: LeaseRecord): Span[] {
  const inside = times.waitMs + times.renderMs + times.encodeMs
  const oneWay = Math.max(0, arrivedAt - sentAt - inside) / 2
  const renderAt = sentAt + oneWay + times.waitMs
  const renderedAt = Math.min(arrivedAt, renderAt + times.renderMs)
  const span = (kind: Span['kind'], start: number, end: number): Span => ({
    kind,
    frame,
    worker,
    tile: rect,
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

const sumOf = (tiles: readonly TileReport[], worker: string, value: (tile: TileReport) => number): number =>
  tiles.reduce((sum, tile) => (tile.worker === worker ? sum + value(tile) : sum), 0)
