/** What the scenarios add up to. */
import { quantile } from '../../../shared/metrics/statistics.ts'
import type { FailureKind, Played } from './play.ts'
import { FAULTS, type FaultName, type Notice, noticeOf, slows } from './scenario.ts'

/** ms; null where there was none. */
export interface NoticeFigures {
  readonly closed: number | null
  readonly silent: number | null
  /** Of workers that are heard, and hear nothing. */
  readonly deaf: number | null
}

export interface FaultFigures {
  /** How often it struck. */
  readonly strikes: number
  /** Until the master had dropped the worker, ms: median and worst. */
  readonly noticedMs: { readonly median: number; readonly worst: number } | null
  /** How much later the film was, of scenarios with this fault alone, ms: median and worst. */
  readonly addedMs: { readonly median: number; readonly worst: number } | null
}

export interface FaultsFigures {
  readonly scenarios: number
  /** Scenarios with a frame of other bytes, without a frame although workers remained, and without one for too long. */
  readonly wrongBytes: number
  readonly lostFrames: number
  readonly hangs: number
  /** Workers that the master did not drop although it had to. */
  readonly unnoticed: number
  /** From the fault until the master had dropped the worker, ms: medians. */
  readonly noticedMs: NoticeFigures
  readonly noticedWorstMs: NoticeFigures
  /** How much later the film was than undisturbed, ms, where the master lost workers and no other became slow. */
  readonly addedMs: { readonly p50: number | null; readonly p99: number | null; readonly goalMissed: number }
  /** The same where workers became slow: a longer or narrower line, less of a processor. */
  readonly slowedMs: { readonly p50: number | null; readonly p99: number | null }
  /** A film without faults, ms: median. */
  readonly filmMs: number | null
  /** Strikes whose phase did not come. */
  readonly unfired: number
  readonly faults: Partial<Record<FaultName, FaultFigures>>
}

/** A loss may cost so much of the undisturbed film, and at least so many ms. */
const GOAL = { share: 0.25, ms: 500 } as const

export function faultsFigures(played: readonly Played[]): FaultsFigures {
  const count = (kind: FailureKind) =>
    played.filter(({ failures }) => failures.some(failure => failure.kind === kind)).length
  const all = played.flatMap(({ struck }) => struck)
  const noticed = (notice: Notice, at: number) =>
    at1(
      all.flatMap(({ strike, noticedMs }) =>
        noticeOf(strike.fault) === notice && noticedMs !== undefined && noticedMs < Infinity ? [noticedMs] : [],
      ),
      at,
    )
  const isWhole = ({ failures }: Played) => failures.length === 0
  const isSlowed = ({ struck }: Played) => struck.some(({ strike }) => slows(strike.fault))
  const slowed = played.filter(each => isWhole(each) && isSlowed(each)).map(addedMs)
  const losses = played.filter(
    each => isWhole(each) && !isSlowed(each) && each.struck.some(({ noticedMs }) => noticedMs !== undefined),
  )
  const added = losses.map(addedMs)
  const missed = losses.filter(each => addedMs(each) > Math.max(GOAL.ms, GOAL.share * each.undisturbedMs))
  return {
    scenarios: played.length,
    wrongBytes: count('wrong'),
    lostFrames: count('lost'),
    hangs: count('hang'),
    unnoticed: count('unnoticed'),
    noticedMs: { closed: noticed('closed', 0.5), silent: noticed('silent', 0.5), deaf: noticed('deaf', 0.5) },
    noticedWorstMs: { closed: noticed('closed', 1), silent: noticed('silent', 1), deaf: noticed('deaf', 1) },
    addedMs: { p50: at1(added, 0.5), p99: at1(added, 0.99), goalMissed: missed.length },
    slowedMs: { p50: at1(slowed, 0.5), p99: at1(slowed, 0.99) },
    filmMs: at1(
      played.map(({ undisturbedMs }) => undisturbedMs),
      0.5,
    ),
    unfired: all.filter(({ fired }) => !fired).length,
    faults: Object.fromEntries(FAULTS.flatMap(({ name }) => figuresOf(name, played))),
  }
}

function figuresOf(name: FaultName, played: readonly Played[]): [FaultName, FaultFigures][] {
  const struck = played.flatMap(({ struck }) => struck).filter(({ strike, fired }) => fired && strike.fault === name)
  if (struck.length === 0) return []
  const alone = played.filter(
    ({ struck, failures }) =>
      failures.length === 0 && struck.length === 1 && struck[0]!.fired && struck[0]!.strike.fault === name,
  )
  const noticed = struck.flatMap(({ noticedMs }) =>
    noticedMs !== undefined && noticedMs < Infinity ? [noticedMs] : [],
  )
  return [[name, { strikes: struck.length, noticedMs: spread(noticed), addedMs: spread(alone.map(addedMs)) }]]
}

const addedMs = ({ tookMs, undisturbedMs }: Played): number => tookMs - undisturbedMs

const spread = (values: readonly number[]): { median: number; worst: number } | null =>
  values.length === 0 ? null : { median: at1(values, 0.5)!, worst: at1(values, 1)! }

/** A quantile, to tenths; null of nothing. */
const at1 = (values: readonly number[], at: number): number | null =>
  values.length === 0
    ? null
    : Math.round(
        10 *
          quantile(
            [...values].sort((a, b) => a - b),
            at,
          ),
      ) / 10
