/**
 * What traces a tile. The family: `wasm` (the fast one), `wasm-fast` (faster still, where frames may differ between
 * machines), `reference` (readable, gives pixels their meaning). One registry: `worker/node/engines.ts`.
 *
 * The threads of one worker share one scene: one thread begins, all help to build, one finishes, and each opens what was
 * made. What passes between those steps can be posted from thread to thread and means nothing to anyone but the engine.
 */
import type { PixelSet } from '../../shared/pixel-set.ts'
import type { SampleRange, View } from '../../shared/view.ts'

/** Name on the command line, in the handshake and in reports. */
export type EngineName = 'wasm' | 'wasm-fast' | 'reference'

export interface Engine<Building extends object = object, Built extends object = object> {
  readonly name: EngineName
  /** Names its arithmetic: workers whose fingerprints are equal make equal bytes. */
  readonly fingerprint: string
  readonly grain: EngineGrain
  /**
   * Takes a packed scene in, which was checked, and starts building; `threads` tracers will be opened over it. Nobody writes to the bytes
   * any more: an engine may keep them if they are in shared memory.
   */
  begin(scene: Uint8Array, threads: number): Building
  /** Builds along; any number of threads at once, none is needed. Returns when nothing is left to take. */
  help(building: Building): void
  /** The scene, ready to be opened, when everyone who helped has returned. Deterministic: same scene, same structure. */
  finish(building: Building): Built
  /** How built scenes are stored and taken up again; absent where they cannot be. */
  readonly storage?: EngineStorage<Built>
  /** The tracer of a thread, numbered from 0; copies nothing of the scene. */
  open(built: Built, thread: number): Tracer
}

/** Built scenes as bytes, for the same engine on a machine of the same kind. */
export interface EngineStorage<Built extends object = object> {
  /** The bytes of a built scene, in shared memory; they stay as they are while it is traced. */
  image(built: Built): Uint8Array
  /** Room for an image of so many bytes, to be written there. */
  reserve(bytes: number): { readonly room: object; readonly image: Uint8Array }
  /** The scene whose image was written to a room; `threads` tracers will be opened over it. */
  restore(room: object, threads: number): Built
}

/** In which portions an engine is best given work. */
export interface EngineGrain {
  /** Rays that are best asked for at once: some milliseconds of work. */
  readonly batchRays: number
  /** Rays that are worth being asked for at once, though others cost less each: about two milliseconds. */
  readonly fineRays: number
  /** Rays beyond which a batch is cut smaller than a block: some tenths of a second. */
  readonly mostRays: number
  /** Rows that it traces together, a power of two; batches should be multiples of them. */
  readonly blockRows: number
}

/** What is made of the pixels of a set, packed row by row. Exactly one of `rgb` and `light` is wanted. */
export interface PixelBuffers {
  /** Finished colour, three bytes a pixel; only of all samples together. */
  readonly rgb?: Uint8Array
  /** Sums over the samples that were asked for, three a pixel (`shared/channels.ts`): those of other samples may be added. */
  readonly light?: Float64Array
  /** Traversal steps of a pixel's rays. */
  readonly steps?: Uint32Array
  /** Camera depth that the first sample asked for met, Infinity where nothing. */
  readonly depth?: Float32Array
}

/** Makes pixels. Not re-entrant; one per thread. */
export interface Tracer {
  /**
   * Traces the pixels of a set, whose rectangle lies in the view's frame; buffers are as long as they are many. `samples`
   * says which of the view's samples: what each contributes does not depend on that. `stopped` is asked every few
   * milliseconds; once it is true the rest is left out.
   */
  trace(view: View, set: PixelSet, samples: SampleRange, out: PixelBuffers, stopped?: () => boolean): void
}
