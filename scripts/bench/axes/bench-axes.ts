/**
 * Whether rays with components that are exactly zero cost more than rays beside them: time in every way of tracing, round by round in turn.
 * `test/worker/engine/wasm/axes.test.ts` has the same bound for traversal steps.
 */

import type { Vec3 } from '../../../shared/frame/view.ts'
import { triangleCount } from '../../../shared/scene/bake.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { cpuMsOf } from '../cpu-time.ts'
import { openBenchScene } from '../kernel/bench-scene.ts'
import { buildScene } from '../kernel/build-scene.ts'
import { primaryRays, regionSeen } from '../kernel/ray-sets.ts'
import { putRays, traceRays, type WayOfTracing } from '../kernel/wasm.ts'
import { median } from '../measure.ts'
import { beside, EXACT_DIRECTIONS } from './directions.ts'
import { parallelRays } from './parallel-rays.ts'

export interface AxesOptions {
  /** A built-in scene, or a mesh file. */
  readonly mesh: string
  /** Each direction has side² rays. */
  readonly side: number
  readonly rounds: number
}

export interface AxesRow {
  readonly directions: string
  readonly way: string
  /** CPU time of a ray, median over the rounds. */
  readonly exactNs: number
  readonly besideNs: number
  /** Of the two: median over the rounds. */
  readonly ratio: number
}

export interface AxesBench extends AxesOptions {
  readonly triangles: number
  readonly rows: readonly AxesRow[]
}

/** A direction that costs more than this many times what others beside it do is a mistake. */
export const MAX_RATIO = 2

const WAYS: readonly (WayOfTracing & { readonly name: string })[] = [
  { name: 'closest hit, coherent', shadow: false, coherent: true },
  { name: 'closest hit', shadow: false, coherent: false },
  { name: 'any hit, coherent', shadow: true, coherent: true },
  { name: 'any hit', shadow: true, coherent: false },
]

/** Clock resolution. */
const MIN_MS = 1e-6

/** Of the camera, which only says what part of the scene is looked at. */
const SEEN_SIZE = [160, 90] as const

/** @throws UsageError for a mesh that cannot be loaded */
export async function benchAxes(
  options: AxesOptions,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<AxesBench> {
  const { side, rounds } = options
  const { name: mesh, scene, view } = await openBenchScene(options.mesh, SEEN_SIZE, 'close')
  const engine = loadWasmEngine('wasm')
  const count = side * side
  const caster = engine.castRays(buildScene(engine, scene), count)
  const region = regionSeen(scene, primaryRays(view).trace(caster))
  const timed = (direction: Vec3, way: WayOfTracing) => {
    putRays(caster, { rays: parallelRays(direction, region, side), count })
    return cpuMsOf(() => traceRays(caster, count, way))
  }
  const cases = EXACT_DIRECTIONS.flatMap(({ name, directions }) =>
    WAYS.map(way => ({ name, directions, way, times: [] as { exact: number; beside: number }[] })),
  )
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`)
    for (const { directions, way, times } of cases) {
      const sum = { exact: 0, beside: 0 }
      for (const [i, direction] of directions.entries()) {
        signal.throwIfAborted()
        sum.exact += timed(direction, way)
        sum.beside += timed(beside(direction, round * directions.length + i), way)
      }
      if (round > 0) times.push(sum)
    }
  }
  const rows = cases.map(({ name, directions, way, times }): AxesRow => {
    const ns = (ms: number) => (ms * 1e6) / (count * directions.length)
    return {
      directions: name,
      way: way.name,
      exactNs: ns(median(times.map(time => time.exact))),
      besideNs: ns(median(times.map(time => time.beside))),
      ratio: median(times.map(time => time.exact / Math.max(time.beside, MIN_MS))),
    }
  })
  return { mesh, side, rounds, triangles: triangleCount(scene), rows }
}
