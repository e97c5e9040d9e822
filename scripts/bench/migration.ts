/**
 * The cost of migrating objects between workers, where cold caches are all that remains of it: the CPU time of a worker's
 * objects when it traced the same ones in the previous frame, when it traced another worker's, and when its caches
 * contain nothing of the scene, which bounds the cost of a migration.
 *
 * The workers are tracers in this process and share one core's caches: if they traced frame after frame, each would find
 * what the others left there, whether or not objects moved. So each gets the core for two frames at a time: one to fill
 * the caches, and one to measure, which is the same in all cases. All objects of a worker migrate at once, and the
 * difference is divided by their number. On real machines, shared caches hold the data of several workers, which this
 * cannot show; the third case is an upper bound.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { greedyLb } from '../../master/strategies/greedy-lb.ts'
import { refineLb } from '../../master/strategies/refine-lb.ts'
import type { PlannedTile, Strategy } from '../../master/strategies/strategy.ts'
import { areaId } from '../../shared/ids.ts'
import type { Log } from '../../shared/log.ts'
import { quantile } from '../../shared/metrics/statistics.ts'
import { pixelCount } from '../../shared/pixel-set.ts'
import type { Size } from '../../shared/rect.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/strategy-options.ts'
import { allSamples, type View } from '../../shared/view.ts'
import type { Tracer } from '../../worker/engine/engine.ts'
import { loadWasmEngine } from '../../worker/node/load-kernel.ts'
import { type PreparedScene, prepareScene } from '../run/prepare-scene.ts'
import { cpuMsOf } from './cpu-time.ts'
import { median } from './measure.ts'

export interface MigrationOptions {
  readonly scene: string
  readonly size: Size
  readonly workers: number
  readonly rounds: number
}

export interface MigrationBench {
  readonly scene: string
  readonly triangles: number
  readonly size: Size
  readonly workers: number
  readonly rounds: number
  readonly placements: readonly PlacementFigures[]
}

export interface PlacementFigures {
  readonly placement: string
  readonly objects: number
  /** By what filled the caches: `kept`, `moved`, `cold`. */
  readonly cases: readonly CaseFigures[]
}

/** What the worker traced in the previous frame: its own objects, another's, or its own with the caches flushed since. */
const CASES = ['kept', 'moved', 'cold'] as const
type Case = (typeof CASES)[number]

export interface CaseFigures {
  readonly case: Case
  /** CPU time of a frame, ms: median over the rounds. */
  readonly frameMs: number
  /** Relative to kept objects: median and quartiles over rounds and workers. */
  readonly ratio: number
  readonly quartiles: readonly [number, number]
  /** Extra cost of an object over a kept one, ms: median over the rounds, mean over objects. */
  readonly msPerObject: number
}

/** Placements of objects: the first frames of these strategies. */
const PLACEMENTS: Readonly<Record<string, Strategy>> = {
  'in contiguous blocks': refineLb,
  'dealt over the frame': greedyLb,
}

/** Larger than the private caches of a core plus its share of the common ones. */
const SWEEP_BYTES = 128 << 20

/** The defaults of `render`. */
const QUALITY = { samples: 2, ambientRays: 2, maxDepth: 6 } as const

/** Rejects with the signal's reason on abort. */
export async function benchMigration(
  options: MigrationOptions,
  signal: AbortSignal,
  log: Log,
): Promise<MigrationBench> {
  const { size, workers, rounds } = options
  const scene = await prepareScene(options.scene, size, undefined, log, signal)
  const { bytes } = await scene.held.content()
  const tracers = openTracers(bytes, workers)
  const placements: PlacementFigures[] = []
  for (const [placement, strategy] of Object.entries(PLACEMENTS)) {
    log.info(placement)
    const { tiles, decisions } = strategy.plan({
      ...{ size, options: DEFAULT_STRATEGY_OPTIONS, history: [], clock: 'cpu', camera: scene.cameraAt(0) },
      workers: tracers.map((_, i) => ({ id: areaId(`worker-${i + 1}`), speed: 1 })),
    })
    const times = await timeCases({ scene, size, tracers, tiles, rounds }, signal)
    const objects = decisions?.objects ?? 0
    placements.push({ placement, objects, cases: CASES.map(each => figures(each, times, objects)) })
  }
  return { scene: scene.name, triangles: scene.triangles, size, workers, rounds, placements }
}

/** CPU time of one worker's tile in one round, by case, ms. */
type Times = Readonly<Record<Case, number>> & { readonly round: number; readonly worker: number }

interface Run {
  readonly scene: PreparedScene
  readonly size: Size
  readonly tracers: readonly Tracer[]
  readonly tiles: readonly PlannedTile[]
  readonly rounds: number
}

async function timeCases({ scene, size, tracers, tiles, rounds }: Run, signal: AbortSignal): Promise<Times[]> {
  const rgb = new Uint8Array(3 * tiles.reduce((most, tile) => Math.max(most, pixelCount(tile)), 0))
  const trace = (worker: number, view: View, tile: PlannedTile) =>
    cpuMsOf(() => tracers[worker]!.trace(view, tile, allSamples(view), { rgb: rgb.subarray(0, 3 * pixelCount(tile)) }))
  const { exposure } = scene
  const viewOf = (frame: number): View => ({ frame, size, camera: scene.cameraAt(frame), quality: QUALITY, exposure })
  const sweep = new Uint32Array(SWEEP_BYTES / Uint32Array.BYTES_PER_ELEMENT)
  const times: Times[] = []
  // The first round is warm-up.
  for (let round = -1; round < rounds; round++) {
    const [before, now] = [viewOf(round + 1), viewOf(round + 2)]
    for (const [worker, own] of tiles.entries()) {
      const other = tiles[(worker + 1 + ((round + 1) % (tiles.length - 1))) % tiles.length]!
      const found = { kept: 0, moved: 0, cold: 0 }
      // Rotate the order, so that no case comes first more often than another.
      for (let i = 0; i < CASES.length; i++) {
        await nextTurn()
        signal.throwIfAborted()
        const each = CASES[(round + 1 + worker + i) % CASES.length]!
        trace(worker, before, each === 'moved' ? other : own)
        if (each === 'cold') for (let at = 0; at < sweep.length; at++) sweep[at]!++
        found[each] = trace(worker, now, own)
      }
      if (round >= 0) times.push({ round, worker, ...found })
    }
  }
  return times
}

function figures(each: Case, times: readonly Times[], objects: number): CaseFigures {
  const ratios = times.map(time => time[each] / time.kept).sort((a, b) => a - b)
  const frames = grouped(times, ({ round }) => round)
  const ofWorkers = grouped(times, ({ worker }) => worker)
  const more = total(ofWorkers.map(tiles => median(tiles.map(time => time[each] - time.kept))))
  return {
    case: each,
    frameMs: median(frames.map(frame => total(frame.map(time => time[each])))),
    ratio: quantile(ratios, 0.5),
    quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    msPerObject: more / objects,
  }
}

const grouped = (times: readonly Times[], keyOf: (time: Times) => number): Times[][] =>
  [...new Set(times.map(keyOf))].map(key => times.filter(time => keyOf(time) === key))

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

function openTracers(packed: Uint8Array, count: number): Tracer[] {
  const engine = loadWasmEngine('wasm')
  const building = engine.begin(packed, count)
  engine.help(building)
  const built = engine.finish(building)
  return Array.from({ length: count }, (_, i) => engine.open(built, i))
}
