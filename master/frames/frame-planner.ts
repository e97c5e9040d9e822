/**
 * State carried from frame to frame for a strategy to plan the next one: the newest plan and its results, and fine costs
 * if the strategy has them measured. Pure apart from its own memory; live sessions and the simulator share it.
 */

import type { Clock } from '../../shared/frame/frame-limits.ts'
import type { TileReport } from '../../shared/frame/frame-report.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import type { TileCells } from '../../shared/protocol/cell-costs.ts'
import type { Bodies } from '../../shared/scene/bodies.ts'
import type { StrategyOptions } from '../../shared/session/strategy-options.ts'
import { assembleCosts } from '../costs/assemble-costs.ts'
import { type CostHistory, remember } from '../costs/cost-history.ts'
import type { CostMap } from '../costs/cost-map.ts'
import { predictionError } from '../costs/prediction-error.ts'
import { type CostPredictor, predictorByName } from '../costs/predictors/index.ts'
import { sight } from '../costs/reprojected-costs.ts'
import { enlarge } from '../costs/resampled-costs.ts'
import { type CountedTile, SteadyCosts } from '../costs/steady-costs.ts'
import type { CoverageMask } from '../coverage/coverage-mask.ts'
import type { AreaShare, Plan, PlanContext, PreviousFrame, Strategy } from '../strategies/strategy.ts'
import { withinByName } from '../strategies/within/index.ts'
import { hasAreas, twoLevels, WITHIN_CELL } from '../strategies/within/two-levels.ts'
import { type NextPass, nextCosts, nextTiles } from './next-pass.ts'

/** A tile as traced, with the costs of its cells if they were requested (ms of the worker's CPU time). */
export interface TracedTile extends TileReport {
  readonly cells?: TileCells
}

export interface PlannerSettings {
  readonly strategy: Strategy
  readonly options: StrategyOptions
  /** @default the built-in one that the options name */
  readonly predictor?: CostPredictor
  readonly size: Size
  readonly clock: Clock
  /** Whether fine costs are wanted even if the strategy does not need them. */
  readonly record: boolean
}

/**
 * Takes in the tiles of a planned frame, or of one of its passes, as they arrive, so that the next frame is planned with
 * their costs.
 */
export interface FrameIntake {
  take(tile: TracedTile): void
  /** All tiles have arrived. The outcome is computed on demand. */
  done(): () => FrameOutcome
}

/** The outcome of a planned frame. */
export interface FrameOutcome {
  /** Fine costs of the whole frame, if measured. */
  readonly costs?: CostMap
  readonly predictionError?: number
}

/** A pass of which the next one of its frame is planned. */
interface MadePass {
  readonly previous: PreviousFrame
  readonly costs?: CostMap
  readonly paces?: Float64Array
}

/** Side of recorded cells if the strategy requests none, px. */
const RECORDED_CELL = 8

/** Side of the cells whose costs are reckoned with, px; 0: none. */
export const recordedCell = (strategy: Strategy, options: StrategyOptions, record: boolean): number =>
  strategy.cellSize?.(options) || (record ? options.cell || RECORDED_CELL : 0)

/** A 4K frame has as many cells of 8 px. More say no more about where to cut, and would hold up the master when it plans. */
const MOST_CELLS = 2 ** 17

export class FramePlanner {
  readonly #settings: PlannerSettings
  readonly #predictor: CostPredictor
  /** Whether fine costs of the frames to come are wanted even if the strategy does not need them. */
  record: boolean
  readonly #withinWorkers: boolean
  #previous: PreviousFrame | undefined
  #history: CostHistory = []
  /** Time per unit of work in each cell of the newest frame. */
  #paces: Float64Array | undefined
  /** Number of the frame that each context was created for, in order of creation; and the newest that has been taken in. */
  readonly #numbers = new WeakMap<PlanContext, number>()
  #begun = 0
  #newest = 0
  /** What each planned pass of an adaptive frame brought, and for those after its first, the paces before it. */
  readonly #passes = new WeakMap<PlanContext, MadePass>()
  readonly #continuing = new WeakMap<PlanContext, { readonly paces: Float64Array | undefined }>()

  /** @throws UnknownNameError if the options name no built-in predictor, and none is given */
  constructor(settings: PlannerSettings) {
    const { strategy, options, record } = settings
    this.#predictor = settings.predictor ?? predictorByName(options.predictor)
    const within = withinByName(options.within)
    const sized = { ...settings, options: record ? options : withFewCells(settings.strategy, options, settings.size) }
    this.#settings = within ? { ...sized, strategy: twoLevels(strategy, within) } : sized
    this.#withinWorkers = within !== undefined
    this.record = record
  }

  /** Side of the cells that the strategy wants costs of, px; 0: none. */
  get cell(): number {
    const { strategy, options } = this.#settings
    return recordedCell(strategy, options, this.record)
  }

  /** Side of the cells that these shall return costs for, px; 0: none. Areas of one worker are compared by what they count. */
  cellFor(areas: readonly AreaShare[]): number {
    return this.cell || (this.#withinWorkers && hasAreas(areas) ? WITHIN_CELL : 0)
  }

  /** What is known of a frame before coverage or a probe is requested. */
  planContext(camera: Camera, workers: readonly AreaShare[], bodies?: Bodies): PlanContext {
    const planContext = this.#known(camera, workers, bodies)
    this.#numbers.set(planContext, ++this.#begun)
    return planContext
  }

  /** Whether a frame that begins now will ask for coverage: the scene may have to be read first. */
  wouldWantCoverage(camera: Camera, workers: readonly AreaShare[], bodies?: Bodies): boolean {
    return this.wantsCoverage(this.#known(camera, workers, bodies))
  }

  #known(camera: Camera, workers: readonly AreaShare[], bodies: Bodies | undefined): PlanContext {
    const { size, clock, options } = this.#settings
    const previous = this.#previous
    const known = { ...(previous ? { previous } : {}), ...(bodies ? { bodies } : {}) }
    const [predictor, history] = [this.#predictor, this.#history]
    return { size, workers, camera, options, predictor, clock, history, ...known }
  }

  /**
   * What is known before the next pass of an adaptive frame, whose pass before was planned with `before`. It says nothing about the
   * frames to come, which begin with all pixels again.
   */
  nextContext(before: PlanContext, workers: readonly AreaShare[], pass: NextPass): PlanContext {
    const made = this.#passes.get(before)
    const context = { ...before, workers }
    this.#continuing.set(context, { paces: made?.paces })
    if (!made) return context
    const { previous, costs } = made
    const history = costs ? [{ ...sight(before.camera, before.bodies), costs: nextCosts(costs, pass) }] : []
    return Object.assign(context, { previous: { ...previous, tiles: nextTiles(previous.tiles, pass) }, history })
  }

  /**
   * Before the first frame: takes the costs of a small picture of it, in any unit. Nothing is kept if the strategy
   * requests no costs.
   */
  prime(camera: Camera, picture: CostMap, bodies?: Bodies): void {
    if (this.cell === 0 || this.#history.length > 0) return
    this.#history = [{ ...sight(camera, bodies), costs: enlarge(picture, this.#settings.size, this.cell) }]
  }

  /** Before the first frame of another size: takes the newest costs of the size before, whose proportions are much the same. */
  primeFrom(other: FramePlanner): void {
    const [newest] = other.#history
    if (this.cell === 0 || this.#history.length > 0 || !newest) return
    this.#history = [{ ...newest, costs: enlarge(newest.costs, this.#settings.size, this.cell) }]
  }

  wantsCoverage(planContext: PlanContext): boolean {
    return this.#settings.strategy.wantsCoverage?.(planContext) === true
  }

  wantsProbe(planContext: PlanContext): boolean {
    return this.cell > 0 && this.#settings.strategy.wantsProbe?.(planContext) === true
  }

  plan(planContext: PlanContext, found: { readonly coverage?: CoverageMask; readonly probe?: CostMap }): Plan {
    return this.#settings.strategy.plan({ ...planContext, ...found })
  }

  intake(planContext: PlanContext, plan: Plan, shareOf?: (area: string) => AreaShare | undefined): FrameIntake {
    const nominal = this.#nominal(shareOf ?? finder(planContext.workers), plan)
    const cell = this.cellFor(planContext.workers)
    const tiles: TracedTile[] = []
    // Created on the first tile: until then, the previous frame's paces may still arrive.
    let steady: SteadyCosts | undefined
    return {
      take: tile => {
        tiles.push(tile)
        if (cell === 0 || !isCounted(tile)) return
        const before = this.#continuing.get(planContext)
        steady ??= new SteadyCosts(this.#settings.size, cell, before ? before.paces : this.#paces)
        steady.take(tile, nominal(tile))
      },
      done: () => this.#whole(planContext, plan, tiles, nominal, tiles.every(isCounted) ? steady : undefined),
    }
  }

  /** Cost map of a frame from tiles that hold one pixel of each cell; the rest of the cell is assumed to cost the same. */
  probed(tiles: readonly TracedTile[], workers: readonly AreaShare[]): CostMap {
    // Probe tiles are so short that their times say little; work, if counted, is exact.
    const scaleOf = tiles.every(isCounted) ? workPerMs : this.#nominal(finder(workers))
    const map = assembleCosts(this.#settings.size, this.cell, tiles, scaleOf)
    const { columns, rows, costs } = map
    const looked = (length: number) => length > this.cell >> 1
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        // Cells cut off by the frame's edge before their centre take the value of their neighbours.
        const [i, j] = [looked(map.width(column)) ? column : column - 1, looked(map.height(row)) ? row : row - 1]
        const perPixel = i < 0 || j < 0 ? 0 : costs[j * columns + i]! / (i === column && j === row ? 1 : map.area(i, j))
        costs[row * columns + column] = perPixel * map.area(column, row)
      }
    }
    return map
  }

  #whole(
    planContext: PlanContext,
    plan: Plan,
    tiles: readonly TracedTile[],
    nominal: (tile: TracedTile) => number,
    steady: SteadyCosts | undefined,
  ): () => FrameOutcome {
    const { record } = this
    const { size } = this.#settings
    const reports = tiles.map(({ cells: _, ...report }) => report)
    // When frames overlap, a later one may be complete, and taken in, before this one.
    const number = this.#numbers.get(planContext) ?? this.#begun
    const isNewest = number > this.#newest && !this.#continuing.has(planContext)
    const previous = { plan, tiles: reports, workers: planContext.workers }
    if (isNewest) {
      this.#newest = number
      this.#previous = previous
    }
    const cell = this.cellFor(planContext.workers)
    if (cell === 0 || !tiles.every(tile => tile.cells)) {
      this.#passes.set(planContext, { previous })
      return () => ({})
    }
    const measured = () => assembleCosts(size, cell, tiles, nominal)
    const costs = steady?.costs ?? measured()
    this.#passes.set(planContext, { previous, costs, ...(steady ? { paces: steady.paces } : {}) })
    if (isNewest) {
      this.#paces = steady?.paces
      this.#history = remember(this.#history, { ...sight(planContext.camera, planContext.bodies), costs })
    }
    return () => {
      const error = plan.predicted && predictionError(plan.predicted, costs)
      // Recordings hold the raw measurements, noise included.
      return {
        costs: record && steady ? measured() : costs,
        ...(error === undefined ? {} : { predictionError: error }),
      }
    }
  }

  /** Factor from ms of CPU time to ms, by the session's clock, of a worker of speed 1. */
  #nominal(shareOf: (area: string) => AreaShare | undefined, plan?: Plan): (tile: TracedTile) => number {
    const learned = (worker: string) => plan?.learned?.[worker] ?? 1
    // CPU time is already that of a worker of speed 1; wall time is stretched by a slow worker.
    if (this.#settings.clock === 'cpu') return ({ worker }) => learned(worker)
    return ({ worker, cpuMs, wallMs }) =>
      cpuMs > 0 ? (wallMs * (shareOf(worker)?.speed ?? 1) * learned(worker)) / cpuMs : 0
  }
}

/** Joins the outcomes of a frame's passes: the costs of all, and the first pass's prediction error. */
export function joinedOutcomes([first = {}, ...others]: readonly FrameOutcome[]): FrameOutcome {
  const maps = [first, ...others].flatMap(({ costs }) => costs ?? [])
  if (others.length === 0 || maps.length <= others.length) return first
  const all = maps[0]!.withCosts(i => maps.reduce((sum, { costs }) => sum + costs[i]!, 0))
  all.depths.set(maps[0]!.depths)
  return { ...first, costs: all }
}

function finder(areas: readonly AreaShare[]): (area: string) => AreaShare | undefined {
  const byId = new Map<string, AreaShare>(areas.map(area => [area.id, area]))
  return area => byId.get(area)
}

/** The options as they are, unless the cells that the strategy wants would be too many. */
function withFewCells(strategy: Strategy, options: StrategyOptions, [w, h]: Size): StrategyOptions {
  const wanted = strategy.cellSize?.(options) ?? 0
  const isFew = (cell: number) => Math.ceil(w / cell) * Math.ceil(h / cell) <= MOST_CELLS
  if (wanted === 0 || isFew(wanted)) return options
  return { ...options, cell: CELLS.find(cell => cell > wanted && isFew(cell)) ?? 32 }
}

const CELLS = [4, 8, 16, 32] as const

const isCounted = (tile: TracedTile): tile is TracedTile & CountedTile => tile.work !== undefined

/** Factor from ms of CPU time to the work that was counted in it. */
const workPerMs = ({ cpuMs, work = 0 }: TracedTile): number => (cpuMs > 0 ? work / cpuMs : 0)
