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
  return workers.map(worker => swept(everybodys, within.get(worker) ?? [], start, end))
}

/** Their places in PRECEDENCE; none: idle. */
const PHASES: Readonly<Partial<Record<SpanKind, number>>> = Object.fromEntries(PRECEDENCE.map((kind, i) => [kind, i]))

/** Edges in almost the right order are fastest moved one by one, if they are not too many. */
const MOST_MOVED = 128

/** Where phases begin and end, in order. */
class Edges {
  /** When, ms; and the phase, which ends where it is below 0, counted from 1. */
  at: number[] = []
  phase: number[] = []

  add(spans: readonly Span[], from: number, to: number): void {
    const { at, phase } = this
    for (const { kind, start, end } of spans) {
      const which = PHASES[kind]
      if (which === undefined || end <= start) continue
      at.push(Math.max(start, from), Math.min(end, to))
      phase.push(which + 1, -which - 1)
    }
  }

  /** Edges at the same time stay in their order. */
  sort(): void {
    const { at, phase } = this
    if (at.length > MOST_MOVED) {
      const order = at.map((_, i) => i).sort((a, b) => at[a]! - at[b]!)
      this.at = order.map(i => at[i]!)
      this.phase = order.map(i => phase[i]!)
      return
    }
    for (let i = 1; i < at.length; i++) {
      const [when, which] = [at[i]!, phase[i]!]
      let to = i
      for (; to > 0 && at[to - 1]! > when; to--) {
        at[to] = at[to - 1]!
        phase[to] = phase[to - 1]!
      }
      at[to] = when
      phase[to] = which
    }
  }
}

/** The phases between `start` and `end`. */
function swept(everybodys: readonly Span[], own: readonly Span[], start: number, end: number): Stretch[] {
  const edges = new Edges()
  edges.add(everybodys, start, end)
  edges.add(own, start, end)
  edges.sort()
  const { at, phase } = edges
  const made: Stretch[] = []
  /** How many spans of each phase are open. */
  const open = [0, 0, 0, 0, 0, 0]
  let now = start
  for (let i = 0; i <= at.length; i++) {
    const to = i < at.length ? at[i]! : end
    if (to > now) {
      let first = 0
      while (first < open.length && open[first] === 0) first++
      made.push({ kind: PRECEDENCE[first] ?? 'idle', from: now, to })
    }
    now = to
    if (i === at.length) break
    const which = phase[i]!
    open[Math.abs(which) - 1]! += Math.sign(which)
  }
  return made
}
