/**
 * Where a frame's wall time went, for each worker: every instant of the frame belongs to exactly one phase. Phases of
 * one worker may overlap (the next tile travels while this one renders); the instant then counts towards the phase that
 * comes first in PRECEDENCE, because that one would have to shrink for the frame to end sooner. Implemented as a sweep over
 * the spans' edges, since a frame of many tiles has many spans.
 */
import type { Span } from '../frame/span.ts'
import { SPAN_KINDS, type SpanKind } from '../frame/span-kinds.ts'

/** Milliseconds per phase for one worker; they add up to the frame's wall time. */
export interface LedgerRow extends Readonly<Record<SpanKind, number>> {
  readonly worker: string
}

export const PRECEDENCE: readonly SpanKind[] = ['render', 'stitch', 'transmit', 'dispatch', 'decide', 'stats']

/** A time that an area spent in one phase, ms on the spans' clock. */
export interface Stretch {
  readonly kind: SpanKind
  readonly from: number
  readonly to: number
}

/** The ledger of a frame that ran from `start` to `end` (ms, the spans' clock), one row per worker in the given order. */
export function ledger(spans: readonly Span[], workers: readonly string[], start: number, end: number): LedgerRow[] {
  return stretches(spans, workers, start, end).map((own, number) => {
    const row = Object.fromEntries(SPAN_KINDS.map(kind => [kind, 0])) as Record<SpanKind, number>
    for (const { kind, from, to } of own) row[kind] += to - from
    return { worker: workers[number]!, ...row }
  })
}

/** What each worker of a ledger did, in order and without gaps: the row of a ledger is the sum of these. */
export function stretches(
  spans: readonly Span[],
  workers: readonly string[],
  start: number,
  end: number,
): readonly (readonly Stretch[])[] {
  /** Spans that concern all workers are under `undefined`. */
  const within = new Map<string | undefined, Span[]>()
  for (const span of spans) {
    if (span.end <= start || span.start >= end) continue
    const others = within.get(span.worker)
    if (others) others.push(span)
    else within.set(span.worker, [span])
  }
  const everybodys = within.get(undefined) ?? []
  return workers.map(worker => swept([...everybodys, ...(within.get(worker) ?? [])], start, end))
}

/** A phase begins (+1) or ends (-1); `phase` is its index in PRECEDENCE. */
interface Edge {
  readonly at: number
  readonly phase: number
  readonly change: 1 | -1
}

/** The phases between `start` and `end`. */
function swept(spans: readonly Span[], start: number, end: number): Stretch[] {
  const edges: Edge[] = []
  for (const { kind, start: from, end: to } of spans) {
    const phase = PRECEDENCE.indexOf(kind)
    if (phase < 0 || to <= from) continue
    edges.push({ at: Math.max(from, start), phase, change: 1 }, { at: Math.min(to, end), phase, change: -1 })
  }
  edges.sort((a, b) => a.at - b.at)
  const made: Stretch[] = []
  /** How many spans of each phase are open. */
  const open = PRECEDENCE.map(() => 0)
  const book = (from: number, to: number): void => {
    if (to > from) made.push({ kind: PRECEDENCE[open.findIndex(count => count > 0)] ?? 'idle', from, to })
  }
  let now = start
  for (const { at, phase, change } of edges) {
    book(now, at)
    now = at
    open[phase]! += change
  }
  book(now, end)
  return made
}
