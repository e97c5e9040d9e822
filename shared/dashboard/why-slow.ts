/**
 * One sentence that says why a frame took longer than its perfect share: how much longer, which area ended last, and where its time went. By
 * the ledger of that area, whose phases add up to the frame: what is over the share is the tracing that it did beyond it, and everything that
 * is not tracing. Pure.
 */
import { SPAN_KINDS, type SpanKind } from '../frame/span-kinds.ts'
import { longTime } from '../time/duration.ts'
import type { AreaFrame, WholeFrame } from './compact-frame.ts'

export interface WhySlow {
  readonly text: string
  /** Number of the area that ended last, in the roster; undefined if none did anything. */
  readonly area: number | undefined
  /** Over the perfect share by the wall clock, ms; the sum of the parts. */
  readonly overMs: number
  /** Tracing beyond the share (below 0: less), and phases that are not tracing, of the area that ended last; ms. */
  readonly parts: Readonly<Record<SpanKind, number>>
}

/** A ledger closes if its phases add up to the frame, but for so much of it. */
const CLOSES = 0.01
/** Less than that over the share is nothing to explain: a share of it, and ms. */
const LITTLE = 0.02
const LITTLE_MS = 1
/** What was predicted counts as right within this share. */
const RIGHT = 0.03

/** @param nameOf the name of an area of the roster */
export function whySlow(frame: WholeFrame, nameOf: (area: number) => string): WhySlow {
  const { frameMs } = frame.figures
  const last = frame.areas.reduce<AreaFrame | undefined>(
    (most, each) => (each.endMs > 0 && (!most || each.endMs > most.endMs) ? each : most),
    undefined,
  )
  const begin = `frame ${frame.frame}: `
  if (!last)
    return {
      text: `${begin}${said(frameMs)}, and nobody traced anything.`,
      area: undefined,
      overMs: frameMs,
      parts: { ...ZERO, idle: frameMs },
    }
  const { ledger } = last
  const parts = { ...ledger, render: ledger.render - frame.shareMs }
  const overMs = SPAN_KINDS.reduce((sum, kind) => sum + parts[kind], 0)
  const open = Math.abs(overMs + frame.shareMs - frameMs)
  const name = nameOf(last.area)
  if (open > CLOSES * frameMs)
    return {
      text: `${begin}${said(frameMs)}. The times of ${name} leave ${said(open)} of it unexplained.`,
      ...{ area: last.area, overMs, parts },
    }
  if (overMs <= Math.max(LITTLE_MS, LITTLE * frame.shareMs))
    return { text: `${begin}${said(frameMs)}, as good as the perfect share.`, area: last.area, overMs, parts }
  const reasons = [tracing(frame, last, parts.render), ...others(parts)]
    .filter(({ ms }) => ms > 0)
    .sort((a, b) => b.ms - a.ms)
  const [first, second] = reasons
  const more = second && second.ms > overMs / 4 ? ` ${sentence(second.text)}` : ''
  const alone = frame.areas.length === 1 && frame.shape === 'rows'
  const who = alone ? '' : `${name} ended last: `
  return {
    text: `${begin}${said(overMs)} over the perfect share. ${who === '' ? sentence(first?.text ?? '') : `${who}${first?.text ?? ''}.`}${more}`.trim(),
    ...{ area: last.area, overMs, parts },
  }
}

interface Reason {
  readonly ms: number
  readonly text: string
}

function tracing(frame: WholeFrame, area: AreaFrame, ms: number): Reason {
  const { cpuMs, expectedMs } = area
  const beyond = `it traced for ${said(area.ledger.render)}, ${said(Math.max(0, ms))} more than its share`
  const predicted =
    expectedMs === undefined
      ? beyond
      : Math.abs(cpuMs - expectedMs) <= RIGHT * cpuMs
        ? `${beyond}, as predicted`
        : `${said(expectedMs)} were predicted, ${said(cpuMs)} taken`
  return { ms, text: [predicted, ...taken(frame, area)].join('; ') }
}

/** What others took from it, and how long they had had nothing to do by then. */
function taken({ steals, areas }: WholeFrame, { area }: AreaFrame): string[] {
  const own = steals.filter(({ from }) => from === area)
  if (own.length === 0) return []
  const rows = own.reduce((sum, { rect }) => sum + rect.h, 0)
  const late = Math.max(
    ...own.map(({ at, to }) => {
      const { bars = [] } = areas.find(each => each.area === to) ?? {}
      const before = bars.findLast(({ kind, from }) => kind === 'render' && from < at)
      return before ? Math.max(0, at - before.to) : 0
    }),
  )
  const many = `${rows} ${rows === 1 ? 'row was' : 'rows were'} taken from it`
  return [late >= LITTLE_MS ? `${many}, ${said(late)} too late` : many]
}

function others({ stats, decide, dispatch, transmit, stitch, idle }: WhySlow['parts']): Reason[] {
  return [
    { ms: idle, text: `it waited for ${said(idle)} with nothing to do` },
    { ms: transmit + dispatch, text: `orders and answers were on their way for ${said(transmit + dispatch)}` },
    { ms: stats, text: `the master took ${said(stats)} to estimate costs, from the frames before` },
    { ms: decide, text: `the master took ${said(decide)} to decide who traces what` },
    { ms: stitch, text: `putting its pixels in place took ${said(stitch)}` },
  ]
}

const ZERO = Object.fromEntries(SPAN_KINDS.map(kind => [kind, 0])) as Record<SpanKind, number>

const said = (ms: number): string => longTime(ms) ?? (ms < 10 ? `${Number(ms.toFixed(1))} ms` : `${Math.round(ms)} ms`)
const sentence = (text: string): string => (text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`)
