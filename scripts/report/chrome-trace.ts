/**
 * The spans of a run as a Chrome trace (Google, "Trace Event Format"), for Perfetto and chrome://tracing: one process per
 * strategy, with a thread for the frames, one for the master, and two per worker: for tracing, and for transfers. Every
 * strategy starts at zero, so that processes can be compared.
 */
import { haveCpuClocks } from '../../shared/frame/cpu-clocks.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { Span } from '../../shared/frame/span.ts'

/** The reports of one strategy's frames, in frame order. */
export interface StrategyRun {
  readonly name: string
  readonly reports: readonly FrameReport[]
}

/** A name or a position in the viewer's list. */
export interface TraceName {
  readonly ph: 'M'
  readonly name: 'process_name' | 'process_sort_index' | 'thread_name' | 'thread_sort_index'
  readonly pid: number
  readonly tid: number
  readonly args: { readonly name: string } | { readonly sort_index: number }
}

/** An interval; µs. Slices of one thread do not overlap, because viewers would hide some of them. */
export interface TraceSlice {
  readonly ph: 'X'
  readonly name: string
  readonly cat: 'frame' | Span['kind']
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur: number
  readonly args: Readonly<Record<string, string | number>>
}

export type TraceEvent = TraceName | TraceSlice

/** Generates the events of one trace, frame by frame. */
export interface ChromeTrace {
  /** Starts a strategy; the following frames belong to it. */
  begin(strategy: string): TraceEvent[]
  /** Events of the next frame, by time. */
  frame(report: FrameReport): TraceEvent[]
}

export function createChromeTrace(): ChromeTrace {
  let pid = 0
  let tids = 0
  let nextFrameUs = 0
  let workers = new Map<string, number>()
  let threads = new Map<number, number>()
  /** When each lane of a group becomes free, by position in the list: frames of a film overlap. */
  let lanes = new Map<number, number[]>()
  /** When the first frame began, on the master's clock, ms. */
  let origin: number | undefined

  return {
    begin(strategy) {
      pid++
      nextFrameUs = 0
      workers = new Map()
      threads = new Map()
      lanes = new Map()
      origin = undefined
      return [
        { ph: 'M', name: 'process_name', pid, tid: 0, args: { name: strategy } },
        { ph: 'M', name: 'process_sort_index', pid, tid: 0, args: { sort_index: pid } },
      ]
    },

    frame(report) {
      for (const { id } of report.workers) numberOf(id)
      const names: TraceName[] = []
      const earliest = report.spans.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY)
      const { beganAt } = report
      origin ??= beganAt
      // At its actual position if known; otherwise after the previous frames.
      const frameUs =
        beganAt === undefined || origin === undefined ? nextFrameUs : Math.round((beganAt - origin) * 1000)
      const zero = beganAt ?? earliest
      const toUs = (at: number): number => frameUs + Math.round((at - zero) * 1000)
      const endUs = frameUs + Math.round(report.frameMs * 1000)

      const slices = [frameSlice(report, frameUs, endUs - frameUs, lane(names, 'frames', 0, frameUs, endUs))]
      const spans = report.spans.filter(span => span.kind !== 'idle').toSorted((a, b) => a.start - b.start)
      for (const span of spans) {
        const { label, group } = groupOf(span, report)
        const ts = Math.max(0, toUs(span.start))
        const end = Math.max(ts, toUs(span.end))
        const tid = lane(names, label, group, ts, end)
        slices.push({ ph: 'X', name: span.kind, cat: span.kind, pid, tid, ts, dur: end - ts, args: argsOf(span) })
      }
      // A discarded tile, which arrived after the last pixel, may end after its frame.
      nextFrameUs = slices.reduce((end, { ts, dur }) => Math.max(end, ts + dur), nextFrameUs)
      return [...names, ...slices]
    },
  }

  /** Thread of the first lane of a group that is free at `ts`; occupies it until `end`. */
  function lane(names: TraceName[], label: string, group: number, ts: number, end: number): number {
    const free = lanes.get(group) ?? []
    lanes.set(group, free)
    const open = free.findIndex(until => until <= ts)
    const index = open < 0 ? free.length : open
    free[index] = end
    return thread(names, index === 0 ? label : `${label} ${index + 1}`, group * LANES + index)
  }

  function numberOf(worker: string): number {
    const known = workers.get(worker)
    if (known !== undefined) return known
    workers.set(worker, workers.size)
    return workers.size - 1
  }

  /** The master decides, projects and stitches; a worker traces; all other spans are transfers. */
  function groupOf({ kind, worker }: Span, report: FrameReport): { label: string; group: number } {
    if (worker === undefined || kind === 'stats' || kind === 'decide' || kind === 'stitch')
      return { label: 'master', group: 1 }
    const name = report.workers.find(({ id }) => id === worker)?.name ?? worker
    const group = 2 + 2 * numberOf(worker)
    return kind === 'render' ? { label: name, group } : { label: `${name}, wire`, group: group + 1 }
  }

  /** Thread id for a position in the list; names the thread on first use. Some viewers require globally unique ids. */
  function thread(names: TraceName[], label: string, place: number): number {
    const known = threads.get(place)
    if (known !== undefined) return known
    const tid = ++tids
    threads.set(place, tid)
    names.push(
      { ph: 'M', name: 'thread_name', pid, tid, args: { name: label } },
      { ph: 'M', name: 'thread_sort_index', pid, tid, args: { sort_index: place } },
    )
    return tid
  }

  function frameSlice(report: FrameReport, ts: number, dur: number, tid: number): TraceSlice {
    const { frame, frameMs, epsilonCpu, epsilonWall, workers, messages, bytes, migrationShare, decisions } = report
    const { stolen, rescued, duplicated } = report
    const epsilon = haveCpuClocks(workers) ? { epsilonCpu } : { epsilonWall }
    const args = { frameMs, ...epsilon, messages, bytes, migrationShare, stolen, rescued, duplicated, ...decisions }
    return { ph: 'X', name: `frame ${frame}`, cat: 'frame', pid, tid, ts, dur, args }
  }
}

/** All events of finished runs. */
export function chromeTrace(runs: readonly StrategyRun[]): TraceEvent[] {
  const trace = createChromeTrace()
  return runs.flatMap(({ name, reports }) => [...trace.begin(name), ...reports.flatMap(report => trace.frame(report))])
}

/** Sort indices reserved for the lanes of one group. */
const LANES = 1000

function argsOf({ frame, tile }: Span): TraceSlice['args'] {
  return tile ? { frame, tile: `${tile.x},${tile.y} ${tile.w}x${tile.h}` } : { frame }
}
