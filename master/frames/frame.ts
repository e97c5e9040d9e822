/**
 * A frame in progress: a state machine that says what the frame needs next and is told the result. It makes the decisions
 * and records timestamps; clocks, sockets and pixels belong to the world that drives it (`drive-frame.ts`), live
 * (`live-frames/trace-frame.ts`) or simulated (`simulator/simulate-frame.ts`).
 *
 *     statistics ─▶ (coverage) ─▶ decision ─▶ dispatch ─▶ events ─▶ assembly ─▶ nothing
 *         ▲                                                 │           ▲
 *         └───────── the next pass ◀─── (cells, time) ◀─────┘           │
 *                                          └────────────────────────────┘
 */

import { invariant } from '../../shared/errors.ts'
import { CellMask, NOISE_CELL } from '../../shared/frame/cell-mask.ts'
import type { FrameProgress } from '../../shared/frame/frame-progress.ts'
import { MOST_STEALS, type StealReport } from '../../shared/frame/frame-report.ts'
import type { FramePoint } from '../../shared/frame/frame-state.ts'
import { hasPixels, type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import { frameRect } from '../../shared/frame/rect.ts'
import type { Span } from '../../shared/frame/span.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { TileCells } from '../../shared/protocol/cell-costs.ts'
import type { TileTimes } from '../../shared/protocol/codec.ts'
import type { CostMap } from '../costs/cost-map.ts'
import type { CoverageMask } from '../coverage/coverage-mask.ts'
import type { Action, ClusterEvent } from '../scheduling/events.ts'
import { FrameSchedule } from '../scheduling/frame-schedule.ts'
import type { AreaShare, Plan, PlanContext, PlannedTile } from '../strategies/strategy.ts'
import { FrameAreas } from './frame-areas.ts'
import type { FrameFacts, PassFacts } from './frame-facts.ts'
import type { FrameOrder, Planning } from './frame-order.ts'
import { type FrameIntake, type FrameOutcome, joinedOutcomes } from './frame-planner.ts'
import { type LeaseRecord, tracedTile } from './lease-record.ts'
import type { NextPass } from './next-pass.ts'
import { PassProgress } from './pass-progress.ts'
import {
  latticeOf,
  mostPxOf,
  type Pass,
  passesFor,
  passesLeft,
  piecesOf,
  probeTiles,
  withoutLattice,
} from './passes.ts'
import type { Resumed } from './resumed.ts'
import { sharesForSamples } from './shares.ts'
import { passesInTime } from './time-cap.ts'

/** What a frame needs from its driver. */
export type Need =
  /** `learn()`: takes in the costs of earlier frames. */
  | 'statistics'
  /** `cover(mask)`: where geometry projects. */
  | 'coverage'
  /** `decide()`: plans the next pass. */
  | 'decision'
  /** `begin(now)`: hands out the first tiles of the pass. */
  | 'dispatch'
  /** `happened(…)`: tiles are out. */
  | 'events'
  /** `narrow(cells, now)`: which cells of an adaptive frame its next pass is about. */
  | 'cells'
  /** `assembled(now)`: no more pixels are to come; all that have are in place. */
  | 'assembly'
  /** The frame is complete, or has failed. */
  | 'nothing'

/** An answer to a lease. */
export interface Answer {
  /** The pixels that were traced. */
  readonly tile: PixelSet
  readonly times: TileTimes
  readonly cells?: TileCells
  /** ms on the master's clock. */
  readonly arrivedAt: number
}

const NO_AREAS: ReadonlySet<AreaId> = new Set()

export class Frame {
  readonly order: FrameOrder
  readonly #planning: Planning
  readonly #areas: FrameAreas
  /** Areas that the current pass is planned for. */
  #planned: readonly AreaShare[] = []
  #need: Need = 'statistics'
  #planContext: PlanContext | undefined
  #coverage: CoverageMask | undefined
  /** Passes not yet complete; undefined until it is known whether the frame begins with a probe. */
  #passes: Pass[] | undefined
  /** Cells of the current pass of an adaptive frame; undefined: all. */
  #open: CellMask | undefined
  /** The pixels of a pass that another run of the frame has begun; undefined: all of the pass. */
  #missing: CellMask | undefined
  /** Before the next pass of a frame whose passes double its samples. */
  #next: NextPass | undefined
  readonly #made: PassFacts[] = []
  #probe: CostMap | undefined
  /** The part of the current pass's plan that is traced. */
  #traced: Plan | undefined
  #schedule: FrameSchedule | undefined
  /** Of the current pass, from when it is dispatched to when all of it is in place. */
  #progress: PassProgress | undefined
  /** Samples of complete passes, over all pixels. */
  #doneSamples = 0
  readonly #sent = new Map<LeaseId, { readonly area: AreaId; readonly tile: PixelSet; readonly sentAt: number }>()
  readonly #records: LeaseRecord[] = []
  #intake: FrameIntake | undefined
  readonly #outcomes: (() => FrameOutcome)[] = []
  readonly #spans: Span[] = []
  #rescued = 0
  #stolen = 0
  #steals: readonly StealReport[] = []
  #duplicated = 0
  #redundantPx = 0
  #decisions: Readonly<Record<string, number>> = {}
  #dispatchAt: number | undefined
  #plannedAt: number | undefined
  #endedBy: FrameFacts['endedBy']
  #probeMs = 0
  #endedAt = 0

  constructor(order: FrameOrder, planning: Planning) {
    this.order = order
    this.#areas = new FrameAreas(order.areas)
    this.#planning = planning
    if (order.resumed) this.#resume(order.resumed)
  }

  #resume({ range, phase, missing, open, samples: done }: Resumed): void {
    const { beganAt } = this.order
    this.#passes = passesLeft(passesFor(this.order, false), { range, phase })
    this.#open = open
    this.#doneSamples = done
    this.#endedAt = beganAt
    if (phase === 'tracing') {
      this.#missing = missing
      return
    }
    this.#need = phase === 'judging' ? 'cells' : 'assembly'
    this.#made.push({ samples: range, pixels: this.#openPixels, records: 0, endedAt: beganAt })
  }

  /** Where it is, for one that goes on there; undefined before that is known. */
  get point(): FramePoint | undefined {
    if (!this.#passes) return undefined
    const [current] = this.#passes
    if (current && this.#need !== 'cells') return { range: current.samples, phase: 'tracing' }
    const { samples: range } = this.#made.at(-1)!
    return { range, phase: this.#need === 'cells' ? 'judging' : 'complete' }
  }

  /** Pixels of the current pass. */
  get #openPixels(): number {
    const [w, h] = this.order.size
    return this.#open?.pixels ?? w * h
  }

  get need(): Need {
    return this.#need
  }

  /** The current pass. */
  get pass(): Pass {
    const pass = this.#passes?.[0]
    invariant(pass, 'a frame has a current pass from the end of its statistics until it is complete')
    return pass
  }

  /** Cells of the pass that is about to begin; undefined: there is none, or it is about all. */
  get open(): CellMask | undefined {
    return this.#passes?.length ? this.#open : undefined
  }

  /** Areas that may be given tiles of the current pass: a live view. */
  get live(): ReadonlySet<AreaId> {
    return this.#schedule?.live ?? NO_AREAS
  }

  /** Those of them that hold no tile. */
  get idle(): Iterable<AreaId> {
    return this.#schedule?.idle() ?? NO_AREAS
  }

  /** Whether any area has nothing left to do for this frame, or will not by the time an order could reach it. */
  isSpare(now: number): boolean {
    return this.#need === 'events' && this.#passes!.length === 1 && this.#schedule!.isSpare(now)
  }

  /** Another frame has begun: areas that have nothing left to do for this one are busy with that. */
  settle(): void {
    this.#schedule?.settle()
  }

  /** When it needs a tick even if nothing happens before, ms. */
  get wakeAt(): number | undefined {
    return this.#need === 'events' ? this.#schedule?.wakeAt : undefined
  }

  /** Takes in the costs known so far. */
  learn(): void {
    this.#expect('statistics')
    const { camera, bodies } = this.order
    const { present, all } = this.#areas
    this.#planned = this.#passShares(present.length > 0 ? present : all)
    if (this.#passes && this.pass.pixels === 'rest') {
      this.#probe = this.#planning.probed(this.#records.map(tracedTile), this.#areas.all)
      this.#planContext = { ...this.#planContext!, workers: this.#planned }
      this.#need = 'decision'
      return
    }
    if (this.#next && this.#planContext) {
      this.#planContext = this.#planning.nextContext(this.#planContext, this.#planned, this.#next)
      this.#need = 'decision'
      return
    }
    this.#planContext = this.#planning.planContext(camera, this.#planned, bodies)
    const probe = this.#passes === undefined && this.#planning.wantsProbe(this.#planContext)
    this.#passes ??= passesFor(this.order, probe)
    this.#need =
      this.#coverage === undefined && this.#planning.wantsCoverage(this.#planContext) ? 'coverage' : 'decision'
  }

  cover(mask: CoverageMask): void {
    this.#expect('coverage')
    this.#coverage = mask
    this.#need = 'decision'
  }

  /** Plans the current pass: a probe is dealt out; any other is left to the strategy, with the costs of the passes before it. */
  decide(): void {
    this.#expect('decision')
    const { size, mostTilePx } = this.order
    const { cell } = this.#planning
    const { pixels } = this.pass
    if (pixels === 'probe') {
      this.#traced = { tiles: probeTiles(frameRect(size), this.#planned, cell) }
    } else {
      const plan = this.#planning.plan(this.#planContext!, {
        ...(this.#coverage ? { coverage: this.#coverage } : {}),
        ...(this.#probe ? { probe: this.#probe } : {}),
      })
      this.#intake = this.#planning.intake(this.#planContext!, plan, area => this.#areas.find(area))
      // The probe's pixels are part of the frame, too.
      if (pixels === 'rest') for (const record of this.#records) this.#intake.take(tracedTile(record))
      this.#traced = { ...plan, tiles: this.#tilesOf(plan, pixels) }
      this.#probe = undefined
      this.#decisions = plan.decisions ?? {}
    }
    const mostPx = Math.min(mostTilePx ?? Number.POSITIVE_INFINITY, mostPxOf(this.order, this.pass.samples))
    if (mostPx < Number.POSITIVE_INFINITY)
      this.#traced = { ...this.#traced, tiles: this.#traced.tiles.flatMap(tile => piecesOf(tile, mostPx)) }
    this.#need = 'dispatch'
  }

  /** The tiles of a plan for the current pass. */
  #tilesOf({ tiles }: Plan, pixels: Pass['pixels']): readonly PlannedTile[] {
    if (pixels === 'rest') return withoutLattice(tiles, latticeOf(this.#planning.cell))
    const open = this.#missing ?? this.#open
    return open ? tiles.flatMap(tile => open.within(tile) ?? []) : tiles
  }

  /** Hands out the first tiles of the pass. */
  begin(now: number): Action[] {
    this.#expect('dispatch')
    const { limits, numbers, identify } = this.order
    const { patienceMs: silentAfterMs = limits.silentAfterMs } = this.#schedule ?? {}
    const known = { ...limits, silentAfterMs }
    const schedule = new FrameSchedule(this.#traced!, this.#planned, numbers, known, identify)
    this.#schedule = schedule
    this.#progress = new PassProgress(this.#traced!)
    this.#dispatchAt ??= now
    if (this.pass.pixels !== 'probe') this.#plannedAt ??= now
    this.#need = 'events'
    const actions = schedule.begin(now, this.#areas.quiet)
    // If no area was left, the plan is for those that are gone, and any that comes takes over.
    const lost = this.#planned.filter(({ id }) => this.#areas.isGone(id))
    const planned = new Set(this.#planned.map(({ id }) => id))
    const came = this.#passShares(this.#areas.present.filter(({ id }) => !planned.has(id)))
    const since: ClusterEvent[] = [
      ...lost.map(({ id }) => ({ type: 'area-lost', area: id }) as const),
      ...came.map(share => ({ type: 'area-ready', area: share.id, share }) as const),
    ]
    return [...actions, ...since.flatMap(event => schedule.happened(event, now))]
  }

  /** Maps an event to actions. */
  happened(event: ClusterEvent, now: number): Action[] {
    this.#areas.happened(event)
    if (this.#need !== 'events') {
      if (event.type === 'area-quarantined') this.#areas.lose(event.area)
      return event.type === 'tile-done' ? [{ type: 'drop', lease: event.lease }] : []
    }
    if (event.type === 'tile-progress' && event.lease !== undefined && event.rows)
      this.#progress!.said(event.lease, event.rows)
    const schedule = this.#schedule!
    const actions = schedule.happened(this.#ofPass(event), now)
    for (const action of actions) if (action.type === 'quarantine') this.#areas.lose(action.area)
    // The last one is kept.
    if (event.type === 'area-quarantined' && !schedule.live.has(event.area)) this.#areas.lose(event.area)
    if (schedule.status === 'failed') this.#need = 'nothing'
    return actions
  }

  /** An area that comes is as the current pass sees it. */
  #ofPass(event: ClusterEvent): ClusterEvent {
    return event.type === 'area-ready' ? { ...event, share: this.#passShares([event.share])[0]! } : event
  }

  /** An order has been sent. */
  sent({ lease, area, tile }: Extract<Action, { type: 'trace' }>, at: number): void {
    this.#sent.set(lease, { area, tile, sentAt: at })
    this.#progress!.ordered(lease, tile)
  }

  /** The tile of a lease; undefined if the lease does not belong to this frame. */
  tileOf(lease: LeaseId): PixelSet | undefined {
    return this.#sent.get(lease)?.tile
  }

  /** Accepted pixels are in place. */
  placed({ lease, tile }: Extract<Action, { type: 'accept' }>, answer: Answer, stitchedAt: number): void {
    const sent = this.#sent.get(lease)
    invariant(sent, `lease ${lease} was accepted but never sent`)
    const { times, cells, arrivedAt } = answer
    // Redundant rows are the last ones.
    this.#redundantPx += pixelCount(answer.tile) - pixelCount(tile)
    const record = {
      lease,
      worker: sent.area,
      tile,
      sentAt: sent.sentAt,
      arrivedAt,
      stitchedAt,
      times,
      ...this.#schedule!.predicted(tile),
      ...(cells ? { cells } : {}),
    }
    this.#progress!.placed(lease, tile)
    // Rows of a pattern that are left of a tile may have no pixels.
    if (hasPixels(tile)) {
      this.#records.push(record)
      this.#intake?.take(tracedTile(record))
    }
    this.#sent.set(lease, { ...sent, sentAt: arrivedAt })
    this.#endedAt = stitchedAt
  }

  /** An answer was dropped: if the lease belongs to this frame, another worker was faster. */
  dropped(lease: LeaseId, { tile }: Pick<Answer, 'tile'>): void {
    if (this.#sent.has(lease)) this.#redundantPx += pixelCount(tile)
  }

  /** All pixels of the current pass are in place: the response to the action `frame-complete`. */
  passComplete(): void {
    this.#expect('events')
    const { rescued, stolen, steals, duplicated } = this.#schedule!
    this.#rescued += rescued
    this.#stolen += stolen
    this.#steals = [...this.#steals, ...steals].slice(-MOST_STEALS)
    this.#duplicated += duplicated
    const pass = this.#passes!.shift()!
    this.#doneSamples += this.#progress!.pixels * (pass.samples.to - pass.samples.from)
    // It says nothing of the next pass.
    this.#progress = undefined
    if (pass.pixels === 'probe') this.#probeMs = this.#endedAt - this.#dispatchAt!
    else this.#passMade(pass)
    this.#intake = undefined
    const [next] = this.#passes!
    if (next?.pixels === 'open') {
      this.#need = 'cells'
      return
    }
    if (next && pass.pixels !== 'probe' && this.order.timeMs !== undefined) this.#continue(undefined, this.#endedAt)
    this.#need = this.#passes!.length === 0 ? 'assembly' : 'statistics'
  }

  /** Prepares the next pass of a frame whose passes double its samples, if there is time for it. @param open its cells; undefined: all */
  #continue(open: CellMask | undefined, now: number): void {
    const cells = open ?? new CellMask(this.order.size, NOISE_CELL, () => true)
    const spent = { made: this.#made, since: this.#dispatchAt!, now }
    this.#passes = passesInTime(this.#passes!, cells.pixels, this.order, spent)
    const [next] = this.#passes
    if (!next) {
      this.#endedBy = 'time'
      return
    }
    const [length, last] = [next, this.#made.at(-1)!].map(({ samples: { from, to } }) => to - from) as [number, number]
    this.#next = { open: cells, ...(this.#open ? { before: this.#open } : {}), factor: length / last }
    this.#open = open
  }

  #passMade({ samples }: Pass): void {
    this.#made.push({ samples, pixels: this.#openPixels, records: this.#records.length, endedAt: this.#endedAt })
    // A part of the pixels would say too little of the others to the next frame.
    if (!this.#missing) this.#outcomes.push(this.#intake!.done())
    this.#missing = undefined
  }

  /** Only these cells, all of them among those of the pass before, need more samples; without any, or time for any, the frame is complete. */
  narrow(open: CellMask, now: number): void {
    this.#expect('cells')
    this.spent('stats', this.#endedAt, now)
    if (open.isEmpty) {
      this.#passes = []
      this.#open = open
      this.#endedBy = 'noise'
    } else this.#continue(open, now)
    this.#need = this.#passes!.length === 0 ? 'assembly' : 'statistics'
  }

  /** Everything is in place. */
  assembled(now: number): void {
    this.#expect('assembly')
    this.#endedAt = now
    this.#made.push({ ...this.#made.pop()!, endedAt: now })
    this.#need = 'nothing'
  }

  /** How far it has come; undefined before tiles of a pass are out, and once all have come. */
  progress(now: number): FrameProgress | undefined {
    const progress = this.#progress
    if (!progress || !this.#passes?.length) return undefined
    const { frame, samples: mostSamples, size, adaptive, timeMs, beganAt } = this.order
    const [current, ...later] = this.#passes as [Pass, ...Pass[]]
    const [taken, all] = [({ samples }: Pass) => samples.to - samples.from, size[0] * size[1]]
    const begun = progress.pixels * taken(current)
    const done = this.#doneSamples + begun * progress.share
    const open = this.#open?.pixels ?? all
    const ahead = later.reduce((sum, pass) => {
      const pixels = pass.pixels === 'open' ? open : pass.pixels === 'rest' ? all - progress.pixels : all
      return sum + pixels * taken(pass)
    }, 0)
    const toEnd = this.#doneSamples + begun
    // What is not traced in time is not traced at all.
    const timed = timeMs === undefined ? 0 : Math.min(1, (now - beganAt) / timeMs)
    const least = Math.max(timed, done / (toEnd + ahead))
    return {
      frame,
      elapsedMs: now - this.#dispatchAt!,
      pass: this.#made.length + 1,
      passes: this.#made.length + this.#passes.filter(({ pixels }) => pixels !== 'probe').length,
      samples: current.samples.to,
      mostSamples,
      least,
      most: adaptive && current.pixels !== 'probe' ? Math.max(least, done / toEnd) : least,
      ...(this.#open ? { settled: 1 - open / all } : {}),
      ...(timeMs === undefined ? {} : { timeMs }),
    }
  }

  /** Records that the master was busy with this frame; ms on its clock. */
  spent(kind: 'stats' | 'decide', start: number, end: number): void {
    this.#spans.push({ kind, frame: this.order.frame, start, end })
  }

  /** Available once the frame is complete. */
  get facts(): FrameFacts {
    const { resumed, beganAt } = this.order
    // Of one that goes on where nothing is left to trace.
    const [dispatchAt, plannedAt] = [this.#dispatchAt, this.#plannedAt].map(at => at ?? (resumed ? beganAt : undefined))
    invariant(this.#need === 'nothing' && dispatchAt !== undefined && plannedAt !== undefined, 'the frame is not done')
    return {
      records: this.#records,
      spans: this.#spans,
      beganAt,
      dispatchAt,
      plannedAt,
      endedAt: this.#endedAt,
      probeMs: this.#probeMs,
      rescued: this.#rescued,
      stolen: this.#stolen,
      steals: this.#steals,
      duplicated: this.#duplicated,
      redundantPx: this.#redundantPx,
      decisions: this.#decisions,
      passes: this.#made,
      ...(this.order.timeMs === undefined ? {} : { endedBy: this.#endedBy ?? 'samples' }),
    }
  }

  /** The frame's costs. Computed on demand, because it takes a moment. */
  outcome(): FrameOutcome {
    return joinedOutcomes(this.#outcomes.map(look => look()))
  }

  /** Areas as the current pass sees them: where passes double the samples, those of a pixel are the more the later it is. */
  #passShares(areas: readonly AreaShare[]): readonly AreaShare[] {
    const [first] = this.#made
    const { adaptive = false, timeMs } = this.order
    if (!first || (!adaptive && timeMs === undefined)) return areas
    const { from, to } = this.pass.samples
    return sharesForSamples(areas, (to - from) / (first.samples.to - first.samples.from))
  }

  #expect(need: Need): void {
    invariant(this.#need === need, `a frame that needs ${this.#need} was given ${need}`)
  }
}
