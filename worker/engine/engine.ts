/**
 * Engines trace tiles: `wasm`, `wasm-fast` (faster, but frames may differ between machines), `reference` (the kernel of `wasm`, one
 * ray at a time: the same bytes, slower), and `webgpu` (whole paths on a device: the same picture, not the same bytes). They are registered in
 * `worker/node/engines.ts`.
 *
 * The threads of a worker share one scene: one thread begins, all help to build, as often as there is something next, one finishes, and each opens
 * the result.
 * The values passed between these steps can be posted from thread to thread and are opaque to everything but the engine.
 */
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { SampleRange, View } from '../../shared/frame/view.ts'

/** Those that run in any thread. */
export type KernelName = 'wasm' | 'wasm-fast' | 'reference'
export const WEBGPU = 'webgpu'
/** Name on the command line; that of `webgpu` may say on which adapter. In the handshake and in reports it does not: `engineKind`. */
export type EngineName = KernelName | typeof WEBGPU | `${typeof WEBGPU}:${string}`
export type EngineKind = KernelName | typeof WEBGPU

export const engineKind = (name: EngineName): EngineKind =>
  name.startsWith(`${WEBGPU}:`) ? WEBGPU : (name as EngineKind)

export const isWebgpu = (name: string): boolean => name === WEBGPU || name.startsWith(`${WEBGPU}:`)

export interface Engine<Building extends object = object, Built extends object = object> {
  readonly name: EngineName
  /** Identifies its arithmetic: engines with equal fingerprints produce equal bytes. */
  readonly fingerprint: string
  readonly grain: EngineGrain
  /**
   * Takes a validated packed scene and starts building; `threads` tracers will be opened over it. Until the structure is finished the bytes are
   * not written to; after that they may be.
   * @param like a built scene with the same texels: what was made of them need not be made again
   */
  begin(scene: Uint8Array, threads: number, like?: RefitFrom<Built>): Building
  /** Helps to build, on any number of threads at once, or none. Returns when no work is left to take. */
  help(building: Building): void
  /** What to help with next, called after all helpers have returned; undefined: the building is to be finished. Need not be asked. */
  next(building: Building): Building | undefined
  /** The scene, ready to be opened; called after all helpers have returned. Deterministic: same scene, same structure. */
  finish(building: Building): Built
  /** How built scenes are stored and restored; absent if they cannot be. */
  readonly storage?: EngineStorage<Built>
  /** The tracer of a thread, numbered from 0; does not copy the scene. */
  open(built: Built, thread: number): Tracer
}

/** A built scene that has much in common with one that is built. */
export interface RefitFrom<Built extends object = object> {
  readonly built: Built
  /**
   * Whether its structure may be refitted, if nothing but vertices has moved. What rays hit does not depend on that; how many steps they
   * take does, so that equal scenes may have structures that differ.
   */
  readonly refit: boolean
  /** Another such scene that is no longer needed: an engine may write to its memory. */
  readonly spare?: Built | undefined
}

/** Serialises built scenes, for the same engine on a machine of the same kind. */
export interface EngineStorage<Built extends object = object> {
  /** The bytes of a built scene, in shared memory; they do not change while it is traced. */
  image(built: Built): Uint8Array
  /** Allocates room for an image of so many bytes, for the caller to fill. */
  reserve(bytes: number): { readonly room: object; readonly image: Uint8Array }
  /** The scene whose image was written to `room`; `threads` tracers will be opened over it. */
  restore(room: object, threads: number): Built
}

/** The granularity at which an engine is best given work. */
export interface EngineGrain {
  /** Best number of rays per batch: a few milliseconds of work. */
  readonly batchRays: number
  /** Smallest worthwhile batch, in rays, though larger ones cost less per ray: about two milliseconds. */
  readonly fineRays: number
  /** Rays beyond which a batch is cut smaller than a block: a few tenths of a second. */
  readonly mostRays: number
  /** Rows that it traces together, a power of two; batches should be multiples of them. */
  readonly blockRows: number
}

/** Output for the pixels of a set, packed row by row, see `shared/frame/channels.ts`. Exactly one of `rgb` and `light` must be present. */
export interface PixelBuffers {
  /** Finished colour, three bytes a pixel; only for all samples together. */
  readonly rgb?: Uint8Array
  /** Sums over the requested samples, three a pixel; those of other samples may be added. */
  readonly light?: Float64Array
  /** Of those requested samples that are of the second half (`shared/frame/halves.ts`). */
  readonly halfLight?: Float64Array
  readonly albedo?: Float64Array
  /** Sums over the requested samples, seven a pixel, and those of the second half; only of the path tracer. */
  readonly features?: Uint32Array
  readonly halfFeatures?: Uint32Array
  /** How many of the requested samples hit something. */
  readonly alpha?: Uint16Array
  /** What of the requested samples sees which ids first: tables (`shared/frame/coverage-table.ts`). */
  readonly cryptoObject?: Uint32Array
  readonly cryptoMaterial?: Uint32Array
  /** Traversal steps of a pixel's rays. */
  readonly steps?: Uint32Array
  /** Camera depth at which the first requested sample hit, Infinity for no hit. */
  readonly depth?: Float32Array
  readonly centre?: CentreBuffers
}

/** Output of the rays through the centres of pixels, see `shared/frame/channels.ts`. */
export interface CentreBuffers {
  readonly normal?: Float32Array
  readonly mappedNormal?: Float32Array
  readonly position?: Float32Array
  readonly depth?: Float32Array
  readonly id?: Uint32Array
  readonly objectId?: Uint32Array
  readonly materialId?: Uint32Array
}

/**
 * Asked before each portion of a trace, some milliseconds of work whatever the number of samples; `done` is the share of the work that is
 * done, from 0 to 1. Once it answers false the rest is skipped.
 */
export type GoOn = (done: number) => boolean

/** Computes pixels. Not re-entrant; one per thread. */
export interface Tracer {
  /** Whether something urgent may come at any time: portions are shorter then. May be set while it asks whether to go on. @default false */
  isAlert?: boolean
  /**
   * Traces the pixels of a set, whose rectangle lies in the view's frame; buffer lengths match the number of pixels. `samples`
   * selects a range of the view's samples; the contribution of each does not depend on the range.
   */
  trace(view: View, set: PixelSet, samples: SampleRange, out: PixelBuffers, goOn?: GoOn): void
  /**
   * While it asks whether to go on, its place is lent: the scene may be opened for the thread once more, for a tracer that may trace until the
   * returned function puts back what this one had. Absent: it must end first.
   */
  lend?(): () => void
}
