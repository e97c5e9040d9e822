/** How long strategies decide: frames of 1080p, from the coverage mask and from measured tiles. */
import { CoverageMask } from '../../master/coverage/coverage-mask.ts'
import { strategies } from '../../master/strategies/index.ts'
import type { FrameInput, WorkerShare } from '../../master/strategies/strategy.ts'
import { workerId } from '../../shared/ids.ts'
import { area, type Size } from '../../shared/rect.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/strategy-options.ts'
import type { Camera } from '../../shared/view.ts'
import { measure, type Timing } from './measure.ts'

export interface StrategyBench {
  readonly strategy: string
  readonly workers: number
  /** The plan of a first frame, its mask given. */
  readonly first: Timing
  /** The plan of a later frame. */
  readonly next: Timing
}

const SIZE: Size = [1920, 1080]

const CAMERA: Camera = {
  origin: [0, 0, 5],
  right: [1, 0, 0],
  up: [0, 1, 0],
  back: [0, 0, 1],
  tanHalfX: 0.6,
  tanHalfY: 0.34,
  near: 0.1,
  far: 100,
}

export function benchStrategies(counts: readonly number[]): StrategyBench[] {
  const coverage = discMask()
  return counts.flatMap(count => {
    const workers = Array.from({ length: count }, (_, i): WorkerShare => ({ id: workerId(`w${i}`), speed: 1 }))
    return strategies.map((strategy): StrategyBench => {
      const known = {
        size: SIZE,
        workers,
        camera: CAMERA,
        options: DEFAULT_STRATEGY_OPTIONS,
        history: [],
        clock: 'cpu',
      } as const
      const firstInput: FrameInput = { ...known, coverage }
      const plan = strategy.plan(firstInput)
      const tiles = plan.tiles.map(({ rect, worker = '' }, i) => {
        const cost = (area(rect) * (1 + (i % 7))) / 1e4
        return { rect, worker, cpuMs: cost, wallMs: cost }
      })
      const nextInput: FrameInput = { ...known, previous: { plan, tiles, workers } }
      return {
        strategy: strategy.name,
        workers: count,
        first: measure(15, () => strategy.plan(firstInput)),
        next: measure(101, () => strategy.plan(nextInput)),
      }
    })
  })
}

/** A disc in the lower left: something to balance. */
function discMask(): CoverageMask {
  const mask = new CoverageMask(SIZE)
  for (let y = 400; y < 1000; y++) {
    const half = Math.floor(Math.sqrt(300 ** 2 - (y - 700) ** 2))
    if (half > 0) mask.setRun(y, 600 - half, 600 + half)
  }
  return mask
}
