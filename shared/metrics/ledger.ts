/**
 * Where a frame's wall time went, for each worker: every instant of the frame belongs to exactly one phase. Phases of
 * one worker may overlap (the next tile travels while this one renders); the instant then counts as the phase named
 * first in PRECEDENCE, because that is the one that would have to shrink for the frame to end sooner.
 */
import { SPAN_KINDS, type Span, type SpanKind } from '../span.ts'

/** Milliseconds per phase for one worker; they add up to the frame's wall time. */
export interface LedgerRow extends Readonly<Record<SpanKind, number>> {
  readonly worker: string
}

const PRECEDENCE: readonly SpanKind[] = ['render', 'stitch', 'transmit', 'dispatch', 'decide', 'stats']

/** The ledger of a frame that ran from `start` to `end` (ms, the spans' clock), a row per worker in the order given. */
export function ledger(spans: readonly Span[], workers: readonly string[], start: number, end: number): LedgerRow[] {
  /** Those of everybody under `undefined`. */
  const within = new Map<string | undefined, Span[]>()
  for (const span of spans) {
    if (span.end <= start || span.start >= end) continue
    const others = within.get(span.worker)
    if (others) others.push(span)
    else within.set(span.worker, [span])
  }
  return workers.map(worker => {
    const own = [...(within.get(undefined) ?? []), ...(within.get(worker) ?? [])]
    const edges = [start, end, ...own.flatMap(span => [clamp(span.start, start, end), clamp(span.end, start, end)])]
    edges.sort((a, b) => a - b)
    const row = Object.fromEntries(SPAN_KINDS.map(kind => [kind, 0])) as Record<SpanKind, number>
    for (let i = 1; i < edges.length; i++) {
      const [from, to] = [edges[i - 1]!, edges[i]!]
      if (to <= from) continue
      const active = own.filter(span => span.start <= from && span.end >= to).map(span => span.kind)
      const kind = PRECEDENCE.find(candidate => active.includes(candidate)) ?? 'idle'
      row[kind] += to - from
    }
    return { worker, ...row }
  })
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)
