/** A way to share one frame among workers: one pure rule per file, one registry (`index.ts`). */
import type { Clock, TileReport } from '../../shared/frame-report.ts'
import type { WorkerId } from '../../shared/ids.ts'
import type { Rect, Size } from '../../shared/rect.ts'
import type { CoverageMask } from '../coverage/coverage-mask.ts'

/** Name on the command line, in reports and of the file. */
export type StrategyName = 'single-worker' | 'static-blocks' | 'frozen' | 'pbt'

/** A worker as a strategy sees it. */
export interface WorkerShare {
  readonly id: WorkerId
  /** Relative throughput, 1 = nominal; a worker of speed 0 is given nothing. */
  readonly speed: number
}

/** A tile of a plan and who traces it; with no `worker` the first idle one takes it. */
export interface PlannedTile {
  readonly rect: Rect
  readonly worker?: WorkerId
}

/** Everything a strategy may know. Whatever is learned between frames is in here, so a replay needs no cluster. */
export interface FrameInput {
  readonly size: Size
  /** At least one, in an order that stays; at least one of them faster than 0. */
  readonly workers: readonly WorkerShare[]
  /** Where geometry projects in this frame; there when the strategy said it wants it. */
  readonly coverage?: CoverageMask
  /** The newest complete frame of this run at this size. */
  readonly previous?: PreviousFrame
  /** Which of a tile's times is its cost. */
  readonly clock: Clock
}

export interface PreviousFrame {
  /** As planned. */
  readonly plan: readonly PlannedTile[]
  /** As traced: a partition of the frame, in which rescued tiles may stand in pieces. */
  readonly tiles: readonly TileReport[]
  /** Who the plan was made for. */
  readonly workers: readonly WorkerShare[]
}

export interface Strategy {
  readonly name: StrategyName
  /** One line for `sortfirst strategies`. */
  readonly summary: string
  /** Where it was published; `control` for those that ship for comparison. */
  readonly source: string
  /** Whether `plan` wants a coverage mask, given what is known. */
  wantsCoverage(input: Omit<FrameInput, 'coverage'>): boolean
  /** Tiles that partition the frame, in the order in which they should be sent. Equal inputs give equal plans. */
  plan(input: FrameInput): PlannedTile[]
}

/** The workers that can be given work. */
export const workingShares = (workers: readonly WorkerShare[]): WorkerShare[] =>
  workers.filter(worker => worker.speed > 0)
