/**
 * Shares in proportion to measured throughput, in one step. What an area takes for w units of work is modelled as s + w/r: a fixed cost
 * per frame (start-up, transfers) and a rate. All areas end together at T with Σ r (T − s) = W over those with s < T; an area that cannot
 * even begin by then has share 0, and is tried again now and then with a little work, in case it has become faster.
 */
import { inProportion, type MeasuredArea, startingShares, type Within, type WithinInput, withMemory } from './within.ts'

/** What is known of one area. */
interface AreaModel {
  /** Fixed cost per frame, ms. */
  readonly startMs: number
  /** Work per ms beyond that; 0: nothing was measured. */
  readonly rate: number
  /** The newest measurement of work worth the name, for a line through two of them. */
  readonly last?: MeasuredArea
}

export interface ProportionalMemory {
  readonly models: readonly AreaModel[]
  /** Frames since areas with share 0 were tried. */
  readonly idle: number
}

/** An area that would shorten the frame by less than this share is not worth its orders. */
const MIN_SHARE = 0.02
/** An area with share 0 is tried with this share, after at least so many frames, and so seldom that it costs this share of the time. */
const TRIAL_SHARE = 0.02
const MIN_TRIAL_FRAMES = 32
const MAX_TRIAL_COST = 0.005
/** Two measurements tell start-up and rate apart where their work differs by this factor. */
const APART = 1.5
/** An area that did nothing of its share needs at least so many times as long as the frame took to begin. */
const LATE = 2
/** How much a new measurement counts beside what was known: chance makes it differ by some per cent. */
const NEWEST = 0.6

export const proportional: Within = withMemory<ProportionalMemory>({
  name: 'proportional',
  summary: 'shares in proportion to measured throughput, start-up costs included; rows move at the end',
  advice: 'the default: at the best share after one frame, and a device that does not pay costs next to nothing',
  source: 'sortfirst',
  stealing: true,
  divide(input) {
    const { previous } = input
    const models = modelsOf(input)
    if (!previous) return { shares: startingShares(input), memory: { models, idle: 0 } }
    const work = previous.measured.reduce((sum, area) => sum + area.work, 0) / previous.frames
    // Of a frame in which no work was counted, or no time, nothing can be learned.
    if (!(work > 0) || models.every(({ rate }) => !(rate > 0)))
      return { shares: previous.shares, memory: { models, idle: 0 } }
    const shares = endingTogether(models, work)
    if (shares.every(share => share > 0)) return { shares, memory: { models, idle: 0 } }
    const idle = (previous.memory?.idle ?? 0) + previous.frames
    if (idle < trialFrames(models, shares, work)) return { shares, memory: { models, idle } }
    return { shares: withTrials(shares), memory: { models, idle: 0 } }
  },
})

/** Frames between two trials: the longer a trial would hold the frame up, the more. */
function trialFrames(models: readonly AreaModel[], shares: readonly number[], work: number): number {
  const timeOf = ({ startMs, rate }: AreaModel, share: number) => startMs + (share * work) / rate
  const frameMs = Math.max(...models.map((model, i) => (shares[i]! > 0 ? timeOf(model, shares[i]!) : 0)))
  const trialMs = Math.max(
    ...models.map((model, i) => (shares[i]! > 0 || !(model.rate > 0) ? 0 : timeOf(model, TRIAL_SHARE))),
  )
  return Math.max(MIN_TRIAL_FRAMES, (trialMs / frameMs - 1) / MAX_TRIAL_COST)
}

function modelsOf({ areas, previous }: WithinInput<ProportionalMemory>): AreaModel[] {
  const known = areas.map((_, i): AreaModel => previous?.memory?.models[i] ?? { startMs: 0, rate: 0 })
  if (!previous) return known
  const { measured, frames } = previous
  const frameMs = Math.max(...measured.map(({ busyMs }) => busyMs)) / frames
  const learned = known.map((model, i) => {
    const isIdle = previous.shares[i] === 0
    // What it was given others have done before it came to it: all that is known is that it was not there in time.
    if (!isIdle && measured[i]!.work === 0) return { ...model, startMs: Math.max(model.startMs, LATE * frameMs) }
    return learn(model, perFrame(measured[i]!, frames))
  })
  // An area that has not been measured yet is as fast as it declares, judged by those that have been.
  const judges = learned.flatMap(({ rate }, i) => (rate > 0 && areas[i]!.speed > 0 ? [rate / areas[i]!.speed] : []))
  const pace = judges.reduce((sum, each) => sum + each, 0) / Math.max(1, judges.length)
  return learned.map((model, i) => (model.rate > 0 ? model : { ...model, rate: pace * areas[i]!.speed }))
}

const perFrame = ({ busyMs, work }: MeasuredArea, frames: number): MeasuredArea => ({
  busyMs: busyMs / frames,
  work: work / frames,
})

function learn(model: AreaModel, now: MeasuredArea): AreaModel {
  const { busyMs, work } = now
  if (!(work > 0 && busyMs > 0)) return model
  const { last } = model
  if (!last) return { startMs: 0, rate: work / busyMs, last: now }
  const isApart = work > APART * last.work || last.work > APART * work
  if (isApart) {
    // A line through both, that neither falls nor begins below 0.
    const slope = (busyMs - last.busyMs) / (work - last.work)
    const startMs = Math.min(busyMs, Math.max(0, busyMs - slope * work))
    const rate = work / Math.max(busyMs - startMs, busyMs * 1e-3)
    return slope > 0 ? { startMs, rate, last: now } : { startMs: busyMs * 0.9, rate: work / (busyMs * 0.1), last: now }
  }
  const rate = work / Math.max(busyMs - model.startMs, busyMs * 1e-3)
  return { ...model, rate: model.rate + NEWEST * (rate - model.rate), last: now }
}

/** Shares with which all areas end at the same time; 0 for those that would only begin then. */
export function endingTogether(models: readonly Pick<AreaModel, 'startMs' | 'rate'>[], work: number): number[] {
  // The earliest beginners first: each that joins brings the end forward, until one would begin after it.
  const order = models.map((_, i) => i).sort((a, b) => models[a]!.startMs - models[b]!.startMs)
  let rates = 0
  let begun = 0
  let end = Number.POSITIVE_INFINITY
  for (const i of order) {
    const { startMs, rate } = models[i]!
    if (startMs >= end) break
    if (!(rate > 0)) continue
    rates += rate
    begun += rate * startMs
    end = (work + begun) / rates
  }
  const shares = models.map(({ startMs, rate }) => (startMs < end ? (rate * (end - startMs)) / work : 0))
  const kept = shares.map(share => (share < MIN_SHARE ? 0 : share))
  const total = kept.reduce((sum, share) => sum + share, 0)
  // Start-up costs many orders of magnitude above the work leave nothing but rounding.
  if (!(total > 0 && Number.isFinite(total))) return inProportion(models.map(({ rate }) => rate))
  return kept.map(share => share / total)
}

function withTrials(shares: readonly number[]): number[] {
  const trials = shares.filter(share => share === 0).length * TRIAL_SHARE
  return shares.map(share => (share === 0 ? TRIAL_SHARE : share * (1 - trials)))
}
