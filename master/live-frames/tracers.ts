/** What frames, checks and warm-up need from the cluster, and from the master's clock. */

import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { Clock } from '../../shared/time/clock.ts'
import type { ClusterListener } from '../cluster/cluster.ts'
import type { LeaseHolder, TileRequest } from '../cluster/open-leases.ts'
import type { Identity } from '../scheduling/blame.ts'
import type { QuarantineCause } from '../scheduling/events.ts'
import type { NoWorkersError } from '../sessions/errors.ts'

/** Operations on areas, for any scene. */
export interface Tracers {
  /** A number for a frame in progress, or a moment of one, unique for the cluster's lifetime. */
  nextWork(): number
  /** Has an area trace a tile; `holder` hears of the answers. */
  trace(area: AreaId, order: TileRequest, holder: LeaseHolder): void
  trim(area: AreaId, lease: LeaseId, rows: number): void
  cancel(area: AreaId, lease: LeaseId): void
  /** An area traced what this one, by its identity, failed. */
  blame(who: string, reason: string): void
  /** Excludes an area from further frames for a while. */
  quarantine(area: AreaId, reason: string, cause: QuarantineCause): void
  /** An area that was excluded for its silence has answered. */
  liftQuarantine(area: AreaId): void
  /** Gives up all tiles with a number. */
  cancelWork(work: number): void
  /** Who an area is, whatever its id. */
  identify(area: AreaId): Identity
  subscribe(listener: ClusterListener): () => void
  /** Areas of which nothing has been heard for a moment. A live view. */
  readonly quiet: ReadonlySet<AreaId>
  /** Bytes of answers received so far from an area's worker, complete or not. */
  received(area: AreaId): number
}

/** What tracing a frame needs from the cluster. */
export interface TileTracers extends Tracers {
  /** Areas that are ready for the scene. */
  ready(): readonly WorkerInfo[]
  /** An area that is ready for the scene; undefined if it is not. */
  readyArea(area: AreaId): WorkerInfo | undefined
  /** Number of workers that are ready for the scene or on their way to it. */
  expectedWorkers(): number
  /** Whether there are fewer workers than `least`, and no more can come. @default others can */
  isDeserted?(least: number): boolean
  /** There are too few workers, which were waited for so long, ms; undefined: waiting would not help. */
  tooFew(wanted: number, waitMs: number | undefined): NoWorkersError
}

/** Calls `tick` periodically until the returned function is called. */
export type Ticker = (tick: () => void) => () => void

/** Calls `wake` once after `inMs` unless the returned function is called first. */
export type Alarm = (wake: () => void, inMs: number) => () => void

export interface TracePorts {
  readonly tracers: TileTracers
  readonly clock: Clock
  readonly ticker: Ticker
  readonly alarm: Alarm
  /** How long a frame without any area waits for one, ms; it changes. */
  readonly waitMs: number
}
