/** What a frame's schedule is told, and what it answers. */
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { PixelSet } from '../../shared/pixel-set.ts'

/** What may happen while a frame is traced. */
export type ClusterEvent =
  /** A worker that holds the scene came (back). It helps in this frame only after everybody it was planned for had gone. */
  | { readonly type: 'worker-ready'; readonly worker: AreaId }
  | { readonly type: 'worker-lost'; readonly worker: AreaId }
  /** Rows `from` to `to` (exclusive, px of the frame) of a lease came; with `more` others of it are still to come. */
  | {
      readonly type: 'tile-done'
      readonly worker: AreaId
      readonly lease: LeaseId
      readonly from: number
      readonly to: number
      readonly more: boolean
      /** From the order's arrival there, or the part before, until these rows were traced, on the worker's clock, ms. */
      readonly tookMs?: number
      /** Of that, from their first ray to their last pixel, ms. */
      readonly tracedMs?: number
    }
  | { readonly type: 'tile-failed'; readonly worker: AreaId; readonly lease: LeaseId; readonly reason: string }
  /** A worker says now and then that it advances on a tile that takes long, or bytes of an answer of its worker come. */
  | { readonly type: 'tile-progress'; readonly worker: AreaId; readonly lease?: LeaseId }
  /** Time passed. */
  | { readonly type: 'tick' }

/** What to do about it, in this order. */
export type Action =
  /** With `part`, the first so many rows are wanted as soon as they are done. */
  | {
      readonly type: 'trace'
      readonly worker: AreaId
      readonly lease: LeaseId
      readonly tile: PixelSet
      readonly part?: number
    }
  /** Only the first `rows` rows of the lease are wanted of this worker any more. */
  | { readonly type: 'trim'; readonly worker: AreaId; readonly lease: LeaseId; readonly rows: number }
  /** Of what just came, the pixels of `tile` belong into the frame; the rest was traced by somebody else, too. */
  | { readonly type: 'accept'; readonly lease: LeaseId; readonly tile: PixelSet }
  /** What just came does not: its lease was given up, or never was, or all of it is there already. */
  | { readonly type: 'drop'; readonly lease: LeaseId }
  | { readonly type: 'cancel'; readonly worker: AreaId; readonly lease: LeaseId }
  /** The area is given nothing more of this frame, nor should it be of the next ones until it has proved itself. */
  | { readonly type: 'set-aside'; readonly area: AreaId; readonly reason: string }
  | { readonly type: 'frame-complete' }
  | { readonly type: 'frame-failed'; readonly reason: string }
