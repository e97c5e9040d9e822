/**
 * The kernel bench's interface to everything that finds hits: a build, then the same rays repeatedly. The engines:
 * `wasm`, `wasm-fast`, `three-mesh-bvh`, `embree-single`, `embree-packet`. One registry: `index.ts`.
 */
import type { BakedScene } from '../../../shared/scene/ambient-look.ts'
import type { EmbreeHome } from './embree-home.ts'
import type { RayKind, RaySets } from './rays/ray-kinds.ts'
import type { Unavailable } from './unavailable.ts'

export const RAY_ENGINES = ['wasm', 'wasm-fast', 'three-mesh-bvh', 'embree-single', 'embree-packet'] as const
export type RayEngineName = (typeof RAY_ENGINES)[number]

export interface RayEngine {
  readonly name: RayEngineName
  /** CPU time of a single-threaded build, median of BUILDS. */
  readonly buildMs: number
  /** CPU time of refitting it, on one thread, after all vertices have moved, median of REFITS; absent if it cannot be. */
  readonly refitMs?: number
  /** Size of the traced structure, without the source mesh if tracing does not need it. */
  readonly bytesPerTriangle: number
  /** The same with all that shading reads: vertices, materials, textures, lights. Absent of peers, which shade nothing. */
  readonly heldBytesPerTriangle?: number
  /** Its configuration, if there was a choice. */
  readonly setup?: string
  /** Traces all rays of a kind once, on one thread: CPU milliseconds of the tracing alone. */
  trace(kind: RayKind): number | Promise<number>
  /** Results of the latest `trace` of the kind, as in `RaySet.answers`; borrowed until the next call. */
  answers(kind: RayKind): Float32Array | Promise<Float32Array>
  close(): void
}

/** Input for opening engines; borrowed for their lifetime. */
export interface RayInput {
  readonly scene: BakedScene
  readonly sets: RaySets
  /** Compiles Embree's program on the first call. */
  embree(): Promise<EmbreeHome | Unavailable>
}

export type OpenRayEngine = (input: RayInput) => Promise<RayEngine | Unavailable>

/** Number of builds per build time measurement. */
export const BUILDS = 3
