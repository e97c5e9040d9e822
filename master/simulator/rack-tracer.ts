/**
 * A rack of a simulated cluster, as the master above sees it: it takes orders and answers them, like a worker. In between, its own
 * master makes a frame of each order, with its own network and on a thread of its own. Orders are handled one after the other.
 */
import { invariant } from '../../shared/errors.ts'
import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { LeaseId } from '../../shared/ids.ts'
import type { OwnerMap } from '../../shared/metrics/owner-map.ts'
import type { FrameFacts } from '../frames/frame-facts.ts'
import { roundTripMs } from '../frames/round-trip.ts'
import type { LeaseNumbers } from '../scheduling/lease-numbers.ts'
import { DEFAULT_LIMITS, type SchedulerLimits } from '../scheduling/limits.ts'
import { type ClusterSpec, emptyTripMs, workerInfos } from './cluster-spec.ts'
import type { FrameCosts } from './frame-costs.ts'
import { RackPlanner, type RackRules } from './rack-planning.ts'
import {
  type FrameWorkload,
  type SimulatedFrame,
  type Stopwatch,
  simulateFrame,
  type Tracer,
} from './simulate-frame.ts'
import type { VirtualAnswer, VirtualOrder } from './virtual-tracer.ts'

/** What a rack keeps from frame to frame. */
export class Rack {
  readonly spec: ClusterSpec
  readonly workers: readonly WorkerInfo[]
  readonly planner: RackPlanner
  limits: SchedulerLimits

  constructor(spec: ClusterSpec, rules: RackRules) {
    this.spec = spec
    this.workers = workerInfos(spec)
    this.planner = new RackPlanner(rules)
    this.limits = { ...DEFAULT_LIMITS, roundTripMs: emptyTripMs(spec) }
  }
}

/** The frame that all racks make parts of. */
export interface RackSite {
  readonly truth: FrameWorkload
  readonly costs: FrameCosts
  /** Owners of the pixels in the previous frame. */
  readonly owners: OwnerMap
  readonly numbers: LeaseNumbers
  readonly stopwatch: Stopwatch
}

/** A tile that a rack has made; what is recorded of it is in pixels of the whole frame. */
export interface RackFrame extends Omit<SimulatedFrame, 'frame'> {
  readonly lease: LeaseId
  readonly workers: readonly WorkerInfo[]
}

interface Running {
  readonly made: RackFrame
  readonly answer: VirtualAnswer
  readonly endsAt: number
}

export class RackTracer implements Tracer {
  readonly #rack: Rack
  readonly #site: RackSite
  /** Told of each tile that is made. */
  readonly #made: (frame: RackFrame) => void
  readonly #waiting: { readonly order: VirtualOrder; readonly receivedAt: number }[] = []
  #running: Running | undefined
  /** When its master has finished what it was given before. */
  #freeAt = 0

  constructor(rack: Rack, site: RackSite, made: (frame: RackFrame) => void) {
    this.#rack = rack
    this.#site = site
    this.#made = made
  }

  get wakeAt(): number | undefined {
    return this.#running?.endsAt
  }

  get lease(): LeaseId | undefined {
    return this.#running?.made.lease
  }

  order(order: VirtualOrder, now: number): void {
    this.#waiting.push({ order, receivedAt: now })
    this.#beginNext()
  }

  /** Its workers have rows of all parts of the tile, so it gives none back; the master above drops those that it does not need. */
  trim(): void {}

  /** Its workers finish what they have begun; the result is not sent. */
  cancel(lease: LeaseId): void {
    const index = this.#waiting.findIndex(({ order }) => order.lease === lease)
    if (index >= 0) this.#waiting.splice(index, 1)
    if (this.lease !== lease) return
    this.#running = undefined
    this.#beginNext()
  }

  wake(): VirtualAnswer {
    const running = this.#running
    invariant(running, 'an idle rack sends no messages')
    this.#made(running.made)
    this.#running = undefined
    this.#beginNext()
    return running.answer
  }

  /** Nothing that happens above changes what a rack does with an order, so all of it is simulated at once. */
  #beginNext(): void {
    const next = this.#running ? undefined : this.#waiting.shift()
    if (!next) return
    const { order, receivedAt } = next
    const rack = this.#rack
    const { receiveMs, sendMs } = rack.spec.master
    const startAt = Math.max(receivedAt, this.#freeAt) + receiveMs
    const { facts, traffic } = this.#frame(order, startAt)
    rack.limits = { ...rack.limits, roundTripMs: roundTripMs(facts.records) ?? rack.limits.roundTripMs }
    const endsAt = facts.endedAt + sendMs
    this.#freeAt = endsAt
    const times = {
      waitMs: startAt - receivedAt,
      wallMs: endsAt - startAt,
      cpuMs: facts.records.reduce((sum, { times }) => sum + times.cpuMs, 0),
      encodeMs: 0,
    }
    const { lease, tile } = order
    const made = { lease, workers: rack.workers, facts: placedFacts(facts, placing(tile)), traffic }
    this.#running = { made, answer: { lease, tile, times }, endsAt }
  }

  #frame({ tile, costs }: VirtualOrder, startAt: number): SimulatedFrame {
    const { spec, workers, limits, planner } = this.#rack
    const { truth, owners, numbers, stopwatch, costs: trueCosts } = this.#site
    const { w, h } = tile.rect
    const order = {
      truth,
      workers,
      limits,
      numbers,
      owners,
      startAt,
      size: [w, h] as const,
      costs: trueCosts,
      place: placing(tile),
    }
    return simulateFrame(order, planner.planning({ tile, ...(costs ? { costs } : {}) }), spec, stopwatch)
  }
}

/** Where pixels of a tile, as a frame of its own, are in the frame that it is a tile of. */
const placing =
  ({ rect: { x, y }, pattern }: PixelSet) =>
  ({ rect }: PixelSet): PixelSet => ({
    rect: { ...rect, x: x + rect.x, y: y + rect.y },
    ...(pattern ? { pattern } : {}),
  })

const placedFacts = (facts: FrameFacts, place: (tile: PixelSet) => PixelSet): FrameFacts => ({
  ...facts,
  records: facts.records.map(record => ({ ...record, tile: place(record.tile) })),
})
