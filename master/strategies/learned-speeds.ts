/**
 * How fast workers are, beside what they declare. Engines count the work that a tile takes in a unit of their own, the same
 * on every machine; who takes longer for it than the others is slower. What a unit of work takes depends a little on what is
 * seen, too. So many frames are averaged, and a speed is taken to be another one only when it is clearly another.
 */
import type { Clock } from '../../shared/frame-report.ts'
import type { AreaShare, PreviousFrame } from './strategy.ts'
import { nominalCost } from './tile-costs.ts'

/** What is known of a worker; 1: as fast as it declares, measured by all others. Plain data. */
export interface LearnedSpeed {
  /** Mean over frames, the newer the heavier, of the work that it does in its time over what the cluster does. */
  readonly ratio: number
  /** How many frames that were. */
  readonly frames: number
  /** What it is taken to be. */
  readonly taken: number
}

/** By worker. */
export type LearnedSpeeds = Readonly<Record<string, LearnedSpeed>>

/** A frame counts as much as the mean of this many before it. */
const MAX_FRAMES = 10
/** A speed that differs by less than this share is the same. */
const DEAD_BAND = 0.1

/** What is known after a frame. Workers that counted no work are as known as before. */
export function learnSpeeds(known: LearnedSpeeds, previous: PreviousFrame, clock: Clock): LearnedSpeeds {
  const timeOf = nominalCost(previous, clock)
  const done = new Map<string, { work: number; ms: number }>()
  const all = { work: 0, ms: 0 }
  for (const tile of previous.tiles) {
    if (tile.work === undefined) continue
    const own = done.get(tile.worker) ?? { work: 0, ms: 0 }
    done.set(tile.worker, own)
    for (const sum of [own, all]) {
      sum.work += tile.work
      sum.ms += timeOf(tile)
    }
  }
  const learned: Record<string, LearnedSpeed> = { ...known }
  for (const [worker, { work, ms }] of done) {
    if (!(work > 0 && ms > 0)) continue
    const { ratio, frames, taken } = known[worker] ?? { ratio: 1, frames: 0, taken: 1 }
    const mean = (ratio * frames + (work * all.ms) / (ms * all.work)) / (frames + 1)
    const differs = Math.abs(mean / taken - 1) > DEAD_BAND
    learned[worker] = { ratio: mean, frames: Math.min(frames + 1, MAX_FRAMES), taken: differs ? mean : taken }
  }
  return learned
}

/** What the speeds of these workers are taken to be over what they declare, where that is not 1. */
export const takenSpeeds = (learned: LearnedSpeeds, workers: readonly AreaShare[]): Record<string, number> =>
  Object.fromEntries(
    workers.flatMap(({ id }) => {
      const { taken } = learned[id] ?? { taken: 1 }
      return taken === 1 ? [] : [[id, taken]]
    }),
  )
