/**
 * A frame in the making: one state machine that says what the frame needs next and is told what came of it. It decides, and notes
 * when things happened; clocks, sockets and pixels are the world's in which it is driven (`drive-frame.ts`), live
 * (`sessions/trace-frame.ts`) or simulated (`simulator/simulate-frame.ts`).
 *
 *     statistics ─▶ (coverage) ─▶ decision ─▶ dispatch ─▶ events ─▶ nothing
 *         ▲                                                 │
 *         └───────────────── the next pass ◀────────────────┘
 */
import { invariant } from '../../shared/errors.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import { type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import type { TileCells } from '../../shared/protocol/cell-costs.ts'
import type { TileTimes } from '../../shared/protocol/codec.ts'
import { frameRect, type Size } from '../../shared/rect.ts'
import type { Span } from '../../shared/span.ts'
import type { Camera } from '../../shared/view.ts'
import type { CostMap } from '../costs/cost-map.ts'
import type { CoverageMask } from '../coverage/coverage-mask.ts'
import type { Action, ClusterEvent } from '../scheduling/events.ts'
import { FrameSchedule } from '../scheduling/frame-schedule.ts'
import type { LeaseNumbers } from '../scheduling/lease-numbers.ts'
import type { SchedulerLimits } from '../scheduling/limits.ts'
import type { AreaShare, Plan, PlanContext } from '../strategies/strategy.ts'
import { type FrameIntake, type FrameOutcome, joinedOutcomes, type TracedTile } from './frame-planner.ts'
import { type LeaseRecord, tracedTile } from './lease-record.ts'
import { latticeOf, type Pass, passesOf, probeTiles, withoutLattice } from './passes.ts'

/** What a frame needs of whoever makes it. */
export type Need =
  /** `learn()`: takes in what the frames before cost. */
  | 'statistics'
  /** `cover(mask)`: where geometry projects. */
  | 'coverage'
  /** `decide()`: plans the next pass. */
  | 'decision'
  /** `begin(now)`: gives the first tiles of the pass out. */
  | 'dispatch'
  /** `happened(…)`: tiles are out. */
  | 'events'
  /** The frame is whole, or has failed. */
  | 'nothing'

/** What a frame asks of whoever remembers the frames before; the real one is `FramePlanner`. */
export interface Planning {
  /** Side of the cells that costs come back for, px; 0: none. */
  readonly cell: number
  known(camera: Camera, areas: readonly AreaShare[]): PlanContext
  wantsCoverage(known: PlanContext): boolean
  wantsProbe(known: PlanContext): boolean
  plan(known: PlanContext, found: { readonly coverage?: CoverageMask; readonly probe?: CostMap }): Plan
  probed(tiles: readonly TracedTile[], areas: readonly AreaShare[]): CostMap
  /** For the tiles of a range of samples. */
  intake(known: PlanContext, plan: Plan): FrameIntake
}

export interface FrameOrder {
  readonly frame: number
  readonly camera: Camera
  readonly size: Size
  /** Those that may be given tiles. */
  readonly areas: readonly AreaShare[]
  /** Samples of a pixel, and in how many ranges they are taken. */
  readonly samples: number
  readonly passes: number
  readonly limits: SchedulerLimits
  readonly numbers: LeaseNumbers
  /** When its camera and the reports of the frames before were there, ms on the master's clock. */
  readonly beganAt: number
}

/** What came for a lease. */
export interface Answer {
  /** As it was traced. */
  readonly tile: PixelSet
  readonly times: TileTimes
  readonly cells?: TileCells
  /** ms on the master's clock. */
  readonly arrivedAt: number
}

/** What was noted while a frame was made, for its report; times in ms on the master's clock. */
export interface FrameFacts {
  readonly records: readonly LeaseRecord[]
  /** What the master did for it: statistics and decisions. */
  readonly spans: readonly Span[]
  readonly beganAt: number
  /** First dispatch: of a probe, if there is one, and of what was planned. */
  readonly dispatchAt: number
  readonly plannedAt: number
  /** Last pixel in place. */
  readonly endedAt: number
  /** First dispatch to the last pixel of the probe; 0 without one. */
  readonly probeMs: number
  readonly rescued: number
  readonly stolen: number
  readonly duplicated: number
  readonly redundantPx: number
  readonly decisions: Readonly<Record<string, number>>
}

export class Frame {
  readonly order: FrameOrder
  readonly #planning: Planning
  /** Those that may be given tiles of the next pass, and those that were lost or set aside meanwhile. */
  #areas: readonly AreaShare[]
  readonly #gone = new Set<AreaId>()
  #need: Need = 'statistics'
  #known: PlanContext | undefined
  #coverage: CoverageMask | undefined
  /** Those that are not complete; undefined until it is known whether the frame begins with a probe. */
  #passes: Pass[] | undefined
  #probe: CostMap | undefined
  /** What is traced of what was planned for the pass at hand. */
  #traced: Plan | undefined
  #schedule: FrameSchedule | undefined
  readonly #sent = new Map<LeaseId, { readonly worker: AreaId; readonly tile: PixelSet; readonly sentAt: number }>()
  readonly #records: LeaseRecord[] = []
  #intake: FrameIntake | undefined
  readonly #outcomes: (() => FrameOutcome)[] = []
  readonly #spans: Span[] = []
  #rescued = 0
  #stolen = 0
  #duplicated = 0
  #redundantPx = 0
  #decisions: Readonly<Record<string, number>> = {}
  #dispatchAt: number | undefined
  #plannedAt: number | undefined
  #probeMs = 0
  #endedAt = 0

  constructor(order: FrameOrder, planning: Planning) {
    this.order = order
    this.#areas = order.areas
    this.#planning = planning
  }

  get need(): Need {
    return this.#need
  }

  /** The pass at hand. */
  get pass(): Pass {
    const pass = this.#passes?.[0]
    invariant(pass, 'a frame has a pass at hand from when it has learned what is known until it is whole')
    return pass
  }

  /** Areas that may be given tiles of the pass at hand. */
  get live(): ReadonlySet<AreaId> {
    return this.#schedule?.live ?? new Set()
  }

  /** Whether an area has nothing left to do for this frame, or will not have before an order could reach it. */
  isSpare(now: number): boolean {
    return this.#need === 'events' && this.#passes!.length === 1 && this.#schedule!.isSpare(now)
  }

  /** Another frame has begun: who has nothing left to do for this one is busy with that. */
  settle(): void {
    this.#schedule?.settle()
  }

  /** When it wants to hear a tick even if nothing happens before, ms. */
  get wakeAt(): number | undefined {
    return this.#need === 'events' ? this.#schedule?.wakeAt : undefined
  }

  /** Takes in what is known. */
  learn(): void {
    this.#expect('statistics')
    const { camera, samples, passes } = this.order
    if (this.#passes && this.pass.pixels === 'rest') {
      this.#probe = this.#planning.probed(this.#records.map(tracedTile), this.order.areas)
      this.#known = { ...this.#known!, workers: this.#areas }
      this.#need = 'decision'
      return
    }
    this.#known = this.#planning.known(camera, this.#areas)
    this.#passes ??= passesOf(samples, passes, this.#planning.wantsProbe(this.#known))
    this.#need = this.#coverage === undefined && this.#planning.wantsCoverage(this.#known) ? 'coverage' : 'decision'
  }

  cover(mask: CoverageMask): void {
    this.#expect('coverage')
    this.#coverage = mask
    this.#need = 'decision'
  }

  /** Plans the pass at hand: a probe by dealing it out, any other as the strategy will, with what the passes before it cost. */
  decide(): void {
    this.#expect('decision')
    const { size } = this.order
    const { cell } = this.#planning
    const { pixels } = this.pass
    if (pixels === 'probe') {
      this.#traced = { tiles: probeTiles(frameRect(size), this.#areas, cell) }
    } else {
      const plan = this.#planning.plan(this.#known!, {
        ...(this.#coverage ? { coverage: this.#coverage } : {}),
        ...(this.#probe ? { probe: this.#probe } : {}),
      })
      this.#intake = this.#planning.intake(this.#known!, plan)
      // A probe is a part of the picture, too.
      if (pixels === 'rest') for (const record of this.#records) this.#intake.take(tracedTile(record))
      this.#traced = pixels === 'rest' ? { ...plan, tiles: withoutLattice(plan.tiles, latticeOf(cell)) } : plan
      this.#probe = undefined
      this.#decisions = plan.decisions ?? {}
    }
    this.#need = 'dispatch'
  }

  /** Gives the first tiles of the pass out. */
  begin(now: number): Action[] {
    this.#expect('dispatch')
    const { limits, numbers } = this.order
    const schedule = new FrameSchedule(this.#traced!, this.#areas, numbers, limits)
    this.#schedule = schedule
    this.#dispatchAt ??= now
    if (this.pass.pixels !== 'probe') this.#plannedAt ??= now
    this.#need = 'events'
    const actions = schedule.begin(now)
    // Where nobody is left the plan is still for those that were there, and whoever comes takes over.
    const lost = this.#areas.filter(({ id }) => this.#gone.has(id))
    return [...actions, ...lost.flatMap(({ id }) => schedule.happened({ type: 'worker-lost', worker: id }, now))]
  }

  /** What happened → what to do. */
  happened(event: ClusterEvent, now: number): Action[] {
    if (event.type === 'worker-lost') this.#gone.add(event.worker)
    if (this.#need !== 'events') return event.type === 'tile-done' ? [{ type: 'drop', lease: event.lease }] : []
    const actions = this.#schedule!.happened(event, now)
    for (const action of actions) if (action.type === 'set-aside') this.#gone.add(action.area)
    if (this.#schedule!.status === 'failed') this.#need = 'nothing'
    return actions
  }

  /** An order is on its way. */
  sent({ lease, worker, tile }: Extract<Action, { type: 'trace' }>, at: number): void {
    this.#sent.set(lease, { worker, tile, sentAt: at })
  }

  /** What a lease was given for; undefined: it is none of this frame's. */
  tileOf(lease: LeaseId): PixelSet | undefined {
    return this.#sent.get(lease)?.tile
  }

  /** Pixels that were accepted are in place. */
  placed({ lease, tile }: Extract<Action, { type: 'accept' }>, answer: Answer, stitchedAt: number): void {
    const sent = this.#sent.get(lease)
    invariant(sent, `lease ${lease} was accepted but never sent`)
    const { times, cells, arrivedAt } = answer
    // Rows that somebody else has, too, are the last ones.
    this.#redundantPx += pixelCount(answer.tile) - pixelCount(tile)
    const record = {
      ...{ lease, worker: sent.worker, tile, sentAt: sent.sentAt, arrivedAt, stitchedAt, times },
      ...(cells ? { cells } : {}),
    }
    this.#records.push(record)
    this.#intake?.take(tracedTile(record))
    this.#sent.set(lease, { ...sent, sentAt: arrivedAt })
    this.#endedAt = stitchedAt
  }

  /** What came was dropped: where the lease was this frame's, somebody else was faster. */
  dropped(lease: LeaseId, { tile }: Pick<Answer, 'tile'>): void {
    if (this.#sent.has(lease)) this.#redundantPx += pixelCount(tile)
  }

  /** Everything of the pass at hand is in place: the answer to the action `frame-complete`. */
  passComplete(): void {
    this.#expect('events')
    const { rescued, stolen, duplicated, live } = this.#schedule!
    this.#rescued += rescued
    this.#stolen += stolen
    this.#duplicated += duplicated
    if (live.size > 0) this.#areas = remaining(this.#areas, live)
    const pass = this.#passes!.shift()!
    if (pass.pixels === 'probe') this.#probeMs = this.#endedAt - this.#dispatchAt!
    else this.#outcomes.push(this.#intake!.done())
    this.#intake = undefined
    this.#need = this.#passes!.length > 0 ? 'statistics' : 'nothing'
  }

  /** The master was busy with this frame; ms on its clock. */
  spent(kind: 'stats' | 'decide', start: number, end: number): void {
    this.#spans.push({ kind, frame: this.order.frame, start, end })
  }

  /** Of a frame that is whole. */
  get facts(): FrameFacts {
    const [dispatchAt, plannedAt] = [this.#dispatchAt, this.#plannedAt]
    invariant(this.#need === 'nothing' && dispatchAt !== undefined && plannedAt !== undefined, 'the frame is not whole')
    return {
      ...{ records: this.#records, spans: this.#spans },
      ...{ beganAt: this.order.beganAt, dispatchAt, plannedAt, endedAt: this.#endedAt },
      ...{ probeMs: this.#probeMs, rescued: this.#rescued, stolen: this.#stolen },
      ...{ duplicated: this.#duplicated, redundantPx: this.#redundantPx },
      decisions: this.#decisions,
    }
  }

  /** What the frame cost. Found when it is asked for: it takes a moment. */
  outcome(): FrameOutcome {
    return joinedOutcomes(this.#outcomes.map(look => look()))
  }

  #expect(need: Need): void {
    invariant(this.#need === need, `a frame that needs ${this.#need} was given ${need}`)
  }
}

/** Those that are still there; one that came in the place of all others is taken to be as fast as any. */
const remaining = (areas: readonly AreaShare[], live: ReadonlySet<AreaId>): AreaShare[] => {
  const stayed = areas.filter(({ id }) => live.has(id))
  const came = [...live].filter(id => !stayed.some(area => area.id === id))
  return [...stayed, ...came.map(id => ({ id, speed: 1 }))]
}
