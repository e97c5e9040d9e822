/**
 * Workers that do what a frame's schedule says, and hold it to its promises: no pixel is accepted twice or lost, none is
 * with more than two workers, and none goes back to where it failed as long as somebody else could try.
 */
import type { Action, ClusterEvent } from '../../master/scheduling/events.ts'
import { FrameSchedule } from '../../master/scheduling/frame-schedule.ts'
import { leaseNumbers } from '../../master/scheduling/lease-numbers.ts'
import { DEFAULT_LIMITS } from '../../master/scheduling/limits.ts'
import type { AreaShare, Plan } from '../../master/strategies/strategy.ts'
import { forEachRun, type PixelSet } from '../../shared/frame/pixel-set.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { type AreaId, areaId, type LeaseId } from '../../shared/ids.ts'
import { expectPartition } from './partition.ts'
import { ready } from './schedules.ts'

/** What a worker holds of a lease. */
export interface HeldLease {
  readonly id: LeaseId
  readonly worker: AreaId
  readonly tile: PixelSet
  /** The row that it will answer next. */
  next: number
  /** Rows from here on are not wanted; rows from `end` on are not traced either. */
  wanted: number
  end: number
}

export class ToyWorkers {
  readonly schedule: FrameSchedule
  /** Those that give no sign of life. */
  readonly hung = new Set<AreaId>()
  readonly quarantined = new Set<AreaId>()
  readonly left = new Set<AreaId>()
  #wasQuiet = false
  #hasNewcomers = false
  readonly held = new Map<LeaseId, HeldLease>()
  now = 0
  outcome: 'complete' | 'failed' | undefined
  readonly #size: Size
  readonly #plan: Plan
  readonly #accepted: PixelSet[] = []
  /** By pixel: whether it has been accepted, and on whom it has failed. */
  readonly #isAccepted: Uint8Array
  readonly #failedOn = new Map<number, readonly string[]>()
  #lastLease = -1
  #joined = 0
  #returned = 0

  constructor(size: Size, plan: Plan, workers: readonly AreaShare[]) {
    this.#size = size
    this.#plan = plan
    this.#isAccepted = new Uint8Array(size[0] * size[1])
    this.schedule = new FrameSchedule(plan, workers, leaseNumbers(), DEFAULT_LIMITS, area => ({
      area: nameOf(area),
      worker: nameOf(area),
    }))
    this.#take(this.schedule.begin(0))
  }

  tell(event: ClusterEvent): void {
    const failing = event.type === 'tile-failed' ? this.held.get(event.lease) : undefined
    if (event.type === 'tile-failed') this.held.delete(event.lease)
    if (event.type === 'area-lost')
      for (const { id, worker } of this.held.values()) if (worker === event.area) this.held.delete(id)
    if (failing)
      for (const pixel of this.#pixels(wantedOf(failing)))
        this.#failedOn.set(pixel, [...(this.#failedOn.get(pixel) ?? []), nameOf(failing.worker)])
    // The last one is kept.
    if (event.type === 'area-quarantined' && this.schedule.live.has(event.area) && this.schedule.live.size > 1)
      this.quarantined.add(event.area)
    if (event.type === 'area-ready') {
      this.quarantined.delete(event.area)
      this.#hasNewcomers = true
    }
    const actions = this.schedule.happened(event, this.now)
    const given = actions.find(({ type }) => type === 'frame-failed')
    if (given && failing) this.#checkGivenUp(failing)
    this.#take(actions)
  }

  /** A worker that was not there before. */
  join(): void {
    this.tell(ready(areaId(`n${this.#joined++}`)))
  }

  /** A worker is back, under a new id: what it failed before it has failed. */
  return(worker: AreaId): void {
    this.tell(ready(areaId(`${nameOf(worker)}#${++this.#returned}`)))
  }

  /** The next answer to a lease: so many rows of it, or as many as are left. */
  answer(lease: HeldLease, rows = Number.POSITIVE_INFINITY): void {
    const { id, worker, next: from } = lease
    const to = Math.min(lease.end, from + rows)
    const more = to < lease.end
    lease.next = to
    if (!more) this.held.delete(id)
    this.tell({ type: 'tile-done', area: worker, lease: id, from, to, more })
  }

  /** It leaves, and still answers what it has begun: up to `begun` rows more of each of its leases. */
  leave(worker: AreaId, begun: number): void {
    const keeps = new Map<LeaseId, number>()
    for (const lease of [...this.held.values()].filter(each => each.worker === worker)) {
      const row = Math.min(lease.end, lease.next + begun)
      if (row === lease.next) this.held.delete(lease.id)
      else keeps.set(lease.id, row)
      // Threads may have taken a row more while it counted.
      lease.end = Math.min(lease.end, row + (this.now % 2))
      lease.wanted = Math.min(lease.wanted, row)
    }
    this.left.add(worker)
    this.tell({ type: 'area-leaving', area: worker, keeps })
  }

  /** Nothing is heard of these for a moment, or of nobody. */
  quiet(areas: readonly AreaId[]): void {
    this.#wasQuiet ||= areas.length > 0
    this.tell({ type: 'quiet', areas: new Set(areas) })
  }

  /** Time passes; whoever is not hung says that it advances. */
  wait(ms: number): void {
    this.now += ms
    for (const { id, worker } of [...this.held.values()])
      if (!this.hung.has(worker)) this.tell({ type: 'tile-progress', area: worker, lease: id })
    this.tell({ type: 'tick' })
  }

  /** Everybody who is not hung works until nothing is left to do. */
  finish(): void {
    if (this.#wasQuiet) this.quiet([])
    for (let rounds = 0; !this.outcome; rounds++) {
      if (rounds > 2000) throw new Error('the frame does not end')
      const next = [...this.held.values()].find(({ worker }) => !this.hung.has(worker))
      if (next) this.answer(next)
      else {
        // Those that hang are waited for until there is somebody else.
        this.join()
        this.wait(2 * DEFAULT_LIMITS.silentAfterMs)
      }
    }
    if (this.outcome !== 'complete') return
    if ([...this.schedule.open()].length > 0) throw new Error('a complete frame has open leases')
    expectPartition(this.#accepted, this.#size)
  }

  #take(actions: readonly Action[]): void {
    for (const action of actions) {
      switch (action.type) {
        case 'trace':
          this.#begin(action)
          break
        case 'trim': {
          const lease = this.held.get(action.lease)
          if (!lease) break
          lease.wanted = Math.min(lease.wanted, lease.tile.rect.y + action.rows)
          // A worker may have begun with a few rows more.
          lease.end = Math.min(lease.end, lease.wanted + ((this.now + action.lease) % 3))
          break
        }
        case 'cancel':
          this.held.delete(action.lease)
          break
        case 'accept':
          this.#accepted.push(action.tile)
          for (const pixel of this.#pixels(action.tile)) {
            if (this.#isAccepted[pixel]) throw new Error(`pixel ${pixel} was accepted twice`)
            this.#isAccepted[pixel] = 1
          }
          break
        case 'quarantine':
          if (this.quarantined.has(action.area)) throw new Error(`${action.area} was quarantined twice`)
          this.quarantined.add(action.area)
          // It is not told: should it ever answer, it was slow.
          if (action.cause === 'silence')
            for (const { id, worker } of [...this.held.values()]) if (worker === action.area) this.held.delete(id)
          break
        case 'frame-complete':
        case 'frame-failed':
          if (this.outcome) throw new Error('the frame ended twice')
          this.outcome = action.type === 'frame-failed' ? 'failed' : 'complete'
      }
    }
    this.#checkCopies()
  }

  #begin({ area: worker, lease: id, tile }: Extract<Action, { type: 'trace' }>): void {
    const { y, h } = tile.rect
    if (id <= this.#lastLease) throw new Error(`lease ${id} after ${this.#lastLease}`)
    this.#lastLease = id
    if (this.quarantined.has(worker)) throw new Error(`${worker} was quarantined, and given a tile`)
    if (this.left.has(worker)) throw new Error(`${worker} has left, and was given a tile`)
    for (const pixel of this.#pixels(tile)) {
      if (this.#isAccepted[pixel]) throw new Error(`pixel ${pixel} is there already`)
      const failedOn = this.#failedOn.get(pixel) ?? []
      const other = [...this.schedule.live].find(live => !failedOn.includes(nameOf(live)))
      if (failedOn.includes(nameOf(worker)) && other)
        throw new Error(`pixel ${pixel} failed on ${failedOn.join(', ')} and went back to ${worker}, not to ${other}`)
    }
    this.held.set(id, { id, worker, tile, next: y, wanted: y + h, end: y + h })
  }

  #checkCopies(): void {
    const copies = new Uint8Array(this.#isAccepted.length)
    const most = this.#plan.duplicates || this.#wasQuiet || this.#hasNewcomers ? 2 : 1
    for (const lease of this.held.values()) {
      if (lease.next >= lease.wanted) continue
      for (const pixel of this.#pixels(wantedOf(lease)))
        if (++copies[pixel]! > most) throw new Error(`pixel ${pixel} is with ${copies[pixel]} workers`)
    }
  }

  #checkGivenUp(lease: HeldLease): void {
    const { maxFailures } = DEFAULT_LIMITS
    for (const pixel of this.#pixels(wantedOf(lease))) {
      const failedOn = this.#failedOn.get(pixel)!
      const everywhere = [...this.schedule.live].every(live => failedOn.includes(nameOf(live)))
      if (new Set(failedOn).size >= maxFailures || (everywhere && failedOn.length >= maxFailures)) continue
      throw new Error(`the frame was given up for pixel ${pixel}, which had failed on ${failedOn.join(', ')} only`)
    }
  }

  *#pixels(tile: PixelSet): Generator<number> {
    const runs: [number, number][] = []
    forEachRun(tile, (x, y, length) => runs.push([y * this.#size[0] + x, length]))
    for (const [start, length] of runs) for (let i = 0; i < length; i++) yield start + i
  }
}

/** Who a worker is, under whatever id it has come back. */
const nameOf = (worker: AreaId): string => worker.split('#')[0]!

/** What is still to come of a lease and wanted. */
const wantedOf = ({ tile, next, wanted }: HeldLease): PixelSet => ({
  ...tile,
  rect: { ...tile.rect, y: next, h: wanted - next },
})
