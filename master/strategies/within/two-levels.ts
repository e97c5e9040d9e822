/**
 * Two levels in one: a strategy shares the frame among workers, and a rule shares what each worker was given among its areas. The
 * strategy sees a worker of several areas as one that is as fast as all of them; the schedule sees the areas. Without such workers
 * everything is as the strategy says.
 */
import type { TileReport } from '../../../shared/frame/frame-report.ts'
import { pixelCount } from '../../../shared/frame/pixel-set.ts'
import { type Axis, extent, longerAxis, splitRect } from '../../../shared/frame/rect.ts'
import type { AreaId } from '../../../shared/ids.ts'
import { type CostField, uniformCosts } from '../../costs/cost-field.ts'
import type { AreaShare, FrameInput, Plan, PlanContext, PlannedTile, PreviousFrame, Strategy } from '../strategy.ts'
import type { MeasuredArea, Within } from './within.ts'

/** Side of the cells in which areas are compared where the strategy itself measures none, px. */
export const WITHIN_CELL = 8

/** What is known of the areas of one worker. */
interface InnerState {
  /** Whether nothing was measured yet. */
  readonly isNew?: true
  readonly shares: readonly number[]
  /** Since the shares were adjusted. */
  readonly measured: readonly MeasuredArea[]
  readonly frames: number
  readonly memory?: unknown
  /** How fast each turned out to be beside the first, over what both declare. */
  readonly learned: readonly number[]
}

interface TwoLevelMemory {
  /** What the strategy itself answered, and for whom. */
  readonly plan: Plan
  readonly workers: readonly AreaShare[]
  /** By worker, those of several areas. */
  readonly inside: Readonly<Record<string, InnerState>>
}

/** A worker as the strategy sees it, and its areas. */
interface Grouped {
  readonly worker: AreaShare
  readonly areas: readonly AreaShare[]
}

/** What an area's speed is taken to differ by at most. */
const MAX_LEARNED = 1e3
/** What differs by less than this share may be chance, and is averaged. */
const CHANCE = 0.25

/** Whether there is anything to be shared within a worker. */
export function hasAreas(areas: readonly AreaShare[]): boolean {
  // Of a worker whose accelerator is withdrawn only one is left.
  const workers = areas.flatMap(({ workerId }) => workerId ?? [])
  return new Set(workers).size < workers.length
}

export function twoLevels(strategy: Strategy, within: Within): Strategy {
  const outerOf = (context: PlanContext) =>
    outerContext(context, groupsOf(context.workers), innerStatesOf(context, within))
  return {
    ...strategy,
    wantsCoverage: context => strategy.wantsCoverage?.(hasAreas(context.workers) ? outerOf(context) : context) === true,
    // One worker alone has no other to share with; its areas have each other.
    wantsProbe: context => strategy.wantsProbe?.(withoutLevels(context)) === true,
    plan: input => (hasAreas(input.workers) ? planBoth(input, strategy, within) : strategy.plan(withoutLevels(input))),
  }
}

function planBoth(input: FrameInput, strategy: Strategy, within: Within): Plan {
  const groups = groupsOf(input.workers)
  const innerStates = innerStatesOf(input, within)
  const { coverage, probe } = input
  const outer = {
    ...outerContext(input, groups, innerStates),
    ...(coverage ? { coverage } : {}),
    ...(probe ? { probe } : {}),
  }
  const plan = strategy.plan(outer)
  const predicted = plan.predicted ?? probe ?? input.predictor.predict(input.history, input.camera, input.bodies)
  const costs = predicted?.field() ?? uniformCosts
  const ofWorker = new Map<AreaId, PlannedTile[]>()
  const tiles: PlannedTile[] = []
  const byId = new Map(groups.map(group => [group.worker.id, group]))
  for (const tile of plan.tiles) {
    const group = tile.worker === undefined ? undefined : byId.get(tile.worker)
    // What is anyone's is any area's.
    if (!group || group.areas.length === 1) tiles.push(tile)
    else ofWorker.set(group.worker.id, [...(ofWorker.get(group.worker.id) ?? []), tile])
  }
  for (const [worker, own] of ofWorker) {
    const { areas } = byId.get(worker)!
    tiles.push(...divided(own, areas, innerStates[worker]!.shares, costs))
  }
  // An area that was found not to pay is no help at the end either. Of what is anyone's each takes what it can.
  const resting = [...ofWorker.keys()].flatMap(worker => {
    const { shares, isNew } = innerStates[worker]!
    return isNew ? [] : byId.get(worker)!.areas.flatMap(({ id }, i) => (shares[i] === 0 ? id : []))
  })
  const memory: TwoLevelMemory = { plan, workers: outer.workers, inside: innerStates }
  // Where tiles wait for the first idle area, areas are never far apart; rows of a pattern may be empty.
  const helps =
    within.stealing && plan.tiles.every(({ worker, pattern }) => worker !== undefined && !pattern)
      ? { stealing: plan.stealing ?? ('own-rows' as const), duplicates: plan.duplicates ?? ('own-areas' as const) }
      : {}
  return {
    ...plan,
    tiles,
    ...helps,
    ...(resting.length > 0 ? { resting } : {}),
    ...(predicted ? { predicted } : {}),
    learned: learnedByArea(groups, innerStates, plan.learned),
    decisions: { ...plan.decisions, acceleratorShare: acceleratorShare(innerStates) },
    memory,
  }
}

/** Tiles of one worker, shared among its areas: whole where that comes out even, cut where a boundary lies in one. */
export function divided(
  tiles: readonly PlannedTile[],
  areas: readonly AreaShare[],
  shares: readonly number[],
  costs: CostField,
): PlannedTile[] {
  const costOf = (tile: PlannedTile) =>
    tile.pattern ? (costs.total(tile.rect) * pixelCount(tile)) / (tile.rect.w * tile.rect.h) : costs.total(tile.rect)
  const total = tiles.reduce((sum, tile) => sum + costOf(tile), 0)
  // Where nothing is expected to cost anything, pixels do.
  if (!(total > 0)) return costs === uniformCosts ? [...tiles] : divided(tiles, areas, shares, uniformCosts)
  const given: PlannedTile[] = []
  const last = shares.findLastIndex(share => share > 0)
  let area = 0
  let room = shares[0]! * total
  let waiting = [...tiles]
  for (let tile = waiting.shift(); tile; tile = waiting.shift()) {
    while (area < last && room <= total * 1e-9) room += shares[++area]! * total
    const cost = costOf(tile)
    if (area >= last || cost <= room * (1 + 1e-9)) {
      given.push({ ...tile, worker: areas[Math.min(area, last)]!.id })
      room -= cost
      continue
    }
    // Across the longer side, where a boundary can be placed more finely.
    const axis = longerAxis(tile.rect)
    const lines = linesOf(tile, axis, room / cost, costs)
    if (lines > 0 && lines < extent(tile.rect, axis)) {
      const [first, second] = splitRect(tile.rect, axis, lines).map(rect => ({ ...tile, rect }))
      // A pattern may pick nothing of a part.
      if (pixelCount(first!) > 0) given.push({ ...first!, worker: areas[area]!.id })
      if (pixelCount(second!) > 0) waiting = [second!, ...waiting]
    } else if (lines > 0) given.push({ ...tile, worker: areas[area]!.id })
    else waiting = [tile, ...waiting]
    room = 0
  }
  return given
}

/** The number of rows or columns of a tile that come nearest to a share of its cost. */
function linesOf({ rect }: PlannedTile, axis: Axis, share: number, costs: CostField): number {
  const profile = costs.profile(rect, axis)
  const total = profile.reduce((sum, cost) => sum + cost, 0)
  const goal = share * (total > 0 ? total : profile.length)
  let sum = 0
  for (let line = 0; line < profile.length; line++) {
    const cost = total > 0 ? profile[line]! : 1
    if (sum + cost / 2 > goal) return line
    sum += cost
  }
  return profile.length
}

/** Areas by worker, in the order of the first area of each. */
function groupsOf(areas: readonly AreaShare[]): Grouped[] {
  const byWorker = new Map<string, AreaShare[]>()
  for (const area of areas) {
    const key = area.workerId ?? area.id
    const group = byWorker.get(key)
    if (group) group.push(area)
    else byWorker.set(key, [area])
  }
  return [...byWorker.values()].map((group): Grouped => {
    const { id, grain } = group[0]!
    const speed = group.reduce((sum, area) => sum + area.speed, 0)
    return { worker: { id, speed, ...(grain ? { grain } : {}) }, areas: group }
  })
}

/** What is known of the areas of each worker that has several, its shares for the next frame included. */
function innerStatesOf(context: PlanContext, within: Within): Record<string, InnerState> {
  const { previous, options } = context
  const before = memoryOf(previous)
  const measured = previous ? measuredAreas(previous, context.clock) : new Map<string, MeasuredArea>()
  const innerStates: Record<string, InnerState> = {}
  for (const { worker, areas } of groupsOf(context.workers)) {
    if (areas.length === 1) continue
    const known = before?.inside[worker.id]
    // A device that came or went changes what shares mean.
    const inside = known && known.shares.length === areas.length ? known : undefined
    innerStates[worker.id] = inside
      ? next(inside, areas, measured, context, within)
      : { ...begun(areas, within.divide({ areas, options })), isNew: true }
  }
  return innerStates
}

const begun = (areas: readonly AreaShare[], { shares, memory }: ReturnType<Within['divide']>): InnerState => ({
  shares,
  measured: areas.map(() => ({ busyMs: 0, work: 0 })),
  frames: 0,
  memory,
  learned: areas.map(() => 1),
})

function next(
  inside: InnerState,
  areas: readonly AreaShare[],
  measured: ReadonlyMap<string, MeasuredArea>,
  { options }: PlanContext,
  within: Within,
): InnerState {
  const newest = areas.map(({ id }) => measured.get(id) ?? { busyMs: 0, work: 0 })
  const sums = inside.measured.map(({ busyMs, work }, i) => ({
    busyMs: busyMs + newest[i]!.busyMs,
    work: work + newest[i]!.work,
  }))
  const frames = inside.frames + 1
  const learned = learnedSpeeds(inside.learned, areas, newest)
  const { isNew: _, ...known } = inside
  if (frames < options.withinEvery) return { ...known, measured: sums, frames, learned }
  const { shares, memory } = within.divide({
    areas,
    options,
    previous: { shares: inside.shares, measured: sums, frames, memory: inside.memory },
  })
  return { ...begun(areas, { shares, memory }), learned }
}

/** By area: how long it was busy in a frame, and what it did. Engines count work; where they do not, pixels must do. */
function measuredAreas(previous: PreviousFrame, clock: FrameInput['clock']): Map<string, MeasuredArea> {
  const speeds = new Map<string, number>(previous.workers.map(({ id, speed }) => [id, speed]))
  const isCounted = previous.tiles.every(({ work }) => work !== undefined)
  const areas = new Map<string, MeasuredArea>()
  for (const tile of previous.tiles) {
    const { busyMs, work } = areas.get(tile.worker) ?? { busyMs: 0, work: 0 }
    const tookMs = clock === 'cpu' ? tile.cpuMs / (speeds.get(tile.worker) || 1) : tile.wallMs
    areas.set(tile.worker, {
      busyMs: busyMs + tookMs,
      work: work + (isCounted ? tile.work! : pixelCount(tile)),
    })
  }
  return areas
}

function learnedSpeeds(
  known: readonly number[],
  areas: readonly AreaShare[],
  measured: readonly MeasuredArea[],
): number[] {
  const paceOf = (i: number) => {
    const { busyMs, work } = measured[i]!
    return busyMs > 0 && areas[i]!.speed > 0 ? work / busyMs / areas[i]!.speed : 0
  }
  const first = paceOf(0)
  return known.map((before, i) => {
    const pace = paceOf(i)
    if (i === 0 || !(first > 0 && pace > 0)) return before
    const now = Math.min(MAX_LEARNED, Math.max(1 / MAX_LEARNED, pace / first))
    return Math.abs(now / before - 1) > CHANCE ? now : (before + now) / 2
  })
}

/** What a frame looks like to the strategy: workers, and tiles that are theirs. */
function outerContext(
  context: PlanContext,
  groups: readonly Grouped[],
  innerStates: Record<string, InnerState>,
): PlanContext {
  const workers = groups.map(({ worker, areas }) => asOne(worker, areas, innerStates[worker.id]))
  const { previous: seen, ...others } = context
  const previous = seen && outerPrevious(seen)
  return { ...others, workers, ...(previous ? { previous } : {}) }
}

/** A worker is as fast as its areas turned out to be together. */
function asOne(worker: AreaShare, areas: readonly AreaShare[], inside: InnerState | undefined): AreaShare {
  if (!inside) return worker
  return { ...worker, speed: areas.reduce((sum, { speed }, i) => sum + speed * inside.learned[i]!, 0) }
}

function outerPrevious(previous: PreviousFrame): PreviousFrame | undefined {
  const before = memoryOf(previous)
  // Planned before any worker had several areas: then areas were workers.
  if (!before) return previous
  const workerOf = new Map<string, { readonly worker: AreaShare; readonly area: AreaShare; readonly learned: number }>()
  for (const { worker, areas } of groupsOf(previous.workers)) {
    const inside = before.inside[worker.id]
    const one = before.workers.find(({ id }) => id === worker.id) ?? worker
    for (const [i, area] of areas.entries())
      workerOf.set(area.id, { worker: one, area, learned: inside?.learned[i] ?? 1 })
  }
  const tiles = previous.tiles.map((tile): TileReport => {
    const found = workerOf.get(tile.worker)
    if (!found) return tile
    const { worker, area, learned } = found
    return {
      ...tile,
      worker: worker.id,
      cpuMs: tile.cpuMs * learned,
      wallMs: worker.speed > 0 ? (tile.wallMs * area.speed * learned) / worker.speed : tile.wallMs,
    }
  })
  return { plan: before.plan, tiles, workers: before.workers }
}

/** As if areas were workers, also after frames in which they were not. */
function withoutLevels<Input extends PlanContext>(input: Input): Input {
  const { previous, ...others } = input
  const outer = previous && outerPrevious(previous)
  return outer ? ({ ...others, previous: outer } as Input) : input
}

const memoryOf = (previous: PreviousFrame | undefined): TwoLevelMemory | undefined => {
  const memory = previous?.plan.memory as Partial<TwoLevelMemory> | undefined
  return memory && typeof memory === 'object' && 'inside' in memory ? (memory as TwoLevelMemory) : undefined
}

/** How fast areas turned out to be, over what they declare: as the strategy found of their worker, and within it. */
function learnedByArea(
  groups: readonly Grouped[],
  innerStates: Record<string, InnerState>,
  ofWorkers: Plan['learned'] = {},
): Record<string, number> {
  const learned: Record<string, number> = {}
  for (const { worker, areas } of groups) {
    const outer = ofWorkers[worker.id] ?? 1
    for (const [i, { id }] of areas.entries()) {
      const factor = outer * (innerStates[worker.id]?.learned[i] ?? 1)
      if (factor !== 1) learned[id] = factor
    }
  }
  return learned
}

/** Of what workers with accelerators were given: the accelerators' part on average. */
function acceleratorShare(innerStates: Record<string, InnerState>): number {
  const shares = Object.values(innerStates).map(inside => 1 - inside.shares[0]!)
  return Number((shares.reduce((sum, share) => sum + share, 0) / shares.length).toFixed(4))
}
