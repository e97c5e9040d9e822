/**
 * Before the first session with a strategy a few frames of nothing are planned, while workers are getting the scene ready: the code
 * that plans frames is compiled before a frame has to wait for it. Uncompiled, the second frame's plan takes the master several
 * times as long as any later one's.
 */
import { areaId } from '../../shared/ids.ts'
import { cellRange } from '../../shared/protocol/cell-costs.ts'
import type { Rect, Size } from '../../shared/rect.ts'
import type { Camera } from '../../shared/view.ts'
import { CoverageMask } from '../coverage/coverage-mask.ts'
import { FramePlanner, type PlannerSettings, type TracedTile } from '../frames/frame-planner.ts'

/** Frames that are planned: loops are compiled while they run, what is called once for a frame when it has been called a few times. */
const ROUNDS = 6
/** Of pictures no larger than this, px: the code is the same, and sooner through. */
const MAX_PX = 640 * 360

export class Rehearsals {
  /** Strategies whose code is compiled. */
  readonly #done = new Set<string>()

  /** Rehearses a strategy that no session of this master has used yet; everybody else may do something between two frames. */
  async of(settings: PlannerSettings, areas: number, signal: AbortSignal): Promise<void> {
    const { name } = settings.strategy
    if (this.#done.has(name)) return
    this.#done.add(name)
    const size = smaller(settings.size)
    const planner = new FramePlanner({ ...settings, size, record: false })
    const workers = Array.from({ length: Math.max(1, areas) }, (_, i) => ({ id: areaId(`area ${i + 1}`), speed: 1 }))
    for (let round = 0; round < ROUNDS && !signal.aborted; round++) {
      const camera = cameraOf(round, size)
      const known = planner.known(camera, workers)
      planner.wantsProbe(known)
      const coverage = planner.wantsCoverage(known) ? new CoverageMask(size) : undefined
      const plan = planner.plan(known, coverage ? { coverage } : {})
      const intake = planner.intake(known, plan)
      for (const [i, { rect, worker = workers[i % workers.length]!.id }] of plan.tiles.entries())
        intake.take(tracedTile(rect, worker, planner.cell, round))
      intake.done()()
      await new Promise(resolve => setImmediate(resolve))
    }
  }
}

/** One that looks at the origin, from a little further round each time. */
function cameraOf(round: number, [width, height]: Size): Camera {
  const [sin, cos] = [Math.sin(round / 20), Math.cos(round / 20)]
  return {
    ...{ origin: [sin, 0, cos], right: [cos, 0, -sin], up: [0, 1, 0], back: [sin, 0, cos] },
    ...{ tanHalfX: (0.4 * width) / height, tanHalfY: 0.4, near: 0.01, far: 10 },
  }
}

function smaller([w, h]: Size): Size {
  const scale = Math.min(1, Math.sqrt(MAX_PX / (w * h)))
  return [Math.max(1, Math.round(w * scale)), Math.max(1, Math.round(h * scale))]
}

/** What a tile might have cost: other things in other frames, so that there is something to balance. */
function tracedTile(rect: Rect, worker: string, cell: number, round: number): TracedTile {
  const { columns, rows } = cell > 0 ? cellRange(rect, cell) : { columns: 1, rows: 1 }
  const costs = Float64Array.from({ length: columns * rows }, (_, i) => 1 + ((i + round) % 3))
  const depths = Float32Array.from(costs, (_, i) => (i % 5 === 0 ? Number.POSITIVE_INFINITY : 1 + (i % 7) / 50))
  const work = costs.reduce((sum, cost) => sum + cost, 0)
  const times = { cpuMs: work, wallMs: work, work: 1000 * work }
  return { rect, worker, ...times, ...(cell > 0 ? { cells: { cell, costs, depths } } : {}) }
}
