/** What is asked of a frame in progress, and what it asks of the planner that remembers earlier ones. */
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import type { Bodies } from '../../shared/scene/bodies.ts'
import type { CostMap } from '../costs/cost-map.ts'
import type { CoverageMask } from '../coverage/coverage-mask.ts'
import type { Identify } from '../scheduling/blame.ts'
import type { LeaseNumbers } from '../scheduling/lease-numbers.ts'
import type { SchedulerLimits } from '../scheduling/limits.ts'
import type { AreaShare, Plan, PlanContext } from '../strategies/strategy.ts'
import type { FrameIntake, TracedTile } from './frame-planner.ts'
import type { NextPass } from './next-pass.ts'
import type { Resumed } from './resumed.ts'

/** What a frame needs from the planner that remembers earlier frames; the real one is `FramePlanner`. */
export interface Planning {
  /** Side of the cells for which costs are returned, px; 0: none. */
  readonly cell: number
  /** Of those that these areas shall return costs for. */
  cellFor(areas: readonly AreaShare[]): number
  /** @param bodies where things are; absent if nothing moves */
  planContext(camera: Camera, areas: readonly AreaShare[], bodies?: Bodies): PlanContext
  wantsCoverage(planContext: PlanContext): boolean
  wantsProbe(planContext: PlanContext): boolean
  plan(planContext: PlanContext, found: { readonly coverage?: CoverageMask; readonly probe?: CostMap }): Plan
  /** @param areas those that traced them */
  probed(tiles: readonly TracedTile[], areas: readonly AreaShare[]): CostMap
  /** Before the next pass of a frame whose passes double its samples; `before` as the one before it was planned with. */
  nextContext(before: PlanContext, areas: readonly AreaShare[], pass: NextPass): PlanContext
  /** For the tiles of a range of samples. @param shareOf knows areas that came later, too */
  intake(planContext: PlanContext, plan: Plan, shareOf: (area: string) => AreaShare | undefined): FrameIntake
}

export interface FrameOrder {
  readonly frame: number
  readonly camera: Camera
  /** Where things are; absent if nothing moves. */
  readonly bodies?: Bodies
  readonly size: Size
  /** Areas that may be given tiles. */
  readonly areas: readonly AreaShare[]
  /** Samples per pixel, and the number of ranges they are taken in. */
  readonly samples: number
  readonly passes: number
  /** Whether it is made in passes that double the samples, each over the cells that need more. @default false */
  readonly adaptive?: boolean
  /** The time that it has, ms from `beganAt`: passes double the samples until it is up. @default no limit */
  readonly timeMs?: number | undefined
  /** The most pixels of a tile, because of what they take on the wire; at least those of one row are. @default no limit */
  readonly mostTilePx?: number
  /** The most samples of a tile, over all of its pixels; at least those of some rows are. @default no limit */
  readonly mostTileSamples?: number | undefined
  readonly limits: SchedulerLimits
  readonly numbers: LeaseNumbers
  /** Says who an area is, whatever its id. @default by its id */
  readonly identify?: Identify
  /** Where it goes on. @default it is begun */
  readonly resumed?: Resumed | undefined
  /** When its camera and the reports of the earlier frames were available, ms on the master's clock. */
  readonly beganAt: number
}
