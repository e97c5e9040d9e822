/**
 * Which areas a frame takes where several sessions share the cluster: as many as pay for it. An area that traces for less time than its order
 * and its answer travel would serve another frame better, which can then be made side by side with this one. Pure.
 */
import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import { type AreaId, areaId } from '../../shared/ids.ts'

/** An area is to trace for at least so many round trips. */
const TRACING_TRIPS = 4
/** Shorter ones are not told from noise, ms. */
const MIN_TRIP_MS = 0.5

export interface ExpectedFrame {
  /** What a worker of speed 1 would take for a pass of it, ms of wall time. */
  readonly workMs: number
  readonly roundTripMs: number
  /** It takes at least this share of the speed of all areas, 0 to 1, lest some are idle. */
  readonly leastShare: number
  /** Number of other frames in progress that have claimed an area. */
  readonly claims: ReadonlyMap<AreaId, number>
  /** Areas of the frame before: strategies learn about those they know. */
  readonly before: ReadonlySet<string>
}

/** Sums of speeds differ in their last bits. */
const ROUNDING = 1 - 1e-9

type Area = Pick<WorkerInfo, 'id' | 'speed' | 'workerId'>

/** All areas of a worker or none, at least one worker; in the order in which they were given. */
export function areasThatPay<A extends Area>(
  areas: readonly A[],
  { workMs, roundTripMs, leastShare, claims, before }: ExpectedFrame,
): readonly A[] {
  const wantedSpeed = workMs / (TRACING_TRIPS * Math.max(roundTripMs, MIN_TRIP_MS))
  const workers = areasByWorker(areas).map(own => ({
    own,
    speed: speedOf(own),
    claims: Math.max(...own.map(({ id }) => claims.get(areaId(id)) ?? 0)),
    isKnown: own.some(({ id }) => before.has(id)),
  }))
  workers.sort((a, b) => a.claims - b.claims || Number(b.isKnown) - Number(a.isKnown) || b.speed - a.speed)
  const leastSpeed = leastShare * speedOf(areas) * ROUNDING
  const taken = new Set<A>()
  let speed = 0
  for (const worker of workers) {
    if (speed > 0 && speed >= wantedSpeed && speed >= leastSpeed) break
    for (const area of worker.own) taken.add(area)
    speed += worker.speed
  }
  return taken.size === areas.length ? areas : areas.filter(area => taken.has(area))
}

export const speedOf = (areas: readonly Pick<WorkerInfo, 'speed'>[]): number =>
  areas.reduce((sum, { speed }) => sum + speed, 0)

function areasByWorker<A extends Area>(areas: readonly A[]): A[][] {
  const workers = new Map<string, A[]>()
  for (const area of areas) {
    const { id, workerId = id } = area
    const own = workers.get(workerId)
    if (own) own.push(area)
    else workers.set(workerId, [area])
  }
  return [...workers.values()]
}
