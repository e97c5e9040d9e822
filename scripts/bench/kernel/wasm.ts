/** This project's kernel, queried ray by ray instead of pixel by pixel. */
import { triangleCount } from '../../../shared/scene/bake.ts'
import type { EngineName } from '../../../worker/engine/engine.ts'
import { EngineUnavailableError } from '../../../worker/engine/errors.ts'
import { KernelMemory } from '../../../worker/engine/wasm/memory.ts'
import { RAY_FIELDS, RAY_WORDS, type RayCaster } from '../../../worker/engine/wasm/ray-caster.ts'
import { header } from '../../../worker/engine/wasm/records/access.ts'
import type { WasmEngine } from '../../../worker/engine/wasm/wasm-engine.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { cpuMsOf } from '../cpu-time.ts'
import { buildScene } from './build-scene.ts'
import type { RayEngine, RayEngineName, RayInput } from './ray-engine.ts'
import { asksForAnyHit, mostRays, RAY_FLOATS, type RayKind, type RaySet } from './rays/ray-kinds.ts'
import { timedBuild } from './timed-build.ts'
import { refitKernel } from './timed-refit.ts'
import type { Unavailable } from './unavailable.ts'

/** WebAssembly cannot replace a running function: shorter calls let the optimised version take over. */
const RAYS_PER_CALL = 4096

/** What the integrators know to be coherent. */
const COHERENT: ReadonlySet<RayKind> = new Set(['primary', 'shadow'])

export async function openWasm(
  name: RayEngineName & EngineName,
  { scene, sets }: Pick<RayInput, 'scene' | 'sets'>,
): Promise<RayEngine | Unavailable> {
  let engine: WasmEngine
  try {
    engine = loadWasmEngine(name)
  } catch (error) {
    if (error instanceof EngineUnavailableError) return { unavailable: error.reason }
    throw error
  }
  const { built, buildMs } = timedBuild(() => buildScene(engine, scene))
  const refitMs = refitKernel(engine, scene, built)
  const caster = engine.castRays(built, mostRays(sets))
  const structureBytes = header(new KernelMemory(built.memory), 'structureBytes')
  const answers = new Float32Array(mostRays(sets))
  return {
    name,
    buildMs,
    ...(refitMs !== undefined && { refitMs }),
    bytesPerTriangle: structureBytes / triangleCount(scene),
    heldBytesPerTriangle: built.bytes / triangleCount(scene),
    trace(kind) {
      putRays(caster, sets[kind])
      const way = { shadow: asksForAnyHit(kind), coherent: COHERENT.has(kind) }
      return cpuMsOf(() => traceRays(caster, sets[kind].count, way))
    },
    answers(kind) {
      takeAnswers(caster, kind, answers.subarray(0, sets[kind].count))
      return answers.subarray(0, sets[kind].count)
    },
    close: () => caster.close(),
  }
}

/** What is asked for, and how. */
export interface WayOfTracing {
  /** Whether there is any hit, instead of the closest. */
  readonly shadow: boolean
  /** Whether the kernel is told that consecutive rays are close to each other. */
  readonly coherent: boolean
}

export function putRays({ rays: records }: RayCaster, { rays, count }: Pick<RaySet, 'rays' | 'count'>): void {
  for (let i = 0; i < count; i++)
    for (let k = 0; k < RAY_FLOATS; k++) records[i * RAY_WORDS + k] = rays[i * RAY_FLOATS + k]!
}

/** Traces the first `count` rays of a caster. */
export function traceRays(caster: RayCaster, count: number, { shadow, coherent }: WayOfTracing): void {
  for (let first = 0; first < count; first += RAYS_PER_CALL) {
    const rays = Math.min(RAYS_PER_CALL, count - first)
    if (shadow) caster.shadow(rays, coherent, first)
    else caster.closest(rays, coherent, first)
  }
}

function takeAnswers({ rays: records, words }: RayCaster, kind: RayKind, answers: Float32Array): void {
  const anyHit = asksForAnyHit(kind)
  for (let i = 0; i < answers.length; i++) {
    const hit = words[i * RAY_WORDS + RAY_FIELDS.hit]! !== 0
    const distance = anyHit ? 0 : records[i * RAY_WORDS + RAY_FIELDS.tMax]!
    answers[i] = hit ? distance : Number.POSITIVE_INFINITY
  }
}
