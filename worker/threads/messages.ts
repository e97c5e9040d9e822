/** What the thread pool and its threads say to each other. Every message to a thread but the last is answered by one. */
import type { Rect } from '../../shared/rect.ts'
import type { View } from '../../shared/view.ts'
import type { EngineName } from '../engine/engine.ts'

/** What a thread is started with; it says `done` when it can be used. */
export interface ThreadSettings {
  readonly engine: EngineName
  /** Share of a core that this thread may use, above 0; 1 or more does not pace it. */
  readonly coreShare: number
  /** Threads in the pool, itself included, and its own number among them, from 0. */
  readonly threads: number
  readonly thread: number
}

/** Takes a packed scene in and begins to build, in place of any other scene. Answer: `begun`. */
export interface BeginOrder {
  readonly type: 'begin'
  readonly scene: Uint8Array<SharedArrayBuffer>
}

/** Helps to build. Answer: `done`, when nothing is left to take. */
export interface HelpOrder {
  readonly type: 'help'
  readonly building: object
}

/** Finishes the building when everyone has helped. Answer: `built`. */
export interface FinishOrder {
  readonly type: 'finish'
  readonly building: object
}

/** Opens a scene for tracing, in place of any other. Answer: `done`. */
export interface OpenOrder {
  readonly type: 'open'
  readonly built: object
}

/** Drops the scene. Answer: `done`. */
export interface ForgetOrder {
  readonly type: 'forget'
}

/** Takes rows of a tile until there are none left. Answer: `traced`. */
export interface TraceOrder {
  readonly type: 'trace'
  readonly view: View
  readonly rect: Rect
  /** RGB8 of the whole rectangle, at the buffer's start; the buffer may be longer. */
  readonly pixels: SharedArrayBuffer
  /** Two i32: NEXT_ROW and STOP. */
  readonly progress: SharedArrayBuffer
}

export type ThreadOrder = BeginOrder | HelpOrder | FinishOrder | OpenOrder | ForgetOrder | TraceOrder

/** In `progress`: the next row that nobody has taken. */
export const NEXT_ROW = 0
/** In `progress`: not 0 once the tile is given up; who sleeps for pacing is woken through it. */
export const STOP = 1

export type ThreadAnswer =
  | { readonly type: 'done' }
  | { readonly type: 'begun'; readonly building: object }
  | { readonly type: 'built'; readonly built: object }
  /** Times on the clock that all threads share, ms; start and end are equal where the thread came too late for a row. */
  | {
      readonly type: 'traced'
      readonly cpuMs: number
      readonly start: number
      readonly end: number
      readonly rows: number
    }
  /** What was asked for went wrong; the thread is fit for the next order. */
  | { readonly type: 'failed'; readonly reason: string; readonly stack: string | undefined }
