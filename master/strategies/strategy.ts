/** A way to share one frame among workers: one pure rule per file, one registry (`index.ts`). */
import type { Clock, TileReport } from '../../shared/frame-report.ts'
import type { AreaId } from '../../shared/ids.ts'
import type { PixelSet } from '../../shared/pixel-set.ts'
import type { Size } from '../../shared/rect.ts'
import type { StrategyOptions } from '../../shared/strategy-options.ts'
import type { Camera } from '../../shared/view.ts'
import type { CostHistory } from '../costs/cost-history.ts'
import type { CostMap } from '../costs/cost-map.ts'
import type { CoverageMask } from '../coverage/coverage-mask.ts'

/** A worker as a strategy sees it. */
export interface AreaShare {
  readonly id: AreaId
  /** Relative throughput, 1 = nominal; a worker of speed 0 is given nothing. */
  readonly speed: number
  /** What its engine likes: towards the end of a tile it begins with so many rows, or about so many pixels, at once. @default 8 rows */
  readonly grain?: { readonly rows: number; readonly pixels?: number }
}

/** A tile of a plan and who traces it; with no `worker` the first idle one takes it. */
export interface PlannedTile extends PixelSet {
  readonly worker?: AreaId
}

/** A strategy's answer for one frame. `Memory` is what it remembers: its own business, and unknown to everybody else. */
export interface Plan<Memory = unknown> {
  /** Partition the frame, in the order in which they should be sent. */
  readonly tiles: readonly PlannedTile[]
  /**
   * What a worker with nothing left may take of others: `tiles` that wait for their worker, or also `rows` of a tile
   * that is being traced. @default nothing but tiles without a worker
   */
  readonly stealing?: 'tiles' | 'rows'
  /**
   * Tiles that a worker may hold besides the one that it traces, so that the next one travels meanwhile; those without a
   * worker among them. What is not begun when another worker runs dry goes there. @default one of its own, none of others
   */
  readonly ahead?: number
  /**
   * A tile that is late is traced by idle workers, too, and the first result is taken. Only for strategies that adapt: a
   * control that was helped would not be one. @default false
   */
  readonly duplicates?: true
  /** What the plan expects the frame to cost; rows are stolen, and errors of prediction counted, by it. */
  readonly predicted?: CostMap
  /**
   * By worker: how fast it turned out to be, over what it declares, where that is not 1. What it measures is brought to
   * speed 1 by it.
   */
  readonly learned?: Readonly<Record<string, number>>
  /** Handed back to the strategy with the next frame, unread. Plain data. */
  readonly memory?: Memory
  /** What was decided, counted: for reports. */
  readonly decisions?: Readonly<Record<string, number>>
}

/** Everything a strategy may know. Whatever is learned between frames is in here, so a replay needs no cluster. */
export interface FrameInput<Memory = unknown> {
  readonly size: Size
  /** At least one, in an order that stays; at least one of them faster than 0. */
  readonly workers: readonly AreaShare[]
  readonly camera: Camera
  readonly options: StrategyOptions
  /** Where geometry projects in this frame; there when the strategy said it wants it. */
  readonly coverage?: CoverageMask
  /** Costs of this very frame, from one pixel in each cell; there when the strategy asked for a probe. */
  readonly probe?: CostMap
  /** The newest complete frame of this run at this size. */
  readonly previous?: PreviousFrame<Memory>
  /** Fine costs of the newest complete frames, if the strategy has them measured. */
  readonly history: CostHistory
  /** Which of a tile's times is its cost. */
  readonly clock: Clock
}

/** What is known before coverage or a probe is asked for. */
export type PlanContext<Memory = unknown> = Omit<FrameInput<Memory>, 'coverage' | 'probe'>

export interface PreviousFrame<Memory = unknown> {
  /** As planned. */
  readonly plan: Plan<Memory>
  /** As traced: a partition of the frame, in which rescued and stolen tiles may stand in pieces. */
  readonly tiles: readonly TileReport[]
  /** Who the plan was made for. */
  readonly workers: readonly AreaShare[]
}

/** One that reads its memory is written as a `Strategy` of that, and used as one of nothing known: see `remembering`. */
export interface Strategy<Memory = unknown> {
  /** On the command line, in reports and of the file. */
  readonly name: string
  /** One line for `sortfirst strategies`: what it does. */
  readonly summary: string
  /** One line: when to use it, when not. */
  readonly advice: string
  /** Where it was published; `control` for those that ship for comparison. */
  readonly source: string
  /** Options that it listens to; told any other, and alone, the command line complains. @default none */
  readonly reads?: readonly (keyof StrategyOptions)[]
  /** Whether `plan` wants a coverage mask, given what is known. @default never */
  wantsCoverage?(input: PlanContext): boolean
  /** Whether one pixel of each cell of the frame shall be traced before `plan` is asked. @default never */
  wantsProbe?(input: PlanContext): boolean
  /** Side of the cells that costs are measured for, px, 0 for none. @default 0 */
  cellSize?(options: StrategyOptions): number
  /** Equal inputs give equal plans. */
  readonly plan: (input: FrameInput<Memory>) => Plan<Memory>
}

/**
 * A strategy as everybody else sees it, to whom its memory is something to hand back. Here, and only here, it is taken on trust
 * that a strategy is handed its own: frames are planned through a `FramePlanner`, and that is made for one strategy.
 */
export const remembering = <Memory>(strategy: Strategy<Memory>): Strategy => strategy as Strategy

/** The workers that can be given work. */
export const workingShares = (workers: readonly AreaShare[]): AreaShare[] => workers.filter(worker => worker.speed > 0)
