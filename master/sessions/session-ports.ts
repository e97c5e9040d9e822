/** What sessions need from a master. */

import type { WithdrawnArea, WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { AreaId } from '../../shared/ids.ts'
import type { Traffic } from '../../shared/protocol/channel.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import type { Engines } from '../../shared/session/engines.ts'
import type { Clock } from '../../shared/time/clock.ts'
import type { PlaneWork } from '../assembly/shared-assembly.ts'
import type { Refusal } from '../cluster/cluster.ts'
import type { OwnWorkers } from '../cluster/own-workers.ts'
import type { SceneArrival } from '../cluster/scene-delivery.ts'
import type { Alarm, Ticker, Tracers } from '../live-frames/tracers.ts'
import type { TrustPorts } from '../live-frames/verification.ts'
import type { LeaseNumbers } from '../scheduling/lease-numbers.ts'
import type { SchedulerLimits } from '../scheduling/limits.ts'
import type { Rehearsals } from './rehearsals.ts'
import type { Thumbnails } from './thumbnails.ts'
import type { Turns } from './turns.ts'

/** What a session needs from the cluster; the real one is `Cluster`. */
export interface SessionCluster extends Tracers, TrustPorts {
  /** Has workers prepare a scene until it is released, and then drop it if it is passing. */
  provide(scene: NamedScene, passing?: boolean): void
  release(scene: string): void
  /** Areas that are ready for all of these scenes. */
  readyWorkers(engines: Engines, scenes: readonly string[]): WorkerInfo[]
  /** An area that is ready for all of these scenes; undefined if it is not. */
  readyArea(area: AreaId, engines: Engines, scenes: readonly string[]): WorkerInfo | undefined
  /** Why workers cannot use one of these scenes. */
  refusals(engines: Engines, scenes: readonly string[]): readonly Refusal[]
  workers(): WorkerInfo[]
  /** Areas that their workers have withdrawn. */
  withdrawn(): readonly WithdrawnArea[]
  /** Number of workers that are ready for scenes or on their way to them, of all or of those that are ready for another. */
  expectedWorkers(engines: Engines, scenes: readonly string[], having?: string): number
  /** How far the workers that were started with their master are with scenes; undefined if workers come from elsewhere. @default elsewhere */
  own?(scenes: readonly string[]): OwnWorkers | undefined
  /** What it took until they had a scene, of all workers that have it. */
  arrivals(scene: string): readonly SceneArrival[]
  /** Whether an area has traced a scene since it built it. */
  isWarm(area: AreaId, scene: string): boolean
  /** Says whether an area traces its first picture of a scene, or has traced one; undefined: neither. */
  setWarmth(area: AreaId, scene: string, warmth: 'warming' | 'warm' | undefined): void
  traffic(): Traffic
}

export interface SessionPorts {
  readonly cluster: SessionCluster
  readonly clock: Clock
  readonly ticker: Ticker
  readonly alarm: Alarm
  readonly limits: SchedulerLimits
  readonly numbers: LeaseNumbers
  readonly turns: Turns
  readonly thumbnails: Thumbnails
  readonly rehearsals: Rehearsals
  /** Uniform in [0, 1), not predictable by workers. */
  readonly random: () => number
  /** Threads for large frames. @default none: everything is done at once */
  readonly planes?: PlaneWork | undefined
}
