/**
 * Planning times of strategies: first frames at 1080p, with a coverage mask or a probe if they ask for one, and later
 * frames, from tiles and cells with costs. Nothing is random and nothing is rendered: the costs are synthetic.
 */
import { HISTORY_FRAMES, type MeasuredFrame } from '../../master/costs/cost-history.ts'
import { CostMap } from '../../master/costs/cost-map.ts'
import { predictorByName } from '../../master/costs/predictors/index.ts'
import { CoverageMask } from '../../master/coverage/coverage-mask.ts'
import { strategies } from '../../master/strategies/index.ts'
import type { AreaShare, FrameInput, Plan, PlanContext, Strategy } from '../../master/strategies/strategy.ts'
import type { TileReport } from '../../shared/frame/frame-report.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import { areaId } from '../../shared/ids.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import { measure, type Timing } from './measure.ts'

export interface StrategyBench {
  readonly strategy: string
  readonly workers: number
  /** Planning a first frame. */
  readonly first: Timing
  /** Planning a later frame. */
  readonly next: Timing
}

const SIZE: Size = [1920, 1080]

/** Centre, px, and radius of a disc that contains the work, so that there is something to balance. */
const DISC = { x: 600, y: 700, radius: 300 } as const
/** Movement of the disc per frame, px. */
const STEP = 3
/** ms per pixel inside and outside the disc. */
const COSTS = { inside: 4e-3, outside: 2e-4 } as const

/** Frames before the planned one: enough to fill the history. */
const FRAMES_BEFORE = HISTORY_FRAMES + 1

export function benchStrategies(counts: readonly number[], rounds: number): StrategyBench[] {
  const coverage = discMask()
  return counts.flatMap(count => {
    const workers = Array.from({ length: count }, (_, i): AreaShare => ({ id: areaId(`w${i}`), speed: 1 }))
    return strategies.map((strategy): StrategyBench => {
      const [first, next] = inputsOf(strategy, workers, coverage)
      return {
        strategy: strategy.name,
        workers: count,
        first: measure(rounds, () => strategy.plan(first)),
        next: measure(rounds, () => strategy.plan(next)),
      }
    })
  })
}

/** The inputs of a strategy for the first frame, and for one after it has seen several. */
function inputsOf(
  strategy: Strategy,
  workers: readonly AreaShare[],
  coverage: CoverageMask,
): [first: FrameInput, next: FrameInput] {
  const cell = strategy.cellSize?.(DEFAULT_STRATEGY_OPTIONS) ?? 0
  let history: MeasuredFrame[] = []
  let previous: FrameInput['previous']
  let first: FrameInput | undefined
  for (let frame = 0; ; frame++) {
    const camera = cameraOf(frame)
    const known: PlanContext = {
      size: SIZE,
      workers,
      camera,
      options: DEFAULT_STRATEGY_OPTIONS,
      predictor: predictorByName(DEFAULT_STRATEGY_OPTIONS.predictor),
      history,
      clock: 'cpu',
      ...(previous ? { previous } : {}),
    }
    const map = discCosts(frame, cell || DEFAULT_STRATEGY_OPTIONS.cell || 8)
    const input: FrameInput = {
      ...known,
      ...(strategy.wantsCoverage?.(known) ? { coverage } : {}),
      ...(strategy.wantsProbe?.(known) ? { probe: map } : {}),
    }
    first ??= input
    if (frame === FRAMES_BEFORE) return [first, input]
    const plan = strategy.plan(input)
    previous = { plan, tiles: tracedTiles(plan, map, workers), workers }
    if (cell > 0) history = [{ camera, costs: map }, ...history].slice(0, HISTORY_FRAMES)
  }
}

/**
 * The tiles of a plan with their costs; one without a worker goes to the next in turn. Patterns are assumed to share the
 * frame evenly: counting their pixels would take longer than everything that is measured.
 */
function tracedTiles({ tiles }: Plan, map: CostMap, workers: readonly AreaShare[]): TileReport[] {
  const field = map.field()
  return tiles.map(({ worker, ...set }, i) => {
    const cost = set.pattern ? map.total / tiles.length : field.total(set.rect)
    return { ...set, worker: worker ?? workers[i % workers.length]!.id, cpuMs: cost, wallMs: cost }
  })
}

function discCosts(frame: number, cell: number): CostMap {
  const map = new CostMap(SIZE, cell)
  for (let row = 0; row < map.rows; row++) {
    for (let column = 0; column < map.columns; column++) {
      const [x, y] = [column * cell + cell / 2, row * cell + cell / 2]
      const inside = Math.hypot(x - DISC.x - STEP * frame, y - DISC.y) < DISC.radius
      const at = row * map.columns + column
      map.costs[at] = map.area(column, row) * (inside ? COSTS.inside : COSTS.outside)
      map.depths[at] = inside ? 5 : Number.POSITIVE_INFINITY
    }
  }
  return map
}

function discMask(): CoverageMask {
  const mask = new CoverageMask(SIZE)
  for (let y = DISC.y - DISC.radius; y < DISC.y + DISC.radius; y++) {
    const half = Math.floor(Math.sqrt(DISC.radius ** 2 - (y - DISC.y) ** 2))
    if (half > 0) mask.setRun(y, DISC.x - half, DISC.x + half)
  }
  return mask
}

/** Moves slightly sideways from frame to frame. */
const cameraOf = (frame: number): Camera => ({
  origin: [-0.01 * frame, 0, 5],
  right: [1, 0, 0],
  up: [0, 1, 0],
  back: [0, 0, 1],
  tanHalfX: 0.6,
  tanHalfY: 0.34,
  near: 0.1,
  far: 100,
})
