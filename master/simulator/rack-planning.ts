/**
 * How the master of a rack plans: its frame is the tile that the rack was given, its costs are those that came with the order. What it
 * keeps from frame to frame is what its strategy remembers of its workers.
 */
import { InvariantError, invariant } from '../../shared/errors.ts'
import type { Clock } from '../../shared/frame/frame-limits.ts'
import { type PixelPattern, type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import type { Rect, Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import type { Bodies } from '../../shared/scene/bodies.ts'
import type { StrategyOptions } from '../../shared/session/strategy-options.ts'
import { uniformCosts } from '../costs/cost-field.ts'
import { CostMap } from '../costs/cost-map.ts'
import type { CostPredictor } from '../costs/predictors/predictor.ts'
import { sight } from '../costs/reprojected-costs.ts'
import type { Planning } from '../frames/frame-order.ts'
import type { FrameIntake, TracedTile } from '../frames/frame-planner.ts'
import {
  type AreaShare,
  type Plan,
  type PlanContext,
  type PlannedTile,
  type PreviousFrame,
  type Strategy,
  workingShares,
} from '../strategies/strategy.ts'
import { cutScreen } from '../strategies/trees/prediction-tree.ts'
import { withinByName } from '../strategies/within/index.ts'
import { twoLevels } from '../strategies/within/two-levels.ts'
import { receivedCosts, type SentCosts } from './sent-costs.ts'

export interface RackRules {
  readonly strategy: Strategy
  readonly options: StrategyOptions
  readonly predictor: CostPredictor
  readonly clock: Clock
  /** Side of the cells for which costs are returned, px. */
  readonly cell: number
}

/** The tile of a rack as its master receives it. */
export interface RackTile {
  readonly tile: PixelSet
  /** Absent if nothing was predicted. */
  readonly costs?: SentCosts
}

export class RackPlanner {
  readonly #rules: RackRules
  #previous: PreviousFrame | undefined

  constructor({ strategy, options, ...rules }: RackRules) {
    const within = withinByName(options.within)
    this.#rules = {
      ...rules,
      strategy: within ? twoLevels(strategy, within) : strategy,
      // From frame to frame a rack is given other parts of the picture: earlier splits say nothing about where new ones belong.
      options: { ...options, damping: 0, resistance: 0 },
    }
  }

  planning(tile: RackTile): Planning {
    return new RackPlanning(this.#rules, tile, this.#previous, previous => {
      this.#previous = previous
    })
  }
}

class RackPlanning implements Planning {
  readonly cell: number
  readonly #rules: RackRules
  readonly #rect: Rect
  /** Over the rack's own frame. */
  readonly #pattern: Lattice | undefined
  readonly #sent: SentCosts | undefined
  readonly #previous: PreviousFrame | undefined
  readonly #remember: (previous: PreviousFrame) => void

  constructor(
    rules: RackRules,
    { tile, costs }: RackTile,
    previous: PreviousFrame | undefined,
    remember: (previous: PreviousFrame) => void,
  ) {
    this.cell = rules.cell
    this.#rules = rules
    this.#rect = tile.rect
    this.#pattern = tile.pattern && shifted(tile.pattern, tile.rect)
    this.#sent = costs
    this.#previous = previous
    this.#remember = remember
  }

  cellFor(): number {
    return this.cell
  }

  planContext(camera: Camera, workers: readonly AreaShare[], bodies?: Bodies): PlanContext {
    const { options, predictor, clock } = this.#rules
    const size: Size = [this.#rect.w, this.#rect.h]
    const history = this.#isProbe ? [] : [{ ...sight(camera, bodies), costs: this.#costs(size) }]
    const known = { ...(this.#previous ? { previous: this.#previous } : {}), ...(bodies ? { bodies } : {}) }
    return { size, workers, camera, options, predictor, clock, history, ...known }
  }

  wantsCoverage(): boolean {
    return false
  }

  wantsProbe(): boolean {
    return false
  }

  plan(planContext: PlanContext): Plan {
    const pattern = this.#pattern
    const { history, size, workers } = planContext
    const [known] = history
    if (!known) return { tiles: latticeTiles(size, pattern!, workers) }
    // What was predicted for this very frame is to a strategy what a probe has found.
    const plan = this.#rules.strategy.plan({ ...planContext, probe: known.costs })
    if (!pattern) return plan
    return { ...plan, tiles: plan.tiles.map(tile => ({ ...tile, pattern })).filter(tile => pixelCount(tile) > 0) }
  }

  intake({ workers }: PlanContext, plan: Plan): FrameIntake {
    const tiles: TracedTile[] = []
    return {
      take: ({ cells: _, ...tile }) => void tiles.push(tile),
      done: () => {
        // The tiles of a probe are too short to say how fast their workers are.
        if (!this.#isProbe) this.#remember({ plan, tiles, workers })
        return () => ({})
      },
    }
  }

  probed(): never {
    throw new InvariantError('a rack makes no probe of its own')
  }

  nextContext(): never {
    throw new InvariantError('a rack makes its tile in one pass')
  }

  get #isProbe(): boolean {
    return this.#pattern?.kind === 'lattice'
  }

  /** Where nothing was predicted, pixels cost the same. */
  #costs(size: Size): CostMap {
    if (this.#sent) return receivedCosts(this.#sent, this.#rect)
    const map = new CostMap(size, this.cell)
    return map.withCosts(i => map.area(i % map.columns, Math.floor(i / map.columns)))
  }
}

/** A frame's probe, and what it leaves: the patterns of strategies that cut the frame into rectangles. */
type Lattice = Extract<PixelPattern, { kind: 'lattice' | 'gaps' }>

/** The pattern over a frame that begins at the rectangle's corner. */
function shifted(pattern: PixelPattern, { x, y }: Rect): Lattice {
  invariant(pattern.kind === 'lattice' || pattern.kind === 'gaps', `a rack is not given pixels by ${pattern.kind}`)
  const { stepX, stepY, dx, dy } = pattern
  return { ...pattern, dx: modulo(dx - x, stepX), dy: modulo(dy - y, stepY) }
}

/** Shares the points of a lattice evenly: they are cut as if they were the pixels of a small screen. */
function latticeTiles([w, h]: Size, pattern: Lattice, workers: readonly AreaShare[]): PlannedTile[] {
  const { stepX, stepY, dx, dy } = pattern
  const points = { x: 0, y: 0, w: Math.ceil((w - dx) / stepX), h: Math.ceil((h - dy) / stepY) }
  return cutScreen(points, workingShares(workers), uniformCosts).map(({ rect, ...tile }) => ({
    ...tile,
    pattern,
    rect: {
      x: dx + rect.x * stepX,
      y: dy + rect.y * stepY,
      w: (rect.w - 1) * stepX + 1,
      h: (rect.h - 1) * stepY + 1,
    },
  }))
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by
