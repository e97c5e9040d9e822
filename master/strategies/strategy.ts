/** A strategy distributes one frame among workers: one pure rule per file, one registry (`index.ts`). */

import type { Clock } from '../../shared/frame/frame-limits.ts'
import type { TileReport } from '../../shared/frame/frame-report.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import type { AreaId } from '../../shared/ids.ts'
import type { Bodies } from '../../shared/scene/bodies.ts'
import type { StrategyOptions } from '../../shared/session/strategy-options.ts'
import type { CostHistory } from '../costs/cost-history.ts'
import type { CostMap } from '../costs/cost-map.ts'
import type { CostPredictor } from '../costs/predictors/predictor.ts'
import type { CoverageMask } from '../coverage/coverage-mask.ts'

/** A worker as a strategy sees it. */
export interface AreaShare {
  readonly id: AreaId
  /** Relative throughput, 1 = nominal; a worker of speed 0 is given nothing. */
  readonly speed: number
  /** Its engine's preference: rows, or approximate pixels, that it starts at once towards the end of a tile. @default 8 rows */
  readonly grain?: { readonly rows: number; readonly pixels?: number }
  /** The worker whose area it is, by the id of its first area. @default the area is all there is of its worker */
  readonly workerId?: AreaId
}

/** A tile of a plan and its worker; without `worker`, the first idle one takes it. */
export interface PlannedTile extends PixelSet {
  readonly worker?: AreaId
}

/** A strategy's result for one frame. `Memory` is its private state, opaque to everything else. */
export interface Plan<Memory = unknown> {
  /** Partition the frame, in the order in which they should be sent. */
  readonly tiles: readonly PlannedTile[]
  /**
   * What a worker that runs dry may take from others: `tiles` that wait for their worker, or also `rows` of a tile that
   * is being traced, or `own-rows`, those of the other areas of the same worker only. @default only tiles without a worker
   */
  readonly stealing?: 'tiles' | 'rows' | 'own-rows'
  /**
   * Tiles that a worker may hold in addition to the one that it traces, so that the next one travels meanwhile; includes
   * tiles without a worker. Tiles not started when another worker runs dry go to that worker. @default one of its own,
   * none without a worker
   */
  readonly ahead?: number
  /**
   * Late tiles are also traced by idle workers, and the first result is used. Only for strategies that adapt: a control
   * must not be helped. `own-areas`: only by other areas of the same worker. @default false
   */
  readonly duplicates?: true | 'own-areas'
  /** Areas that sit this frame out: they do not take over tiles of others either. */
  readonly resting?: readonly AreaId[]
  /** The frame's predicted costs; used for row stealing and to compute the prediction error. */
  readonly predicted?: CostMap
  /** By worker: ratio of its actual to its declared speed, where that is not 1. Used to convert its measurements to speed 1. */
  readonly learned?: Readonly<Record<string, number>>
  /** Returned to the strategy with the next frame, unread. Plain data. */
  readonly memory?: Memory
  /** Counts of what was decided, for reports. */
  readonly decisions?: Readonly<Record<string, number>>
}

/** Everything a strategy may know. Includes all that is learned between frames, so a replay needs no cluster. */
export interface FrameInput<Memory = unknown> {
  readonly size: Size
  /** At least one, in a stable order; at least one of them faster than 0. */
  readonly workers: readonly AreaShare[]
  readonly camera: Camera
  /** Where things are; absent if nothing moves. */
  readonly bodies?: Bodies
  readonly options: StrategyOptions
  /** The one that `options.predictor` names, which may be a user's own. */
  readonly predictor: CostPredictor
  /** Where geometry projects in this frame; present if the strategy requested it. */
  readonly coverage?: CoverageMask
  /** Costs of this very frame, from one pixel in each cell; present if the strategy requested a probe. */
  readonly probe?: CostMap
  /** The newest complete frame of this run at this size. */
  readonly previous?: PreviousFrame<Memory>
  /** Fine costs of the newest complete frames, if the strategy has them measured. */
  readonly history: CostHistory
  /** Which of a tile's times is its cost. */
  readonly clock: Clock
}

/** What is known before coverage or a probe is requested. */
export type PlanContext<Memory = unknown> = Omit<FrameInput<Memory>, 'coverage' | 'probe'>

export interface PreviousFrame<Memory = unknown> {
  /** As planned. */
  readonly plan: Plan<Memory>
  /** As traced: a partition of the frame, in which rescued and stolen tiles may be in pieces. */
  readonly tiles: readonly TileReport[]
  /** The workers that the plan was made for. */
  readonly workers: readonly AreaShare[]
}

/** Small tiles of one size. */
export interface SmallTiles {
  /** px */
  readonly w: number
  readonly h: number
  /** How workers are told of them: in an order for each; each named in an order for many; by a rule for all. */
  readonly as: 'orders' | 'list' | 'rule'
}

/**
 * A strategy that reads its memory is written as a `Strategy` of that type, and used as one of unknown memory: see
 * `remembering`.
 */
export interface Strategy<Memory = unknown> {
  /** Used on the command line, in reports and as the name of the file. */
  readonly name: string
  /** One line for `sortfirst strategies`: what it does. */
  readonly summary: string
  /** One line: when to use it, when not. */
  readonly advice: string
  /** Where it was published; `control` for those that ship for comparison. */
  readonly source: string
  /** Options that it reads; when it runs alone, the command line rejects any other. @default none */
  readonly reads?: readonly (keyof StrategyOptions)[]
  /** Whether `plan` wants a coverage mask, given what is known. @default never */
  wantsCoverage?(input: PlanContext): boolean
  /** Whether one pixel of each cell of the frame should be traced before `plan` is called. @default never */
  wantsProbe?(input: PlanContext): boolean
  /** Side of the cells for which costs are measured, px, 0 for none. @default 0 */
  cellSize?(options: StrategyOptions): number
  /** The grid of small tiles that it cuts each pass into: what it may cost is reckoned from them. @default a few tiles for each worker */
  smallTiles?(options: StrategyOptions, size: Size): SmallTiles
  /** Equal inputs give equal plans. */
  readonly plan: (input: FrameInput<Memory>) => Plan<Memory>
}

/**
 * A strategy as seen by all other code, for which its memory is opaque. Here, and only here, it is assumed that a
 * strategy receives its own memory: frames are planned through a `FramePlanner`, which is created for one strategy.
 */
export const remembering = <Memory>(strategy: Strategy<Memory>): Strategy => strategy as Strategy

/** The workers that can be given work. */
export const workingShares = (workers: readonly AreaShare[]): AreaShare[] => workers.filter(worker => worker.speed > 0)
