/**
 * Before the first session with a strategy, while workers prepare the scene, a few trial frames are planned, so that the
 * planning code is compiled before a frame has to wait for it. Uncompiled, the second frame's plan takes the master
 * several times as long as any later one's.
 */

import { scaledDown } from '../../shared/frame/rect.ts'
import { areaId } from '../../shared/ids.ts'
import type { PlannerSettings } from '../frames/frame-planner.ts'
import { trialFrames } from '../frames/trial-frames.ts'
import type { Strategy } from '../strategies/strategy.ts'

/** Number of trial frames: loops are compiled while they run, functions called once per frame only after a few calls. */
const ROUNDS = 6
/**
 * The most of a trial frame: the code is the same, and finishes sooner. None of them is in proportion to what a client may ask for, because
 * nobody has waited for its turn.
 */
const MOST = { px: 640 * 360, areas: 32 } as const
/** The smallest tiles and cells of a trial frame, px: some hundreds of tiles. */
const LEAST = { tile: 16, cell: 8 } as const

export class Rehearsals {
  /** Strategies whose code is compiled; two clients' own may have the same name. */
  readonly #done = new WeakSet<Strategy>()

  /** Rehearses a strategy that no session of this master has used yet; yields to other work between frames. */
  async of(settings: PlannerSettings, areas: number, signal: AbortSignal): Promise<void> {
    const { strategy } = settings
    if (this.#done.has(strategy)) return
    this.#done.add(strategy)
    const size = scaledDown(settings.size, MOST.px)
    const { tile, cell } = settings.options
    const options = {
      ...settings.options,
      ...(tile === undefined ? {} : { tile: Math.max(LEAST.tile, tile) }),
      cell: cell === 4 ? LEAST.cell : cell,
    }
    const count = Math.min(MOST.areas, Math.max(1, areas))
    const workers = Array.from({ length: count }, (_, i) => ({ id: areaId(`area ${i + 1}`), speed: 1 }))
    for (const _ of trialFrames({ ...settings, options, size, record: false }, workers, ROUNDS)) {
      await new Promise(resolve => setImmediate(resolve))
      if (signal.aborted) return
    }
  }
}
