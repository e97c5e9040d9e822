/**
 * What the kernel bench asks of everything that finds hits: a build, then the same rays again and again. The family:
 * `wasm`, `wasm-fast`, `reference`, `three-mesh-bvh`, `embree-single`, `embree-packet`. One registry: `index.ts`.
 */
import type { PackedScene } from '../../../shared/scene/packed-layout.ts'
import type { EmbreeHome } from './embree-home.ts'
import type { RayKind, RaySets } from './ray-sets.ts'
import type { Unavailable } from './unavailable.ts'

export const RAY_ENGINES = [
  'wasm',
  'wasm-fast',
  'reference',
  'three-mesh-bvh',
  'embree-single',
  'embree-packet',
] as const
export type RayEngineName = (typeof RAY_ENGINES)[number]

export interface RayEngine {
  readonly name: RayEngineName
  /** CPU time of a build on one thread, the median of BUILDS. */
  readonly buildMs: number
  /** Of what is traced, the mesh that it was made from not counted where it is not needed any more. */
  readonly bytesPerTriangle: number
  /** How it was set up, where there was a choice. */
  readonly setup?: string
  /** Traces all rays of a kind once, on one thread: CPU milliseconds of the tracing alone. */
  trace(kind: RayKind): number | Promise<number>
  /** What the newest `trace` of the kind has found, as `RaySet.answers`; borrowed until the next call. */
  answers(kind: RayKind): Float32Array | Promise<Float32Array>
  close(): void
}

/** What engines are made from; borrowed for their life. */
export interface RayInput {
  readonly scene: PackedScene
  readonly sets: RaySets
  /** Compiles Embree's program on the first call. */
  embree(): Promise<EmbreeHome | Unavailable>
}

export type OpenRayEngine = (input: RayInput) => Promise<RayEngine | Unavailable>

/** How often a structure is built to know how long it takes. */
export const BUILDS = 3
