/**
 * A frame report in few bytes, for dashboards: a master keeps thousands of them, and sends them to pages. Figures of the whole frame are exact,
 * the ledger's are rounded as in a summary; what each area did, and its tiles, are as fine as there is room for. Up to 32 areas have rows,
 * more have strips of how busy each was, and beyond 512 there are bands: how the areas are spread, and the eight that ended last.
 */
import { haveCpuClocks } from '../frame/cpu-clocks.ts'
import type { FrameReport } from '../frame/frame-report.ts'
import type { Rect, Size } from '../frame/rect.ts'
import { SPAN_KINDS, type SpanKind } from '../frame/span-kinds.ts'
import { imbalance } from '../metrics/imbalance.ts'
import { type LedgerRow, PRECEDENCE, type Stretch, stretches } from '../metrics/ledger.ts'
import { sampleGrid } from './sample-grid.ts'
import { NumberReader, NumberWriter } from './varints.ts'

/** The most areas with rows, and with strips. */
export const MOST_ROWS = 32
export const MOST_STRIPS = 512
/** Areas beyond that are shown one by one if they ended last. */
export const WORST = 8
/** Bytes of an area, mean over a frame's; and of a frame's head. */
export const AREA_BYTES = 140
export const HEAD_BYTES = 480

/** Figures as they are in `frames.csv`. */
export type FrameFigures = Pick<
  FrameReport,
  | 'frameMs'
  | 'criticalMs'
  | 'meanMs'
  | 'epsilonCpu'
  | 'epsilonWall'
  | 'messages'
  | 'bytes'
  | 'migrationShare'
  | 'rescued'
  | 'stolen'
  | 'duplicated'
  | 'redundantPx'
  | 'probeMs'
  | 'predictionError'
> & { readonly tileCount: number }

/** As it is sent and kept. */
export interface CompactFrame {
  readonly frame: number
  readonly strategy: string
  readonly size: Size
  /** Number of its list of areas. */
  readonly roster: number
  /** When it began, ms on the run's clock. */
  readonly at: number
  readonly figures: FrameFigures
  /** Where an area has no CPU clock: figures by it mix both. */
  readonly clock?: 'wall'
  /** By the wall clock: T_min, and when a perfect share would have ended, since the frame's beginning; ms. */
  readonly shareMs: number
  readonly idealMs: number
  readonly shape: 'rows' | 'strips' | 'bands'
  /** Of an adaptive frame: where its samples are (`sample-grid.ts`). */
  readonly samples?: string
  /** What areas did. */
  readonly areas: string
}

export interface AreaTile {
  readonly rect: Rect
  readonly cpuMs: number
  /** As predicted; undefined without predictions. */
  readonly expectedMs?: number
}

export interface AreaFrame {
  /** Its number in the roster. */
  readonly area: number
  readonly ledger: Readonly<Record<SpanKind, number>>
  readonly cpuMs: number
  readonly expectedMs?: number
  readonly tileCount: number
  /** From the frame's beginning to the end of the last thing that it did, ms. */
  readonly endMs: number
  /** ms since the frame's beginning; of rows. */
  readonly bars: readonly Stretch[]
  /** The largest; of rows. */
  readonly tiles: readonly AreaTile[]
  /** How busy it was with tracing, in equal parts of the frame, 0 to 1; of strips. */
  readonly strip: readonly number[]
}

export interface Steal {
  /** ms since the frame's beginning. */
  readonly at: number
  readonly from: number
  readonly to: number
  readonly rect: Rect
}

export interface WholeFrame extends Omit<CompactFrame, 'areas'> {
  readonly areas: readonly AreaFrame[]
  readonly steals: readonly Steal[]
  /** Of all areas' tracing, wall ms: at 0, 5, 25, 50, 75, 95 and 100 %; of bands. */
  readonly quantiles: readonly number[]
  /** Means over all areas. */
  readonly meanLedger: Readonly<Record<SpanKind, number>>
}

/** Units of the ledger, ms, as a summary has them; of times within a frame, as a share of it. */
const LEDGER_UNIT = 1e-4
const TIME_UNITS = 8192
const TENTH = 0.1
const BINS = 16
const QUANTILES = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]

/** Bars and tiles of an area, mean over the frame's: halved until there is room. */
const MOST_BARS = 24
const MOST_TILES = 8

/** @param at since the beginning of its run, ms */
export function compactFrame(report: FrameReport, roster: number, at: number): CompactFrame {
  const { frame, strategy, size, workers, ledger } = report
  const shape = workers.length <= MOST_ROWS ? 'rows' : workers.length <= MOST_STRIPS ? 'strips' : 'bands'
  const share = imbalance(workers.map(({ speed }, i) => ({ speed, work: (ledger[i]?.render ?? 0) * speed })))
  const all = areasOf(report, shape === 'rows')
  const last = all.length === 0 ? 0 : Math.max(...all.map(({ endMs }) => endMs))
  const samples = sampleGrid(report)
  const room = Math.max(1, workers.length) * AREA_BYTES - (samples?.length ?? 0)
  let areas = ''
  for (let detail = 1; ; detail *= 0.75) {
    areas = packed(all, report, shape, detail)
    if (areas.length <= room || shape !== 'rows' || detail < 1 / 64) break
  }
  return {
    frame,
    strategy,
    size,
    roster,
    at: toTenths(at),
    figures: figuresOf(report),
    ...(haveCpuClocks(workers) ? {} : { clock: 'wall' as const }),
    shareMs: toTenths(share.meanMs),
    idealMs: toTenths(Math.max(0, last - (share.criticalMs - share.meanMs))),
    shape,
    ...(samples === undefined ? {} : { samples }),
    areas,
  }
}

function figuresOf(report: FrameReport): FrameFigures {
  const { frameMs, criticalMs, meanMs, epsilonCpu, epsilonWall, messages, bytes, migrationShare } = report
  const { rescued, stolen, duplicated, redundantPx, probeMs, predictionError, tiles } = report
  return {
    ...{ frameMs, criticalMs, meanMs, messages, bytes, migrationShare },
    // Below 0 by an ulp, as in a summary.
    ...{ epsilonCpu: Math.max(0, epsilonCpu), epsilonWall: Math.max(0, epsilonWall) },
    ...{ rescued, stolen, duplicated, redundantPx, probeMs },
    ...(predictionError === undefined ? {} : { predictionError }),
    tileCount: tiles.length,
  }
}

function areasOf({ workers, ledger, tiles, spans, beganAt = 0, frameMs }: FrameReport, isTiled: boolean): AreaFrame[] {
  const rows = new Map(ledger.map(row => [row.worker, row]))
  const ids = workers.map(({ id }) => id)
  const bars = stretches(spans, ids, beganAt, beganAt + frameMs)
  const own = new Map<string, FrameReport['tiles'][number][]>(ids.map(id => [id, []]))
  for (const tile of tiles) own.get(tile.worker)?.push(tile)
  return ids.map((id, area) => {
    const its = own.get(id)!
    const expected = its.length > 0 && its.every(tile => tile.expectedMs !== undefined)
    const bar = bars[area]!
    const last = bar.findLast(({ kind }) => kind !== 'idle')
    return {
      area,
      ledger: rows.get(id) ?? NOTHING,
      cpuMs: sum(its.map(({ cpuMs }) => cpuMs)),
      ...(expected ? { expectedMs: sum(its.map(({ expectedMs }) => expectedMs!)) } : {}),
      tileCount: its.length,
      endMs: last ? last.to - beganAt : 0,
      bars: isTiled ? bar.map(({ kind, from, to }) => ({ kind, from: from - beganAt, to: to - beganAt })) : [],
      strip: isTiled ? [] : stripOf(bar, beganAt, frameMs),
      tiles: (isTiled ? its : []).map(({ rect, cpuMs, expectedMs }) => ({
        rect,
        cpuMs,
        ...(expectedMs === undefined ? {} : { expectedMs }),
      })),
    }
  })
}

function packed(all: readonly AreaFrame[], report: FrameReport, shape: CompactFrame['shape'], detail: number): string {
  const writer = new NumberWriter()
  const { frameMs, beganAt = 0, workers, steals = [] } = report
  const unit = frameMs / TIME_UNITS || 1
  writer.put(all.length)
  for (const kind of SPAN_KINDS)
    writer.put(sum(all.map(({ ledger }) => ledger[kind])) / (all.length || 1) / LEDGER_UNIT)
  if (shape === 'bands') {
    const sorted = all.map(({ ledger }) => ledger.render).sort((a, b) => a - b)
    for (const q of QUANTILES) writer.put(sorted[Math.round(q * (sorted.length - 1))]! / LEDGER_UNIT)
  }
  const shown = shape === 'bands' ? all.toSorted((a, b) => b.endMs - a.endMs).slice(0, WORST) : all
  const mostBars = Math.max(4, Math.floor(MOST_BARS * detail))
  const mostTiles = Math.max(1, Math.floor(shown.length * MOST_TILES * detail))
  const leastTile =
    shape === 'rows'
      ? rankedAt(
          shown.flatMap(({ tiles }) => tiles.map(({ cpuMs }) => cpuMs)),
          mostTiles,
        )
      : 0
  writer.put(shown.length)
  for (const area of shown) {
    writer.put(area.area, area.tileCount, area.cpuMs / TENTH, area.endMs / unit)
    writer.put(area.expectedMs === undefined ? 0 : area.expectedMs / TENTH + 1)
    for (const kind of SPAN_KINDS) writer.one(area.ledger[kind] / LEDGER_UNIT)
    if (shape !== 'rows') {
      for (const busy of area.strip) writer.one(busy * 127)
      continue
    }
    putBars(writer, area.bars, mostBars, frameMs, unit)
    const tiles = area.tiles.filter(({ cpuMs }) => cpuMs >= leastTile)
    writer.put(tiles.length)
    for (const { rect, cpuMs, expectedMs } of tiles) {
      writer.put(rect.x, rect.y, rect.w, rect.h, cpuMs / TENTH)
      writer.put(expectedMs === undefined ? 0 : expectedMs / TENTH + 1)
    }
  }
  const numbers = new Map<string, number>(workers.map(({ id }, number) => [id, number]))
  const told = steals
    .filter(({ from, to }) => numbers.has(from) && numbers.has(to))
    .slice(-Math.ceil(shown.length * 2 * detail))
  writer.put(told.length)
  for (const { at, from, to, rect } of told) {
    writer.put((at - beganAt) / unit, numbers.get(from)!, numbers.get(to)!)
    writer.put(rect.x, rect.y, rect.w, rect.h)
  }
  return writer.text
}

/** The value of so many's rank from above; 0 if there are no more. */
function rankedAt(values: readonly number[], most: number): number {
  if (values.length <= most) return 0
  return values.toSorted((a, b) => b - a)[most - 1]!
}

/** Where there are too many bars, as many equal parts of the frame have the colour of what took most of each. */
function putBars(writer: NumberWriter, bars: readonly Stretch[], most: number, frameMs: number, unit: number): void {
  const told: { kind: SpanKind; to: number }[] = []
  for (const { kind, to } of bars.length > most ? evened(bars, most, frameMs) : bars) {
    const before = told.at(-1)
    if (before?.kind === kind) before.to = to
    else told.push({ kind, to })
  }
  writer.put(told.length)
  let at = 0
  for (const { kind, to } of told) {
    const end = Math.round(to / unit)
    writer.put(Math.max(0, PRECEDENCE.indexOf(kind) + 1), Math.max(0, end - at))
    at = Math.max(at, end)
  }
}

function evened(bars: readonly Stretch[], parts: number, frameMs: number): Stretch[] {
  const length = frameMs / parts
  let next = 0
  return Array.from({ length: parts }, (_, part): Stretch => {
    const [from, to] = [part * length, part === parts - 1 ? frameMs : (part + 1) * length]
    const times = new Map<SpanKind, number>()
    while (next > 0 && bars[next - 1]!.to > from) next--
    for (; next < bars.length && bars[next]!.from < to; next++) {
      const { kind, from: begin, to: end } = bars[next]!
      times.set(kind, (times.get(kind) ?? 0) + Math.min(end, to) - Math.max(begin, from))
    }
    let kind: SpanKind = 'idle'
    for (const [each, time] of times) if (time > (times.get(kind) ?? 0)) kind = each
    return { kind, from, to }
  })
}

/** @param beganAt the frame, on the clock of the bars */
function stripOf(bars: readonly Stretch[], beganAt: number, frameMs: number): number[] {
  const busy = new Array<number>(BINS).fill(0)
  const length = frameMs / BINS
  if (!(length > 0)) return busy
  for (const { kind, from: begin, to: end } of bars) {
    if (kind !== 'render') continue
    const [from, to] = [begin - beganAt, end - beganAt]
    for (let bin = Math.floor(from / length); bin < BINS && bin * length < to; bin++)
      busy[bin] = Math.min(
        1,
        busy[bin]! + Math.max(0, Math.min(to, (bin + 1) * length) - Math.max(from, bin * length)) / length,
      )
  }
  return busy
}

/** What was packed. */
export function wholeFrame(compact: CompactFrame): WholeFrame {
  const { areas: text, ...known } = compact
  const reader = new NumberReader(text)
  const take = () => reader.take()
  const times = (count: number): number[] => Array.from({ length: count }, take)
  const { frameMs } = known.figures
  const unit = frameMs / TIME_UNITS || 1
  const ledger = () => ledgerOf(times(SPAN_KINDS.length).map(value => value * LEDGER_UNIT))
  const rect = (): Rect => {
    const [x, y, w, h] = times(4) as [number, number, number, number]
    return { x, y, w, h }
  }
  take()
  const meanLedger = ledger()
  const quantiles = known.shape === 'bands' ? times(QUANTILES.length).map(value => value * LEDGER_UNIT) : []
  const areas = Array.from({ length: take() }, (): AreaFrame => {
    const [area, tileCount, cpu, end, expected] = times(5) as [number, number, number, number, number]
    const row = ledger()
    const isRow = known.shape === 'rows'
    return {
      ...{ area, tileCount, cpuMs: cpu * TENTH, endMs: end * unit, ledger: row },
      ...(expected > 0 ? { expectedMs: (expected - 1) * TENTH } : {}),
      strip: isRow ? [] : times(BINS).map(value => value / 127),
      bars: isRow ? barsOf(times(take() * 2), unit) : [],
      tiles: isRow
        ? Array.from({ length: take() }, () => {
            const where = rect()
            const [cpuMs, expectedMs] = times(2) as [number, number]
            return {
              rect: where,
              cpuMs: cpuMs * TENTH,
              ...(expectedMs > 0 ? { expectedMs: (expectedMs - 1) * TENTH } : {}),
            }
          })
        : [],
    }
  })
  const steals = Array.from({ length: take() }, (): Steal => {
    const [at, from, to] = times(3) as [number, number, number]
    return { at: at * unit, from, to, rect: rect() }
  })
  return { ...known, areas, steals, quantiles, meanLedger }
}

function barsOf(numbers: readonly number[], unit: number): Stretch[] {
  const bars: Stretch[] = []
  let at = 0
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const to = at + numbers[i + 1]!
    bars.push({ kind: PRECEDENCE[numbers[i]! - 1] ?? 'idle', from: at * unit, to: to * unit })
    at = to
  }
  return bars
}

const ledgerOf = (values: readonly number[]): Record<SpanKind, number> =>
  Object.fromEntries(SPAN_KINDS.map((kind, i) => [kind, values[i] ?? 0])) as Record<SpanKind, number>

const NOTHING: Omit<LedgerRow, 'worker'> = ledgerOf([])

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const toTenths = (ms: number): number => Math.round(ms * 1e4) / 1e4
