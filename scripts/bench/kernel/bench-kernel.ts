/**
 * Rays per second of CPU time for this project's kernel and for its peers: the same rays on one thread, one round of
 * every engine after another, so that other load on the machine affects all equally.
 */
import type { Size } from '../../../shared/frame/rect.ts'
import { triangleCount } from '../../../shared/scene/bake.ts'
import { median } from '../measure.ts'
import { benchFrame, type FrameBench } from './bench-frame.ts'
import { type BenchView, openBenchScene } from './bench-scene.ts'
import { type Compile, EmbreeHome } from './embree-home.ts'
import { OPEN_RAY_ENGINE } from './index.ts'
import { mismatchShare } from './mismatch.ts'
import { benchPathFrame, type PathFrameBench } from './path-frame.ts'
import type { RayEngine, RayEngineName } from './ray-engine.ts'
import { makeRaySets } from './ray-sets.ts'
import { forKinds, RAY_KINDS, type RayKind, type RaySets } from './rays/ray-kinds.ts'
import { isUnavailable, type Unavailable } from './unavailable.ts'

export interface KernelBenchOptions {
  /** A built-in scene, or a mesh file. */
  readonly mesh: string
  readonly view: BenchView
  readonly size: Size
  readonly rounds: number
  readonly engines: readonly RayEngineName[]
  /** Root of another build, whose path-traced frames are measured, too. */
  readonly before?: string | undefined
}

/** Mrays per second of CPU time. */
export interface Rate {
  readonly median: number
  readonly best: number
}

export interface EngineFigures extends Readonly<Record<RayKind, Rate>> {
  readonly name: RayEngineName
  readonly buildMs: number
  readonly refitMs?: number
  readonly bytesPerTriangle: number
  readonly heldBytesPerTriangle?: number
  readonly setup?: string
  /** Share of rays, in the worst ray kind, whose result differs from that of `wasm`. */
  readonly mismatchShare: number
}

export type EngineRow = EngineFigures | (Unavailable & { readonly name: RayEngineName })

/** Median over the rounds of the rate of `wasm` over a peer's; and the geometric mean of all kinds. */
export type Ratio = Readonly<Record<RayKind | 'geometricMean', number>>

export interface KernelBench {
  readonly mesh: string
  readonly triangles: number
  readonly view: BenchView
  readonly size: Size
  readonly rounds: number
  readonly rays: Readonly<Record<RayKind, number>>
  readonly engines: readonly EngineRow[]
  readonly ratios: Readonly<Partial<Record<RayEngineName, Ratio>>>
  readonly frame?: FrameBench
  readonly pathFrame?: PathFrameBench
}

/** Above this share, an engine is not doing the same work. */
export const MAX_MISMATCHES = 1e-4

/** Clock resolution. */
const MIN_MS = 1e-6

/** Uncounted rounds in which code is compiled and memory allocated. */
const WARM_UP_ROUNDS = 2

/** @throws UsageError for a mesh that cannot be loaded */
export async function benchKernel(
  options: KernelBenchOptions,
  compile: Compile,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<KernelBench> {
  const { view, size, rounds } = options
  const bench = await openBenchScene(options.mesh, size, view)
  const triangles = triangleCount(bench.scene)
  say(`${bench.name}: ${triangles.toLocaleString('en')} triangles; generating rays`)
  const sets = makeRaySets(bench.scene, bench.view)
  let home: Promise<EmbreeHome | Unavailable> | undefined
  const embree = () => {
    home ??= EmbreeHome.prepare(bench.scene, sets, compile)
    return home
  }
  const opened = new Map<RayEngineName, RayEngine | Unavailable>()
  try {
    for (const name of options.engines) {
      signal.throwIfAborted()
      say(`setting up ${name}`)
      opened.set(name, await OPEN_RAY_ENGINE[name]({ scene: bench.scene, sets, embree }))
    }
    const present = [...opened.values()].filter(engine => !isUnavailable(engine)) as RayEngine[]
    const times = await traceRounds(present, rounds, signal, say)
    const rows: EngineRow[] = []
    for (const [name, engine] of opened)
      rows.push(isUnavailable(engine) ? { name, ...engine } : await figuresOf(engine, times, sets))
    let frame: FrameBench | undefined
    let pathFrame: PathFrameBench | undefined
    if (options.engines.includes('wasm')) {
      say('tracing directly lit frames')
      const withEmbree = options.engines.includes('embree-single')
      frame = await benchFrame(bench, withEmbree ? await embree() : { unavailable: 'not requested' }, rounds)
      say('tracing path-traced frames')
      pathFrame = await benchPathFrame(options, signal)
    }
    return {
      mesh: bench.name,
      triangles,
      view,
      size,
      rounds,
      rays: forKinds(kind => sets[kind].count),
      engines: rows,
      ratios: ratiosOf(times, sets),
      ...(frame && { frame }),
      ...(pathFrame && { pathFrame }),
    }
  } finally {
    for (const engine of opened.values()) if (!isUnavailable(engine)) engine.close()
    const made = await home?.catch(() => undefined)
    if (made && !isUnavailable(made)) made.remove()
  }
}

/** Milliseconds per round. */
type Times = ReadonlyMap<RayEngineName, Readonly<Record<RayKind, number[]>>>

async function traceRounds(
  engines: readonly RayEngine[],
  rounds: number,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Times> {
  const times: Times = new Map(engines.map(({ name }) => [name, forKinds((): number[] => [])]))
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    signal.throwIfAborted()
    say(round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`)
    for (const engine of engines)
      for (const kind of RAY_KINDS) {
        const ms = await engine.trace(kind)
        if (round >= 0) times.get(engine.name)![kind].push(ms)
      }
  }
  return times
}

async function figuresOf(engine: RayEngine, times: Times, sets: RaySets): Promise<EngineFigures> {
  const { name, buildMs, refitMs, bytesPerTriangle, heldBytesPerTriangle, setup } = engine
  const rate = (kind: RayKind): Rate => {
    // A few rays may take less than the clock resolution.
    const rates = times.get(name)![kind].map(ms => sets[kind].count / 1000 / Math.max(ms, MIN_MS))
    return { median: median(rates), best: Math.max(...rates) }
  }
  let mismatches = 0
  for (const kind of RAY_KINDS) {
    await engine.trace(kind)
    mismatches = Math.max(mismatches, mismatchShare(kind, await engine.answers(kind), sets[kind].answers))
  }
  return {
    name,
    ...forKinds(rate),
    buildMs,
    ...(refitMs !== undefined && { refitMs }),
    bytesPerTriangle,
    ...(heldBytesPerTriangle !== undefined && { heldBytesPerTriangle }),
    ...(setup !== undefined && { setup }),
    mismatchShare: mismatches,
  }
}

function ratiosOf(times: Times, sets: RaySets): KernelBench['ratios'] {
  const ours = times.get('wasm')
  if (!ours) return {}
  const peers = [...times].filter(([name]) => name !== 'wasm')
  return Object.fromEntries(
    peers.map(([name, theirs]) => {
      const ratio = (kind: RayKind) =>
        sets[kind].count === 0 ? 1 : median(ours[kind].map((ms, round) => theirs[kind][round]! / Math.max(ms, MIN_MS)))
      const ratios = forKinds(ratio)
      const product = RAY_KINDS.reduce((all, kind) => all * ratios[kind], 1)
      return [name, { ...ratios, geometricMean: product ** (1 / RAY_KINDS.length) } satisfies Ratio]
    }),
  )
}
