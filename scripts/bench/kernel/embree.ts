/**
 * Embree with single rays and with packets, each in its fastest setup for this mesh on this machine: instruction set,
 * build quality, packets of 16 or 8 or those that Embree makes of a stream, and rays flagged as coherent or not are all tried
 * first, for each kind of rays.
 */
import { triangleCount } from '../../../shared/scene/bake.ts'
import { median } from '../measure.ts'
import type { LineProcess } from './line-process.ts'
import { BUILDS, type RayEngine, type RayInput } from './ray-engine.ts'
import { ownBytes } from './ray-files.ts'
import { asksForAnyHit, RAY_KINDS, type RayKind } from './rays/ray-kinds.ts'
import { REFITS } from './timed-refit.ts'
import { isUnavailable, type Unavailable } from './unavailable.ts'

const WAYS = { 'embree-single': ['single'], 'embree-packet': ['16', '8', 'stream'] } as const
const ORDERS = ['coherent', 'incoherent'] as const
/** The widest vectors are not always the fastest for single rays. */
export const EMBREE_BUILDS = ['default', 'avx2'].flatMap(isa => ['medium', 'high'].map(quality => `${isa} ${quality}`))
const TRIALS = 3

/** An Embree scene, and the fastest way to trace rays of each kind through it. */
interface Trial {
  readonly build: string
  readonly buildMs: number
  readonly bytes: number
  readonly ways: Readonly<Record<RayKind, Way>>
}

/** Packet width, `single` or `stream`, and the flag: `16 coherent`. */
interface Way {
  readonly way: string
  readonly ms: number
}

export async function openEmbree(
  name: 'embree-single' | 'embree-packet',
  { scene, embree }: RayInput,
): Promise<RayEngine | Unavailable> {
  const home = await embree()
  if (isUnavailable(home)) return home
  const program = await home.start(true)
  const trials: Trial[] = []
  for (const build of EMBREE_BUILDS) trials.push(await tryOut(program, build, WAYS[name]))
  const totalOf = ({ ways }: Trial) => RAY_KINDS.reduce((product, kind) => product * ways[kind].ms, 1)
  const best = trials.reduce((a, b) => (totalOf(b) < totalOf(a) ? b : a))
  const [refitMs] = await program.ask(`refit ${best.build.split(' ')[0]} ${REFITS}`)
  await program.ask(`use ${best.build}`)
  return {
    name,
    buildMs: best.buildMs,
    refitMs: refitMs!,
    bytesPerTriangle: best.bytes / triangleCount(scene),
    setup: setupText(best),
    trace: kind => trace(program, kind, best.ways[kind].way),
    async answers(kind) {
      await program.ask(`answers ${kind} ${home.fileFor(kind)}`)
      return new Float32Array(ownBytes(home.fileFor(kind)).buffer)
    },
    close: () => program.close(),
  }
}

/** The build, then kinds by the way that is fastest for them. */
function setupText({ build, ways }: Trial): string {
  const kindsOf = new Map<string, RayKind[]>()
  for (const kind of RAY_KINDS) kindsOf.set(ways[kind].way, [...(kindsOf.get(ways[kind].way) ?? []), kind])
  return [`${build} build`, ...[...kindsOf].map(([way, kinds]) => `${way}: ${kinds.join(', ')}`)].join('; ')
}

async function tryOut(program: LineProcess, build: string, widths: readonly string[]): Promise<Trial> {
  const times: number[] = []
  let bytes = 0
  for (let i = 0; i < BUILDS; i++) {
    const [ms, held] = await program.ask(`build ${build}`)
    times.push(ms!)
    bytes = held!
  }
  const bestWay = async (kind: RayKind) => {
    let best = { way: '', ms: Number.POSITIVE_INFINITY }
    for (const way of widths.flatMap(width => ORDERS.map(order => `${width} ${order}`)))
      for (let i = 0; i < TRIALS; i++) {
        const ms = await trace(program, kind, way)
        if (ms < best.ms) best = { way, ms }
      }
    return best
  }
  const ways = {} as Record<RayKind, Way>
  for (const kind of RAY_KINDS) ways[kind] = await bestWay(kind)
  return { build, buildMs: median(times), bytes, ways }
}

async function trace(program: LineProcess, kind: RayKind, way: string): Promise<number> {
  const [ms] = await program.ask(`trace ${kind} ${asksForAnyHit(kind) ? 'any' : 'closest'} ${way}`)
  return ms!
}
