/**
 * Measures the costs of a scene's frames by tracing them here, without a cluster: the engine counts each pixel's steps, and
 * the time per step is the total time over the total count. The counts are the same on every machine and under any load.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CostMap } from '../../master/costs/cost-map.ts'
import { frameRect, type Rect, type Size } from '../../shared/frame/rect.ts'
import { allSamples, type Quality, type View } from '../../shared/frame/view.ts'
import { BodyReader } from '../../shared/scene/bodies.ts'
import type { Tracer } from '../../worker/engine/engine.ts'
import { type PixelWork, pixelWork } from '../../worker/engine/work.ts'
import { engineByName } from '../../worker/node/engines.ts'
import { threadCpuClock } from '../../worker/node/thread-cpu-clock.ts'
import { DEFAULT_FPS } from '../options/groups/film.ts'
import type { PreparedScene } from '../run/prepare-scene.ts'
import type { CostedFrame } from './read-recording.ts'

/** What is needed of a scene to trace its frames. */
export type CostedFilm = Pick<PreparedScene, 'held' | 'at' | 'cameraAt' | 'exposure'>

export interface TraceCostsOptions {
  readonly size: Size
  readonly quality: Quality
  readonly frames: number
  /** Side of a cell, px. */
  readonly cell: number
  /** Frames per second of a scene that moves. @default 24 */
  readonly fps?: number
}

/** Rows per call: whole blocks of the kernel. */
const ROWS = 32

/**
 * Traces frame after frame, and calls `traced` after each. Costs are ms of CPU time of one thread of this machine.
 * Rejects with the signal's reason on abort.
 */
export async function traceCosts(
  scene: CostedFilm,
  { size, quality, frames, cell, fps = DEFAULT_FPS }: TraceCostsOptions,
  traced: (frame: number) => void,
  signal: AbortSignal,
): Promise<CostedFrame[]> {
  const bodyReader = new BodyReader()
  let tracer = openTracer((await scene.held.content()).bytes)
  const clock = threadCpuClock()
  const rect = frameRect(size)
  const buffers = {
    rgb: new Uint8Array(rect.w * ROWS * 3),
    steps: new Uint32Array(rect.w * rect.h),
    depth: new Float32Array(rect.w * rect.h),
  }
  const found: CostedFrame[] = []
  let work = 0
  let cpuMs = 0
  // The first rows are traced twice: the engine is slow until it has been compiled.
  for (let frame = -1; frame < frames; frame++) {
    const number = Math.max(0, frame)
    const moment = await scene.at?.(number / fps, number)
    if (moment) tracer = openTracer(moment.held.bytes)
    const bodies = moment && bodyReader.read(moment.held.manifest, part => moment.held.parts.get(part)!)
    const camera = scene.cameraAt(number, moment?.cameras)
    const view: View = { frame: number, size, camera, quality, exposure: scene.exposure }
    const startedAt = clock.now()
    for (let row = 0; row < rect.h; row += ROWS) {
      if (frame < 0 && row > rect.h / 4) break
      const rows = { x: 0, y: row, w: rect.w, h: Math.min(ROWS, rect.h - row) }
      const [from, to] = [row * rect.w, (row + rows.h) * rect.w]
      const out = {
        rgb: buffers.rgb.subarray(0, 3 * (to - from)),
        steps: buffers.steps.subarray(from, to),
        depth: buffers.depth.subarray(from, to),
      }
      tracer.trace(view, { rect: rows }, allSamples(view), out)
      await nextTurn()
      signal.throwIfAborted()
    }
    if (frame < 0) continue
    cpuMs += clock.now() - startedAt
    const costs = countedCosts(buffers, rect, cell, pixelWork(quality))
    work += costs.total
    found.push({ frame, camera, ...(bodies ? { bodies } : {}), costs })
    traced(frame)
  }
  for (const { costs } of found) for (let i = 0; i < costs.costs.length; i++) costs.costs[i]! *= cpuMs / work
  return found
}

function openTracer(packed: Uint8Array): Tracer {
  const engine = engineByName('wasm')
  const building = engine.begin(packed, 1)
  engine.help(building)
  return engine.open(engine.finish(building), 0)
}

/** Work per cell, and the depth at its centre. */
function countedCosts(
  { steps, depth }: { readonly steps: Uint32Array; readonly depth: Float32Array },
  { w, h }: Rect,
  cell: number,
  { every, met }: PixelWork,
): CostMap {
  const map = new CostMap([w, h], cell)
  const { columns, costs, depths } = map
  for (let y = 0; y < h; y++) {
    const row = Math.floor(y / cell) * columns
    for (let x = 0; x < w; x++) {
      const at = y * w + x
      costs[row + Math.floor(x / cell)]! += steps[at]! + every + (depth[at]! < Number.POSITIVE_INFINITY ? met : 0)
    }
  }
  for (let row = 0; row < map.rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [x, y] = [Math.min(column * cell + (cell >> 1), w - 1), Math.min(row * cell + (cell >> 1), h - 1)]
      depths[row * columns + column] = depth[y * w + x]!
    }
  }
  return map
}
