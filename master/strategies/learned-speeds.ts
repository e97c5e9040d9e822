/**
 * How fast workers really are compared with their declared speeds. Engines count the work of a tile in their own unit,
 * identical on every machine; a worker that takes longer for it than the others is slower. The time per unit of work also
 * depends slightly on what is seen, so many frames are averaged, and a speed is changed only when it clearly differs.
 */
import type { Clock } from '../../shared/frame/frame-limits.ts'
import type { AreaShare, PreviousFrame } from './strategy.ts'
import { nominalCost } from './tiles/tile-costs.ts'

/** What is known about a worker; 1: as fast as it declares, relative to the whole cluster. Plain data. */
export interface LearnedSpeed {
  /** Mean over frames, newer ones weighted more, of its throughput in work relative to the cluster's. */
  readonly ratio: number
  /** Number of frames averaged. */
  readonly frames: number
  /** The value in use. */
  readonly taken: number
}

/** By worker. */
export type LearnedSpeeds = Readonly<Record<string, LearnedSpeed>>

/** Maximum weight, in frames, of the mean of earlier frames. */
const MAX_FRAMES = 10
/** Speeds that differ by less than this share count as equal. */
const DEAD_BAND = 0.1

/** Updates the known speeds after a frame; those of workers that counted no work are unchanged. */
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

/** Ratios of the speeds in use to the declared ones, where they are not 1. */
export const takenSpeeds = (learned: LearnedSpeeds, workers: readonly AreaShare[]): Record<string, number> =>
  Object.fromEntries(
    workers.flatMap(({ id }) => {
      const { taken } = learned[id] ?? { taken: 1 }
      return taken === 1 ? [] : [[id, taken]]
    }),
  )
