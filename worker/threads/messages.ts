/** Messages between the thread pool and its threads. Every order to a thread is answered by one message. */
import type { ChannelName } from '../../shared/frame/channels.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { SampleRange, View } from '../../shared/frame/view.ts'
import type { EngineName } from '../engine/engine.ts'
import type { SharedCells } from './cell-sums.ts'

/** What a thread is started with; it sends `done` when it is ready. */
export interface ThreadSettings {
  readonly engine: EngineName
  /** Share of a core that this thread may use, above 0; 1 or more does not pace it. */
  readonly coreShare: number
  /** Threads in the pool, itself included, and its own number among them, from 0. */
  readonly threads: number
  readonly thread: number
}

/** By what scenes are told apart that have much in common. */
export interface SceneFamily {
  /** Equal for scenes with the same texels. */
  readonly texels: string
  /** Whether it is a scene of a film in which something moves, and another's structure may be refitted. */
  readonly moves: boolean
}

/** Takes a packed scene and begins to build. Answer: `begun`. */
export interface BeginOrder {
  readonly type: 'begin'
  readonly scene: Uint8Array<SharedArrayBuffer>
  readonly family: SceneFamily | undefined
}

/** Helps to build. Answer: `done`, when no work is left to take. */
export interface HelpOrder {
  readonly type: 'help'
  readonly building: object
}

/** Goes on with the build after all threads have helped. Answer: `begun` if they can help again, otherwise `built`. */
export interface GoOnOrder {
  readonly type: 'go-on'
  readonly building: object
}

/** Restores a stored scene after it was read into the reserved room. Answer: `built`. */
export interface RestoreOrder {
  readonly type: 'restore'
  readonly room: object
}

/** Opens a scene for tracing, under a name. Answer: `done`. */
export interface OpenOrder {
  readonly type: 'open'
  readonly scene: string
  readonly built: object
  /** As in the order to begin. */
  readonly family: SceneFamily | undefined
}

/** Drops the scene with a name, if there is one. Answer: `done`. */
export interface ForgetOrder {
  readonly type: 'forget'
  readonly scene: string
}

/** Takes rows of a tile until there are none left. Answer: `traced`. */
export interface TraceOrder {
  readonly type: 'trace'
  readonly scene: string
  readonly view: View
  readonly tile: PixelSet
  readonly samples: SampleRange
  readonly channels: readonly ChannelName[]
  /** When the order was given, ms on the clock that all threads share. */
  readonly orderedAt: number
  /** Memory of a `TileProgress`. */
  readonly progress: SharedArrayBuffer
  /** The channels of the tile's pixels, packed one after the other, at the buffer's start; the buffer may be longer. */
  readonly pixels: SharedArrayBuffer
  /** u32 per row and one more, at the buffer's start: the tile's pixels above it. */
  readonly above: SharedArrayBuffer
  /** Where the costs of cells go, if requested. */
  readonly cells?: SharedCells
  /** The tile at hand gives way to it, if that is not urgent. */
  readonly urgent?: true
}

export type ThreadOrder = BeginOrder | HelpOrder | GoOnOrder | RestoreOrder | OpenOrder | ForgetOrder | TraceOrder

/** Orders are answered in their order, urgent ones apart from the others. */
export type ThreadAnswer = { readonly urgent?: true } & (
  | { readonly type: 'done' }
  | { readonly type: 'begun'; readonly building: object }
  /** `image`: its storable bytes, if the engine can restore scenes. */
  | { readonly type: 'built'; readonly built: object; readonly image?: Uint8Array }
  /**
   * Times on the clock that all threads share, ms; start and end are equal if the thread came too late for a row. For `gaveWayMs` of the time
   * between it traced urgent tiles.
   */
  | {
      readonly type: 'traced'
      readonly cpuMs: number
      readonly start: number
      readonly end: number
      readonly rows: number
      readonly gaveWayMs: number
    }
  /** The order failed; the thread is ready for the next one. */
  | { readonly type: 'failed'; readonly reason: string; readonly stack: string | undefined }
)
