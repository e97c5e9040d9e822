/**
 * Plays frames to a strategy as a session would: through the real planner, with costs that are made up instead of measured.
 */

import type { CoverageMask } from '../../master/coverage/coverage-mask.ts'
import { FramePlanner, type TracedTile } from '../../master/frames/frame-planner.ts'
import { probeTiles } from '../../master/frames/passes.ts'
import type { AreaShare, FrameInput, Plan, PlannedTile, Strategy } from '../../master/strategies/strategy.ts'
import { forEachRun } from '../../shared/frame/pixel-set.ts'
import { extent, frameRect, longerAxis, type Size, splitRect } from '../../shared/frame/rect.ts'
import { areaId } from '../../shared/ids.ts'
import { cellRange, type TileCells } from '../../shared/protocol/cell-costs.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../shared/session/strategy-options.ts'
import { smallCamera } from './small-scene.ts'
import { takeIn } from './take-in.ts'

/** Cost of a pixel, ms of a worker of speed 1. */
export type CostAt = (x: number, y: number) => number

export interface PlayedFrame {
  readonly workers: readonly AreaShare[]
  readonly costAt: CostAt
  readonly coverage?: CoverageMask
  /** Whether every tile comes back in two pieces, the second from another worker, as after a rescue. @default false */
  readonly pieces?: boolean
}

export interface PlayedRun {
  readonly size: Size
  readonly frames: readonly PlayedFrame[]
  readonly options?: Partial<StrategyOptions>
  readonly clock?: 'cpu' | 'wall'
}

export interface PlayedPlan {
  readonly input: FrameInput
  readonly plan: Plan
  readonly tiles: readonly TracedTile[]
}

/** Workers w1, w2, … of these speeds. */
export const team = (speeds: readonly number[]): AreaShare[] =>
  speeds.map((speed, i) => ({ id: areaId(`w${i + 1}`), speed }))

/** @param keep what becomes of a plan before it is handed back with the next frame */
export function playFrames(
  strategy: Strategy,
  { size, frames, options: changes, clock = 'cpu' }: PlayedRun,
  keep: (plan: Plan) => Plan = plan => plan,
): PlayedPlan[] {
  const options = { ...DEFAULT_STRATEGY_OPTIONS, ...changes }
  const planner = new FramePlanner({ strategy, options, size, clock, record: false })
  return frames.map(({ workers, costAt, coverage, pieces = false }, frame) => {
    const planContext = planner.planContext(smallCamera(frame), workers)
    const trace = (tiles: readonly PlannedTile[]) =>
      tiles.flatMap((tile, i) =>
        piecesOf(tile, pieces).map((piece, j) => traced(piece, i + j, workers, costAt, planner.cell)),
      )
    const input: FrameInput = {
      ...planContext,
      ...(planner.wantsCoverage(planContext) && coverage ? { coverage } : {}),
      ...(planner.wantsProbe(planContext)
        ? { probe: planner.probed(trace(probeTiles(frameRect(size), workers, planner.cell)), workers) }
        : {}),
    }
    const plan = strategy.plan(input)
    const tiles = trace(plan.tiles)
    takeIn(planner, planContext, keep(plan), tiles)
    return { input, plan, tiles }
  })
}

function piecesOf(tile: PlannedTile, pieces: boolean): PlannedTile[] {
  const axis = longerAxis(tile.rect)
  const length = extent(tile.rect, axis)
  if (!pieces || length < 2) return [tile]
  const [first, second] = splitRect(tile.rect, axis, length >> 1)
  const { worker: _, ...set } = tile
  return [
    { ...tile, rect: first },
    { ...set, rect: second },
  ]
}

/** A tile with what it cost; one without a worker goes to somebody that can work. */
function traced(
  tile: PlannedTile,
  turn: number,
  workers: readonly AreaShare[],
  costAt: CostAt,
  cell: number,
): TracedTile {
  const able = workers.filter(worker => worker.speed > 0)
  const owner = workers.find(({ id }) => id === tile.worker) ?? able[turn % able.length]!
  const cells = cell > 0 ? emptyCells(tile, cell) : undefined
  const range = cell > 0 ? cellRange(tile.rect, cell) : undefined
  let cpuMs = 0
  forEachRun(tile, (left, y, length) => {
    for (let x = left; x < left + length; x++) {
      const cost = costAt(x, y)
      cpuMs += cost
      if (!cells || !range) continue
      const at = (Math.floor(y / cell) - range.row) * range.columns + Math.floor(x / cell) - range.column
      cells.costs[at]! += cost
      cells.depths[at] = 5 + cost
    }
  })
  const { worker: _, ...set } = tile
  return { ...set, worker: owner.id, cpuMs, wallMs: cpuMs / owner.speed, ...(cells ? { cells } : {}) }
}

function emptyCells(tile: PlannedTile, cell: number): TileCells {
  const { columns, rows } = cellRange(tile.rect, cell)
  return { cell, costs: new Float64Array(columns * rows), depths: new Float32Array(columns * rows).fill(Number.NaN) }
}
